import assert from 'node:assert/strict';
import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import { type Lease, takeLease, takeLeaseWithin } from '#platform/leases.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import { requireNotOwn } from '../members/members.ts';
import { findOwnerOf, findRecordedOwner, findRecordedPayment } from './accounted-queries.ts';
import type { PayoutParts } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { setUpRailToAct } from './payment-methods.ts';
import { type Possible, parkUnprepared, turnNameOf } from './payout-queries.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { Rail, StoredPayment } from './rails/rail.ts';
import { rails } from './rails/registry.ts';
import { readWithdrawalRow } from './withdrawal-list.ts';

/**
 * What all steps of payouts share: the turn at a method, of a sweep or of an operator's act, and the ends of a step
 * that leave the payout unfinished.
 */

/** What an operator does about a payout, or about a request that may be paid already, and why. */
export type OperatorAct = { platform: PayoutParts; operatorId: number; id: string; reason: string };

/**
 * `reference` names the payment that paid, as the operator says. `acceptedAmount` is what it paid, as decimal text, to
 * accept an amount that is not the expected one.
 */
export type AcceptingAct = OperatorAct & { reference: string; acceptedAmount?: string | undefined };

/** A turn at the payouts of one method: the parts, and the lease that allows its writes. */
export type Turn = PayoutParts & { readonly lease: Lease };

/** How long a turn may take, after which time it ends by itself, and how long its lease lasts without a renewal. */
export type SweepLimits = { turnMsMax?: number; shareMs?: number; leaseMs?: number };

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
    ...rails.map(({ id }) => id).filter((id) => inTrouble.has(turnNameOf(id))),
  ]);
}

const LEASE_WAIT_MS_MAX = 4_000;

/**
 * Takes the turn at a method for an operator. A sweep has it for a shorter time, if the outside party answers.
 * @throws Refusal `payout-busy`
 */
export async function takeTurn(platform: PayoutParts, method: string): Promise<Lease> {
  const lease = await takeLeaseWithin(LEASE_WAIT_MS_MAX, () => takeLease(platform, turnNameOf(method)));
  if (lease === undefined) throw refuse('payout-busy');
  return lease;
}

/**
 * Runs an operator's act on a withdrawal in the turn of its method, and announces the withdrawal after it. The rail is
 * set up before. One that can't be set up, and whose method was given up after a restore, answers nothing. Nobody acts
 * on a request of their own.
 * @throws Refusal `not-found`, `own-request`, `payout-unavailable`, `payout-busy`
 */
export async function actInTurn(
  { platform, operatorId, id }: OperatorAct,
  work: (turn: { row: queries.OperatorRow; rail: Rail; lease: Lease }) => Promise<void>,
): Promise<void> {
  const row = await readWithdrawalRow(platform.database, id);
  await requireNotOwn(platform.database, operatorId, [row.memberId]);
  const setup = await setUpRailToAct(platform, row.method);
  if (setup.kind === 'unusable') throw refuse('payout-unavailable', setup.reason);
  const lease = await takeTurn(platform, row.method);
  try {
    await work({ row, rail: setup.rail, lease });
  } finally {
    await lease.release();
  }
  await announceWithdrawal(platform, id);
}

/** The refusal of an act for which the operator must see other payments than before. */
export const refuseUnseen = ({ references, reason }: Pick<Possible, 'references' | 'reason'>): Refusal =>
  refuse('payout-unclear', reason, { txIds: references });

/**
 * Refuses to call a payment another one's that paid this withdrawal by the record of sent payments, also where the
 * outside party does not show it: an account that is lost shows none. It is settled by the record then.
 * @throws Refusal `payout-unclear`
 */
export async function refuseRecorded(
  reader: Reader,
  withdrawalId: string,
  references: readonly string[],
): Promise<void> {
  const own = await findRecordedPayment(reader, withdrawalId, references);
  if (own === undefined) return;
  throw refuse('payout-unclear', sentence('payment-recorded-here', own));
}

/**
 * Refuses a payment that another payout accounts for, or that paid another withdrawal by the record of sent payments.
 * `replace_payment` and the constraint `payouts_reference` refuse the first as well.
 * @throws Refusal `payment-mismatch`
 */
export async function refuseTaken(
  reader: Reader,
  payout: { method: string; destination: string; withdrawalId: string },
  reference: string,
): Promise<void> {
  const owner = await findOwnerOf(reader, payout, reference);
  if (owner === undefined) {
    const recorded = await findRecordedOwner(reader, payout, reference);
    if (recorded === undefined) return;
    throw refuse('payment-mismatch', sentence('payment-of-withdrawal', recorded));
  }
  const { withdrawalId, isFailed } = owner;
  throw refuse(
    'payment-mismatch',
    sentence(isFailed ? 'payment-of-failed-withdrawal' : 'payment-of-withdrawal', { withdrawalId }),
  );
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

/** Delays the payout's next step for a trouble of its own, while the outside party is well. Others go on. */
export async function postponeAlone(turn: Turn, payout: Payout, trouble: string | null): Promise<Step> {
  await postpone(turn, payout, trouble);
  return 'idle';
}
