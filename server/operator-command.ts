import { endSessions } from './access/access.ts';
import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { misuse, refuse, sentenceOfWords, type Words } from './admin-words.ts';
import { declineGrantsOf } from './grants/grants.ts';
import { findAccount } from './members/members.ts';
import { appointOperator, type RoleChange, readOperators, removeOperator } from './members/operators.ts';
import type { Tx } from './platform/database.ts';
import { withdrawProposalsOf } from './platform/settings-change.ts';

/** The command `operator`: who the operators are. `operator MEMBER` without a verb makes a member one, too. */
export async function operator(opened: Opened, { positionals }: Words): Promise<number> {
  const [first = '', ...others] = positionals;
  if (first === 'list') return others.length === 0 ? list(opened) : misuse('operator list takes no word.');
  const [who = '', ...reasonWords] = first === 'add' || first === 'remove' ? others : positionals;
  if (who === '') return misuse('MEMBER is needed: the id or the e-mail address.');
  const reason = sentenceOfWords(reasonWords);
  if (first === 'remove' && reason === '') return misuse('REASON is needed: operator remove MEMBER REASON');
  const account = await findAccount(opened.app, who);
  if (account === undefined) return refuse(`There is no member ${who}.`);
  return first === 'remove' ? remove(opened, account, reason) : add(opened, account, reason || null);
}

async function list({ app }: Opened): Promise<number> {
  for (const { id, email } of await readOperators(app)) print(`${id} ${email}`);
  return 0;
}

type Account = { id: number; email: string };

async function add(
  { app }: Opened,
  { id: memberId, email }: Account,
  reason: string | null,
): Promise<number> {
  const outcome = await appointOperator(app, { actor: 'command-line', memberId, reason });
  if (outcome === 'closed') return refuse(`The account ${memberId} is closed.`);
  if (outcome === 'banned') return refuse(`${email} is suspended for good. Lift the suspension first.`);
  print(outcome === 'appointed' ? `${email} is an operator.` : `${email} is an operator already.`);
  return 0;
}

async function remove(
  { app, config }: Opened,
  { id: memberId, email }: Account,
  reason: string,
): Promise<number> {
  const ended = { changes: 0, grants: 0 };
  const endRequests = async (tx: Tx, removal: RoleChange) => {
    ended.changes = await withdrawProposalsOf(tx, config.mode, removal);
    ended.grants = await declineGrantsOf(tx, removal);
  };
  const removal = { actor: 'command-line', memberId, reason } as const;
  const outcome = await removeOperator(app, removal, { endSessions, endRequests });
  if (outcome === 'no-operator') return refuse(`${email} is no operator.`);
  if (outcome === 'last') return refuse(`${email} is the last operator. Add another one first.`);
  print(`${email} is no operator any more. The sessions of this person have ended.`);
  if (ended.changes + ended.grants > 0)
    print(
      `What waited for another operator ended with it: changes of settings ${ended.changes}, grants ${ended.grants}.`,
    );
  return 0;
}
