import { type BooksCheck, inOnePiece } from '../ledger/ledger.ts';
import { readGrantDifferences } from './audit-queries.ts';

/** The audit of claims: each booked one of the last three years has its grant, and each grant of a claim its claim. */
export const claimsChecks: readonly BooksCheck[] = [inOnePiece('claims', readGrantDifferences)];
