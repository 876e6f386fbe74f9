import { fullNameOf } from '#contract/full-name.ts';
import type { FailedMail } from '#contract/system.ts';
import { type ActorOrId, recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './failed-mail-queries.ts';
import { CLAIMED_MINUTES } from './mail-sending.ts';

/** The mails of notices that were not sent, for operators, who can have one sent again. */

const LISTED_MAX = 100;

const failedMailOf = ({ memberId, memberNumber, ...mail }: queries.FailedMailRow): FailedMail => ({
  id: `${memberId}.${memberNumber}`,
  userId: String(memberId),
  userEmail: mail.email,
  userName: fullNameOf(mail),
  kind: mail.kind,
  reason: mail.trouble,
  attempts: mail.attemptCount,
  dueAt: mail.dueAt?.toISOString() ?? null,
  createdAt: mail.createdAt.toISOString(),
});

/** The newest, at most 100. */
export const readFailedMails = async (reader: Reader): Promise<FailedMail[]> =>
  (await queries.readFailed(reader, LISTED_MAX)).map(failedMailOf);

/** How many mails of notices wait, failed and are tried again, and are not tried again; at most 1,000 of each. */
export const readMailQueue = (reader: Reader): Promise<queries.MailQueue> => queries.readQueue(reader);

/**
 * Makes a mail due now that failed, for one attempt more. A mail that is due within minutes may be on its way, and goes
 * by itself.
 * @param id the member's id and the number of the notice
 * @throws Refusal `not-found`, `not-failed`
 */
export async function retryMail(database: Database, actor: ActorOrId, id: string): Promise<FailedMail> {
  const [member = '', number = ''] = id.split('.');
  const [memberId, memberNumber] = [Number(member), BigInt(number)];
  return database.transaction(async (tx) => {
    const before = await queries.lockFailed(tx, memberId, memberNumber);
    if (before === undefined) throw refuse('not-found');
    const after = await queries.makeDue(tx, memberId, memberNumber, CLAIMED_MINUTES);
    if (after === undefined) throw refuse('not-failed');
    const mail = failedMailOf({ ...before, dueAt: after.dueAt });
    const { kind } = mail;
    // Without the reason: it can hold a mail address, and the trail keeps what it has for ever.
    const target = { kind: 'mail', id, memberId } as const;
    await recordActs(tx, [
      {
        actor,
        act: 'mail.retry',
        target,
        before: { kind, dueAt: before.dueAt?.toISOString() ?? null },
        after: { kind, dueAt: mail.dueAt },
      },
    ]);
    return mail;
  });
}
