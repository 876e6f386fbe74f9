import type { Reader } from '#platform/database.ts';
import { type BooksCheck, byMembers, inOnePiece, inPieces } from '../ledger/ledger.ts';
import {
  firstWithdrawal,
  readCountDifferences,
  readRequestersEnd,
  readWithdrawalDifferences,
  readWithdrawalsEnd,
  readWrongDueTimes,
  readWrongPayoutSums,
  readWrongTimelines,
  readWrongTotals,
  repairDueTimes,
} from './audit-queries.ts';

/**
 * The audit of withdrawals: each has its hold, a rejected one its return, an approved one its payout with the same
 * recipient and amount; who decided it, when, and which payments are called others' is in the audit trail, which has a
 * check of its own; members' numbers, the totals, the sums of payouts and the counts of payments agree with the rows;
 * no payout waits for a time far ahead.
 */
const withdrawals: BooksCheck = {
  name: 'withdrawals',
  pieces: (reader) =>
    inPieces<string>(
      firstWithdrawal,
      (from) => readWithdrawalsEnd(reader, from),
      (from, until) => readWithdrawalDifferences(reader, from, until),
    ),
};

export const withdrawalsChecks: readonly BooksCheck[] = [
  withdrawals,
  byMembers('withdrawal-counts', readRequestersEnd, readCountDifferences),
  inOnePiece('withdrawal-totals', readWrongTotals),
  inOnePiece('payout-sums', readWrongPayoutSums),
  inOnePiece('payout-due-times', readWrongDueTimes),
  inOnePiece('timelines', readWrongTimelines),
];

/**
 * Sets right what a wrong clock wrote, as the owner: payouts that wait for a time far ahead become due, and rates
 * dated in the future are forgotten, so that the next ones are fetched. Returns their number.
 */
export const repairTimes = (owner: Reader): Promise<number> => repairDueTimes(owner);
