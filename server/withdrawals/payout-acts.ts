import { setTimeout as sleep } from 'node:timers/promises';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Payout as PayoutReply } from '#contract/withdrawals-payouts.ts';
import { type RecordedAct, recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { checkLease, type Lease, takeLease } from '#platform/leases.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import type { Returned } from './decision-queries.ts';
import { announceReturn } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { findRail, setUpRail } from './payment-methods.ts';
import { type Comparison, comparePayout } from './payout-comparison.ts';
import { readPayout } from './payout-list.ts';
import { clearPayout, replacePayment } from './payout-queries.ts';
import { findPayment, leaseOf, type PayoutParts } from './payout-turn.ts';
import { advance } from './payouts.ts';
import * as queries from './queries.ts';
import type { PaymentStatus, Rail } from './rails/rail.ts';
import { enqueueSweep } from './sweep-job.ts';
import { readWithdrawal, readWithdrawalRow } from './withdrawal-list.ts';

/**
 * What an operator can do about a payout that is not done: check it now, retry it, give it up and return its points, or
 * name the payment that paid it. Retry, give up and settle ask the rail first. Each has the lease of the method and is
 * one row of the audit trail. Nobody retries, gives up or settles a payout of their own.
 * Points return only if the payment was certainly not made and can't be made any more.
 */
const LEASE_TRIED_EVERY_MS = 200;
const LEASE_TRIES_MAX = 10;

type Act = { platform: PayoutParts; operatorId: number; id: string; reason: string };
type Work = { payout: queries.Payout; rail: Rail; lease: Lease };

/** Runs an act with the lease of the payout's method, which a sweep holds for a moment only. */
async function inTurn(
  { platform, operatorId, id }: Act,
  work: (parts: Work) => Promise<void>,
): Promise<PayoutReply> {
  const found = await queries.findPayout(platform.database, id);
  if (found === undefined) throw refuse('not-found');
  if ((await readWithdrawalRow(platform.database, id)).memberId === operatorId) throw refuse('own-request');
  const setup = await setUpRail(platform, found.method);
  if (setup.kind === 'unusable') throw refuse('payout-unavailable', setup.reason);
  let lease = await takeLease(platform, leaseOf(found.method));
  for (let tries = 1; lease === undefined && tries < LEASE_TRIES_MAX; tries += 1) {
    await sleep(LEASE_TRIED_EVERY_MS);
    lease = await takeLease(platform, leaseOf(found.method));
  }
  if (lease === undefined) throw refuse('payout-busy');
  try {
    const payout = await queries.findPayout(platform.database, id);
    if (payout === undefined || payout.state === 'confirmed' || payout.state === 'failed')
      throw refuse('payout-finished');
    await work({ payout, rail: setup.rail, lease });
  } finally {
    await lease.release();
  }
  await announceWithdrawal(platform, id);
  return readPayout(platform.database, id);
}

/** Writes an act and its row of the audit trail in one transaction, on condition of the lease. */
function write(
  act: Act,
  name: RecordedAct['act'],
  { payout, lease }: Work,
  change: (tx: Tx) => Promise<object>,
) {
  const { operatorId, id: target, reason } = act;
  return act.platform.database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) throw refuse('payout-busy');
    const after = { ...(await change(tx)) };
    const before = { state: payout.state, reference: payout.reference, trouble: payout.trouble };
    await recordActs(tx, [{ operatorId, act: name, target, reason, before, after }]);
  });
}

/**
 * Tries a payout again now. For one that may be paid already, the operator says that the listed payments are others.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`
 */
export const retryPayout = (act: Act): Promise<PayoutReply> =>
  inTurn(act, async (work) => {
    const { payout, rail } = work;
    const mustClear = payout.state === 'parked' && payout.artifact === null;
    const comparison = mustClear ? await comparePayout(act.platform.database, rail, payout) : undefined;
    if (comparison?.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
    await write(act, 'payout.retry', work, async (tx) => {
      const references = comparison?.kind === 'possible' ? comparison.references : [];
      if (mustClear) await clearPayout(tx, act.id, references);
      await queries.makeDue(tx, act.id);
      await enqueueSweep(tx);
      return mustClear ? { state: 'queued', cleared: references } : { state: payout.state };
    });
  });

/**
 * Gives a payout up that was certainly not paid and can't be, and returns its points.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`
 */
export async function failPayout(act: Act): Promise<PayoutReply> {
  const { platform } = act;
  let returned: Returned | undefined;
  const reply = await inTurn(act, async (work) => {
    const { payout, rail, lease } = work;
    const fault = await findDoubt(platform, rail, payout);
    if (fault) throw fault;
    await write(act, 'payout.fail', work, async (tx) => {
      if (payout.state !== 'queued' && payout.state !== 'parked')
        await queries.park(tx, lease, act.id, act.reason);
      const seenState = payout.state === 'queued' ? 'queued' : 'parked';
      const failed = await queries.failPayout(tx, act.id, seenState, act.reason);
      if (failed.status !== 'failed') throw refuse('payout-busy');
      returned = failed;
      return { state: 'failed' };
    });
  });
  if (returned) await announceReturn(platform, act.id, returned);
  return reply;
}

/** Why points may not return: a payment may have been made, or may still be made. */
async function findDoubt(
  platform: PayoutParts,
  rail: Rail,
  payout: queries.Payout,
): Promise<Refusal | undefined> {
  const comparison: Comparison = await comparePayout(platform.database, rail, payout);
  if (comparison.kind === 'unknown') return refuse('payout-unavailable', comparison.reason);
  if (comparison.kind === 'possible') return refuse('payout-unclear', comparison.reason);
  const payment = findPayment(payout);
  const status = payment && (await rail.inspect(payment));
  return status && !isImpossible(status) ? refuse('payout-unclear') : undefined;
}

const isImpossible = ({ kind }: PaymentStatus): boolean => kind === 'failed' || kind === 'lapsed';

/**
 * Makes a payment that an operator names the payout's own. It must pay the recipient exactly the amount, belong to no
 * other payout, and leave the payout's own payment impossible.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`, `payment-mismatch`
 */
export const settlePayout = (act: Act & { reference: string }): Promise<PayoutReply> =>
  inTurn(act, async (work) => {
    const { payout, rail, lease } = work;
    const reference = act.reference.toLowerCase() === payout.reference ? payout.reference : act.reference;
    const found = await rail.find(reference, payout.destination);
    if (found.kind === 'unknown') throw refuse('payout-unavailable', found.reason);
    if (found.kind === 'absent') throw refuse('payment-mismatch', found.reason);
    if (found.paidUnits !== payout.amountUnits) throw refuse('payment-mismatch');
    const own = findPayment(payout);
    if (own && own.reference !== found.payment.reference) {
      const status = await rail.inspect(own);
      const isReplaced = status.kind === 'replaced' && status.by.reference === found.payment.reference;
      if (!isReplaced && !isImpossible(status)) throw refuse('payout-unclear');
    }
    await write(act, 'payout.settle', work, async (tx) => {
      const settled = await replacePayment(tx, lease, payout, found.payment, act.reason);
      if (settled === undefined) throw refuse('payment-mismatch', 'Another payout has this payment.');
      await enqueueSweep(tx);
      return { state: 'broadcast', reference: found.payment.reference };
    });
  });

/**
 * Advances a payout on an operator's request. If it is queued, or the method has its turn already, the payout is made
 * due and left to the sweep.
 * @throws Refusal `not-found`
 */
export async function syncWithdrawal(
  platform: PayoutParts,
  id: string,
  operatorId: number | null = null,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const found = await queries.findPayout(database, id);
  if (found === undefined) return readWithdrawal(database, id);
  const check = { operatorId, act: 'payout.check' as const, target: id };
  const rail = found.state === 'queued' ? undefined : await findRail(platform, found.method);
  const lease = rail && (await takeLease(platform, leaseOf(found.method)));
  if (rail && lease) {
    try {
      await database.transaction((tx) => recordActs(tx, [check]));
      const payout = await queries.findPayout(database, id);
      if (payout) await advance({ ...platform, lease }, rail, payout);
    } finally {
      await lease.release();
    }
  } else {
    await database.transaction(async (tx) => {
      await recordActs(tx, [check]);
      await queries.makeDue(tx, id);
      await enqueueSweep(tx);
    });
  }
  return readWithdrawal(database, id);
}
