import { bonusChecks } from './bonus/audit.ts';
import { claimsChecks } from './claims/audit.ts';
import { coinflipChecks } from './coinflip/audit.ts';
import { earningChecks } from './earning/audit.ts';
import { grantsChecks } from './grants/audit.ts';
import { type BooksCheck, inOnePiece, ledgerChecks } from './ledger/ledger.ts';
import { membersChecks } from './members/audit.ts';
import { findChainFaults } from './platform/act-chain.ts';
import { findLeasesAhead } from './platform/leases.ts';
import { referralsChecks } from './referrals/audit.ts';
import { withdrawalsChecks } from './withdrawals/audit.ts';
import type { MethodParts } from './withdrawals/payment-methods.ts';
import { railChecksOf } from './withdrawals/rail-audit.ts';

/** Leases that a wrong clock made long. Nobody could take them over. */
const leases = inOnePiece('leases', async (reader) =>
  (await findLeasesAhead(reader)).map(({ name, expiresAt }) => ({
    check: 'leases',
    subject: name,
    expected: 'at most a minute ahead',
    actual: expiresAt.toISOString(),
  })),
);

/** The chain of the audit trail. Chained rows never change, so a second reading would find the same. */
const auditTrail: BooksCheck = {
  name: 'audit-trail',
  async *pieces(reader) {
    for await (const faults of findChainFaults(reader))
      yield faults.map((fault) => ({ check: 'audit-trail', ...fault }));
  },
};

/**
 * All checks of the audit: the ledger's own, and each feature's of its own rows. The longest check, that of all
 * earnings, comes first, so that two connections end together.
 */
export const siteChecks: readonly BooksCheck[] = [
  ...earningChecks,
  ...ledgerChecks,
  ...membersChecks,
  ...withdrawalsChecks,
  ...coinflipChecks,
  ...bonusChecks,
  ...referralsChecks,
  ...grantsChecks,
  ...claimsChecks,
  auditTrail,
  leases,
];

/** The audit of a whole site: all books, and the payouts against the rails' own lists. */
export const checksOf = (platform: MethodParts): readonly BooksCheck[] => [
  ...siteChecks,
  ...railChecksOf(platform),
];
