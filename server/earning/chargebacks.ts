/**
 * A member's chargebacks: the reversals that took points, and the earning of each. A reversal that took nothing,
 * because nothing was left, is not listed. An operator's chargeback has no earning (`operator-chargebacks.ts`).
 */
import type { Chargeback, chargebackReasons } from '#contract/earning.ts';
import { MANUAL_PROVIDER } from '#contract/earning-chargebacks.ts';
import { rowId } from '#contract/fields.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { describeMovement } from '../ledger/ledger.ts';
import { findReversedCredit, type ReasonClass, readReversals } from './queries.ts';

const ROWS_MAX = 200;

/** The label of each class of reasons. The class is stored when a reversal is booked (`earning.reason_class_of`). */
export const reasonLabels: Record<ReasonClass, (typeof chargebackReasons)[number]> = {
  vpn: 'VPN Usage',
  fraud: 'Fraudulent Activity',
  invalid: 'Invalid Response',
  duplicate: 'Duplicate',
  admin: 'Admin Action',
  policy: 'Policy Violation',
};

type Source = { provider: string; providerName: string | null };

/** The name in a chargeback's description; null for an operator's. */
export const sourceOf = ({ provider, providerName }: Source): string | null =>
  provider === MANUAL_PROVIDER ? null : (providerName ?? provider);

/** The label of a chargeback's provider. */
export const providerLabelOf = ({ provider, providerName }: Source): string =>
  provider === MANUAL_PROVIDER ? 'Manual' : (providerName ?? 'Unknown');

/** Reads the member's newest chargebacks, at most 200, newest first. */
export async function readChargebacks(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<Chargeback[]> {
  const rows = await readReversals(database, memberId, ROWS_MAX);
  return rows.map(({ seq, postedAt, amount, subject, reasonClass, transactionId, ...source }) => ({
    id: String(seq),
    createdAt: postedAt.toISOString(),
    amount: String(amount),
    description: describeMovement({ kind: 'reversal', subject, isScreenOut: false }, sourceOf(source)),
    provider: providerLabelOf(source),
    reason: reasonLabels[reasonClass],
    txId: transactionId,
  }));
}

/** @throws Refusal `not-found` unless the chargeback is the member's own */
export async function requireOwnChargeback(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
  id: string,
): Promise<void> {
  const found = rowId.safeParse(id).success
    ? await findReversedCredit(database, memberId, BigInt(id))
    : undefined;
  if (found === undefined) throw refuse('not-found');
}

/** Reads the earning of the member's chargeback with this id. @throws Refusal `not-found` */
export async function readReversedEarning(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
  id: string,
) {
  const found = await findReversedCredit(database, memberId, BigInt(id));
  if (found === undefined) throw refuse('not-found');
  const { seq, amount, subject, isScreenOut, providerName, postedAt, transactionId } = found;
  if (seq === null) return { id, earning: null };
  return {
    id,
    earning: {
      id: String(seq),
      amount: String(amount),
      description: describeMovement({ kind: 'earning', subject, isScreenOut }, providerName),
      createdAt: postedAt.toISOString(),
      txId: transactionId,
      sourceName: providerName,
      subject,
      isScreenOut,
    },
  };
}
