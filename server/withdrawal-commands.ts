import type { Opened } from './admin-database.ts';
import { print } from './admin-print.ts';
import { approveAsSecond, decideEach, misuse, NOTE_MAX, sentenceOfWords, type Words } from './admin-words.ts';
import { createHealth } from './platform/health.ts';
import { readWholeList } from './platform/http/operator-list.ts';
import { createLog } from './platform/log.ts';
import { secretsOf } from './platform/secrets.ts';
import { recordApproval, recordRejection } from './withdrawals/decisions.ts';
import { readWithdrawal, withdrawalList } from './withdrawals/withdrawal-list.ts';

/**
 * The commands `withdrawals`, `approve` and `reject`, by the rules of the back office. Of a request that needs two
 * people the command line is the second one only. The member's browsers read the decision at their next call.
 */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const FORM_OF_ID = 'ID is the id of a request, as `withdrawals` prints it.';

/** Lists what waits, oldest first, with what stands against a decision. */
export async function listWithdrawals({ app, config }: Opened): Promise<number> {
  const list = withdrawalList({ database: app, config });
  let count = 0;
  for await (const rows of readWholeList(app, list, { status: 'pending', sort: 'createdAt' })) {
    for (const { id, createdAt, amount, method, address, userId, userEmail, flags } of rows) {
      const flagged = flags.length === 0 ? '' : ` [${flags.join(', ')}]`;
      print(`${id} ${createdAt} ${amount} points, ${method} ${address}, ${userId} ${userEmail}${flagged}`);
    }
    count += rows.length;
  }
  if (count === 0) print('No request waits.');
  return 0;
}

/** Prints what a decision is about, before it is made. */
async function printSum(database: Opened['app'], id: string): Promise<void> {
  const { amount, method, address, userId, userEmail } = await readWithdrawal(database, id);
  print(`${id}: ${amount} points, ${method} ${address}, ${userId} ${userEmail}`);
}

/** Approves each at the rate of now. */
export async function approve(
  { app: database, config }: Opened,
  { positionals: ids }: Words,
): Promise<number> {
  if (ids.length === 0 || !ids.every((id) => UUID.test(id))) return misuse(FORM_OF_ID);
  const log = createLog('silent');
  const parts = { config, database, secrets: secretsOf(config), log, health: createHealth(log) };
  return decideEach(ids, async (id) => {
    await printSum(database, id);
    await approveAsSecond(() => recordApproval(parts, 'command-line', id));
    const { coinAmount, method, address } = await readWithdrawal(database, id);
    return `approved, ${method} ${coinAmount} to ${address}.`;
  });
}

export async function reject({ app: database }: Opened, { positionals }: Words): Promise<number> {
  const [id = '', ...reasonWords] = positionals;
  if (!UUID.test(id)) return misuse(FORM_OF_ID);
  const reason = sentenceOfWords(reasonWords);
  if (reason === '' || reason.length > NOTE_MAX)
    return misuse(`REASON is needed, up to ${NOTE_MAX} characters: reject ID REASON`);
  return decideEach([id], async () => {
    await printSum(database, id);
    await recordRejection({ database }, 'command-line', id, reason);
    return 'rejected. Its points are back.';
  });
}
