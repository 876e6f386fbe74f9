import assert from 'node:assert/strict';
import { type Lease, takeLease, takeLeaseWithin } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import type { DecisionParts } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { leaseOf, type Possible, parkUnprepared } from './payout-queries.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { StoredPayment } from './rails/rail.ts';
import { rails } from './rails/registry.ts';

/** What all steps of payouts share: the turn at a method, and the ends of a step that leave the payout unfinished. */
export type PayoutParts = DecisionParts;

/** What an operator does about a payout, or about a request that may be paid already, and why. */
export type OperatorAct = { platform: PayoutParts; operatorId: number; id: string; reason: string };

/** A turn at the payouts of one method: the parts, and the lease that allows its writes. */
export type Turn = PayoutParts & { readonly lease: Lease };

/** How long a turn may take, and how long its lease lasts without a renewal. */
export type SweepLimits = { turnMsMax?: number; leaseMs?: number };

/** The name under which health knows the payouts of a method. */
export const partOf = (method: string): string => `payouts-${method}`;

/**
 * Reads the methods with due payouts, and adds those that could not be swept before: another node may have done their
 * work, and without a turn their trouble would stay.
 */
export async function readMethodsToSweep({
  database,
  health,
}: Pick<PayoutParts, 'database' | 'health'>): Promise<Set<string>> {
  const due = await queries.readDueMethods(database);
  const inTrouble = new Set(health.troubles().map(({ name }) => name));
  return new Set([
    ...due.map(({ method }) => method),
    ...rails.map(({ id }) => id).filter((id) => inTrouble.has(partOf(id))),
  ]);
}

const LEASE_WAIT_MS_MAX = 2_000;

/**
 * Takes the turn at a method for an operator's act. A sweep has it for a moment only.
 * @throws Refusal `payout-busy`
 */
export async function takeTurn(platform: PayoutParts, method: string): Promise<Lease> {
  const lease = await takeLeaseWithin(LEASE_WAIT_MS_MAX, () => takeLease(platform, leaseOf(method)));
  if (lease === undefined) throw refuse('payout-busy');
  return lease;
}

export type Step = { next: Payout } | 'idle' | 'in trouble';

const LONGEST_WAIT_S = 60;
export const LONGEST_PARKED_WAIT_S = 600;

/** The stored payment of a payout. Undefined if none was prepared. */
export function findPayment(payout: Payout): StoredPayment | undefined {
  const { reference, artifact, destination, amountUnits } = payout;
  return reference === null || artifact === null
    ? undefined
    : { reference, artifact, destination, amountUnits };
}

export function readPayment(payout: Payout): StoredPayment {
  const payment = findPayment(payout);
  assert(payment, 'a signed payout has a payment');
  return payment;
}

/** Parks a payout whose stored payment the outside party refuses. */
export async function park(turn: Turn, payout: Payout, reason: string): Promise<Step> {
  return parked(
    turn,
    payout,
    reason,
    await queries.park(turn.database, turn.lease, payout.withdrawalId, reason),
  );
}

/** Parks a payout without a stored payment, because it may have been paid already. */
export async function parkPossible(turn: Turn, payout: Payout, possible: Possible): Promise<Step> {
  const row = await parkUnprepared(turn.database, turn.lease, payout.withdrawalId, possible);
  return parked(turn, payout, possible.reason, row);
}

async function parked(turn: Turn, payout: Payout, reason: string, row: unknown): Promise<Step> {
  if (row === undefined) return postpone(turn, payout, null);
  turn.log.error({ withdrawal: payout.withdrawalId, reason }, 'a payout is parked');
  await announceWithdrawal(turn, payout.withdrawalId);
  return 'idle';
}

/**
 * Delays the payout's next step. `trouble` is the reason for operators; null if there is none, for example if another
 * process changed the row.
 */
export async function postpone(turn: Turn, payout: Payout, trouble: string | null): Promise<Step> {
  const longestS = payout.state === 'parked' ? LONGEST_PARKED_WAIT_S : LONGEST_WAIT_S;
  await queries.postpone(turn.database, turn.lease, payout.withdrawalId, trouble, longestS);
  if (trouble === null) return 'idle';
  turn.log.warn({ withdrawal: payout.withdrawalId, state: payout.state, trouble }, 'a payout waits');
  return 'in trouble';
}

const IN_DEBT =
  'The member’s balance is below zero. The payment waits until new points fill it, or until an operator gives it up.';

/**
 * Postpones a payout whose member came into debt after the approval. Undefined if the member is not in debt. The debt
 * says nothing about the outside party, so it does not count as trouble, and other members are paid.
 */
export async function postponeInDebt(turn: Turn, payout: Payout): Promise<Step | undefined> {
  const { isInDebt } = await queries.readIsInDebt(turn.database, payout.withdrawalId);
  if (!isInDebt) return undefined;
  await postpone(turn, payout, IN_DEBT);
  return 'idle';
}
