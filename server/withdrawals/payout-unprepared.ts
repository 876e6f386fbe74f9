import { sentence } from '#contract/operator-sentences.ts';
import { readFormerPayments, readUnaccountedAmong } from './accounted-queries.ts';
import { comparePayout } from './payout-comparison.ts';
import { takeMade } from './payout-own-payments.ts';
import { notePossible, releaseUnprepared } from './payout-queries.ts';
import { LONGEST_PARKED_WAIT_S, type Step, type Turn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { Rail } from './rails/rail.ts';

/**
 * A parked payout without a stored payment, which may have been paid already. An operator decides that. But a payment
 * that it had before and that was made after all is its own. And when other payouts account for all that may have paid
 * it, it is certain that nothing did: it was another payout's payment under a new name, for example after its fee was
 * raised. Then the payout is queued again. That a payment is missing from the list is no reason, because the list may
 * be another account's. A payment that it had before, and that was undone for good, waits for the operator without
 * being named as possible any more. One of an account that pays no more waits for the operator too.
 */
export async function investigateUnprepared(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  const { withdrawalId, possibleReferences: possible } = payout;
  let { trouble } = payout;
  const comparison = await comparePayout(turn.database, rail, payout);
  if (comparison.kind === 'made') return takeMade(turn, payout, comparison.payment);
  if (comparison.kind === 'clear' && (await isAccountedFor(turn, payout))) {
    const next = await releaseUnprepared(turn.database, turn.lease, withdrawalId);
    if (next !== undefined) {
      turn.log.warn(
        { withdrawal: withdrawalId },
        'other payouts account for what may have paid a parked payout',
      );
      return { next };
    }
  }
  const undone = comparison.kind === 'clear' ? await readFormerPayments(turn.database, payout, possible) : [];
  if (undone.length > 0) {
    const referenceList = undone.map(({ reference }) => reference).join(', ');
    trouble = `${sentence('former-payments-undone', { referenceList })} ${sentence('retry-or-give-up')}`;
    const none = { payments: [], references: [], reason: trouble };
    await notePossible(turn.database, turn.lease, withdrawalId, none);
  }
  if (comparison.kind === 'unknown' && comparison.isOwn) trouble = comparison.reason;
  if (comparison.kind === 'possible' && comparison.ofFormerAccount) {
    trouble = comparison.reason;
    await notePossible(turn.database, turn.lease, withdrawalId, comparison);
  }
  await queries.postpone(turn.database, turn.lease, withdrawalId, trouble, LONGEST_PARKED_WAIT_S);
  return 'idle';
}

async function isAccountedFor({ database }: Turn, payout: Payout): Promise<boolean> {
  const { possibleReferences } = payout;
  if (possibleReferences.length === 0) return false;
  return (await readUnaccountedAmong(database, payout, possibleReferences)).length === 0;
}
