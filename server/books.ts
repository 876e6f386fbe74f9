import { bonusChecks } from './bonus/audit.ts';
import { coinflipChecks } from './coinflip/audit.ts';
import { earningChecks } from './earning/audit.ts';
import { type BooksCheck, ledgerChecks } from './ledger/ledger.ts';
import { membersChecks } from './members/audit.ts';
import { referralsChecks } from './referrals/audit.ts';
import { withdrawalsChecks } from './withdrawals/audit.ts';

/** All checks of the audit: the ledger's own, and each feature's of its own rows. */
export const siteChecks: readonly BooksCheck[] = [
  ...ledgerChecks,
  ...membersChecks,
  ...earningChecks,
  ...withdrawalsChecks,
  ...coinflipChecks,
  ...bonusChecks,
  ...referralsChecks,
];
