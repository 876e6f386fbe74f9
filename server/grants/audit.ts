import { type BooksCheck, byMembers, inOnePiece } from '../ledger/ledger.ts';
import { readGrantDifferences, readMembersEnd, readTotalDifferences } from './audit-queries.ts';

/**
 * The audit of grants: a completed one has its movement, another one has none, and each movement has its grant. The
 * totals agree with the rows.
 */
export const grantsChecks: readonly BooksCheck[] = [
  byMembers('grants', readMembersEnd, readGrantDifferences),
  inOnePiece('grant-totals', readTotalDifferences),
];
