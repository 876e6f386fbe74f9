import { type BooksCheck, byMembers } from '../ledger/ledger.ts';
import {
  readMembersEnd,
  readReferralDifferences,
  readReferrersEnd,
  readTotalDifferences,
} from './audit-queries.ts';

/**
 * The audit of referrals: a member has a referral if and only if the member's row names the same referrer; a rewarded
 * one has its movement; the referrers' totals agree with the rows.
 */
export const referralsChecks: readonly BooksCheck[] = [
  byMembers('referrals', readMembersEnd, readReferralDifferences),
  byMembers('referral-totals', readReferrersEnd, readTotalDifferences),
];
