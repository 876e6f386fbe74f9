import type { Config } from '#platform/config.ts';
import type { Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { readSecondPersonPoints } from './credit-obstacles.ts';
import * as queries from './decision-queries.ts';

/**
 * Rejections that an appeal overturned. The credit waits again and is approved at once, by the rules of every approval:
 * one that needs a second operator stays among the held ones, with this operator's as the first of two.
 */

/**
 * Books a rejected credit. The act and the notice of the answer are the caller's.
 * @returns the new balance; null if it waits for another operator
 * @throws Refusal `already-decided` if it is not rejected, or its provider took it back
 */
export async function overturnRejection(
  tx: Tx,
  mode: Config['mode'],
  asked: { heldId: bigint; actor: number; note: string },
): Promise<bigint | null> {
  if (!(await queries.reopen(tx, asked.heldId)))
    throw refuse('already-decided', 'This credit is not rejected any more, or its provider took it back.');
  const decided = await queries.decide(
    tx,
    { ...asked, verdict: 'approve' },
    await readSecondPersonPoints(tx, mode),
  );
  return decided.balance;
}
