/** Verifies the books by computing all sums again from the movements. */
import type { Reader } from '#platform/database.ts';
import { checkNames, type Difference, readDifferences } from './audit-queries.ts';

export type BooksDifference = Difference & { check: string };

const DIFFERENCES_MAX = 1_000;

/**
 * Checks balances, counts, totals and day sums of wallets; numbers without gaps; each balance after a movement; the
 * rules of each kind; sums of house accounts; the trial balance. Returns the differences, none if all agree. It reads
 * all movements, so it needs a connection with a long statement timeout. Each check reads one snapshot, so members can
 * post meanwhile.
 */
export async function auditBooks(reader: Reader): Promise<BooksDifference[]> {
  const differences: BooksDifference[] = [];
  for (const check of checkNames) {
    const found = await readDifferences(reader, check, DIFFERENCES_MAX);
    differences.push(...found.map((difference) => ({ check, ...difference })));
  }
  return differences;
}
