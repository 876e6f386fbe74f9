import { severities, suspendUser, suspensionTypes } from '#contract/members-suspensions.ts';
import { endSessions } from './access/access.ts';
import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { decideEach, misuse, NOTE_MAX, refuse, sentenceOfWords, type Words } from './admin-words.ts';
import { findAccount } from './members/members.ts';
import { suspensionList } from './members/suspension-list.ts';
import { recordLift, recordSuspension, type SuspensionParts } from './members/suspensions.ts';
import { addNotice } from './notices/notices.ts';
import { readWholeList } from './platform/http/operator-list.ts';

/** The commands `suspensions`, `suspend` and `lift`, by the rules of the back office. */

const addDecisionNotice: SuspensionParts['addDecisionNotice'] = (tx, memberId, facts) =>
  addNotice(tx, memberId, 'decision', facts);

/** Lists what is active, newest first. */
export async function listSuspensions({ app }: Opened): Promise<number> {
  let count = 0;
  for await (const rows of readWholeList(app, suspensionList, { state: 'active' })) {
    for (const { id, userId, userEmail, suspensionType, severity, expiresAt, reason } of rows)
      print(
        `${id}: ${userId} ${userEmail}, ${suspensionType}, ${severity}, until ${expiresAt ?? 'lifted'}. ${reason}`,
      );
    count += rows.length;
  }
  if (count === 0) print('Nobody is suspended.');
  return 0;
}

export async function suspendMember({ app }: Opened, { options, positionals }: Words): Promise<number> {
  const [who = '', suspensionType = '', ...reasonWords] = positionals;
  const { severity, until } = options;
  const wanted = suspendUser.body.safeParse({
    userId: who,
    suspensionType,
    reason: sentenceOfWords(reasonWords),
    ...(severity !== undefined && { severity }),
    ...(until !== undefined && { expiresAt: until }),
  });
  if (!wanted.success) return misuse(faultOf(String(wanted.error.issues[0]?.path[0])));
  const account = await findAccount(app, who);
  if (account === undefined) return refuse(`There is no member ${who}.`);
  return decideEach([account.email], async () => {
    const asked = { ...wanted.data, userId: String(account.id) };
    const { id } = await recordSuspension(app, 'command-line', asked, { addDecisionNotice, endSessions });
    return `suspended, number ${id}.`;
  });
}

/** What a word of `suspend` must be, by the field of the contract that it is. */
function faultOf(field: string): string {
  if (field === 'suspensionType') return `TYPE is one of: ${suspensionTypes.join(', ')}.`;
  if (field === 'severity') return `--severity is one of: ${severities.join(', ')}.`;
  if (field === 'expiresAt') return '--until is a time such as 2027-01-31T12:00:00Z.';
  return `MEMBER and REASON are needed, REASON up to ${NOTE_MAX} characters.`;
}

export async function liftSuspension({ app }: Opened, { positionals }: Words): Promise<number> {
  const [id = '', ...reasonWords] = positionals;
  if (!/^[1-9]\d{0,17}$/.test(id))
    return misuse('NUMBER is that of a suspension, as `suspensions` prints it.');
  const reason = sentenceOfWords(reasonWords);
  if (reason === '' || reason.length > NOTE_MAX)
    return misuse(`REASON is needed, up to ${NOTE_MAX} characters: lift NUMBER REASON`);
  return decideEach([id], async () => {
    await recordLift(app, 'command-line', { id: BigInt(id), reason }, { addDecisionNotice });
    return 'lifted.';
  });
}
