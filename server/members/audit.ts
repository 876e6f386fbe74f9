import { type BooksCheck, byMembers } from '../ledger/ledger.ts';
import { readMembersEnd, readWalletDifferences } from './audit-queries.ts';

/** The audit of members: each has a wallet, which is closed if and only if the account is deleted. */
export const membersChecks: readonly BooksCheck[] = [
  byMembers('members', readMembersEnd, readWalletDifferences),
];
