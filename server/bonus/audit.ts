import { type BooksCheck, byMembers } from '../ledger/ledger.ts';
import { readClaimersEnd, readStreakDifferences } from './audit-queries.ts';

/** The audit of the bonus: each member's latest claim is their newest bonus, and each claim follows the one before. */
export const bonusChecks: readonly BooksCheck[] = [
  byMembers('streaks', readClaimersEnd, readStreakDifferences),
];
