import type { Reader } from '#platform/database.ts';
import type { BooksDifference } from '../ledger/ledger.ts';
import { readReferrerDifferences } from './queries.ts';

const DIFFERENCES_MAX = 1_000;

/**
 * Checks that a member has a referral if and only if the member's row names a referrer, and that both name the same
 * one. A foreign key can't say so, because the two rows are in two schemas and each needs the other first.
 */
export async function auditReferrals(reader: Reader): Promise<BooksDifference[]> {
  const named = (id: number | null) => (id === null ? 'no referrer' : `referrer ${id}`);
  const found = await readReferrerDifferences(reader, DIFFERENCES_MAX);
  return found.map(({ memberId, referredBy, referrerId }) => ({
    check: 'referrals',
    subject: String(memberId),
    expected: named(referredBy),
    actual: named(referrerId),
  }));
}
