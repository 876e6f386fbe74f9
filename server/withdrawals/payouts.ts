import assert from 'node:assert/strict';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { tryLock } from '#platform/database-lock.ts';
import { announceReturn, type DecisionParts } from './decisions.ts';
import { failpoint } from './failpoint.ts';
import { findRail, setUpRail } from './payment-methods.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { PaymentStatus, Rail, StoredPayment } from './rails/rail.ts';
import { enqueueSweep } from './sweep-job.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/**
 * Pays approved withdrawals, each exactly once, through any rail. A payout is a row that moves through these states,
 * one conditional update per step. The process may die between any two steps:
 *
 *   queued     no payment exists; preparing one is safe, also repeatedly
 *   signed     the prepared payment is stored; from now on only this payment is sent
 *   broadcast  the outside party has the payment; sending it again is harmless
 *   confirmed  the payment is final                                                            (end)
 *   parked     the outside party refuses the payment; no other is sent until the reason is known
 *   failed     it can never be paid; the withdrawal is rejected and its points are returned    (end)
 *
 * A missing answer changes no state: the same step is tried again with growing delays. A database lock serialises the
 * sweeps of one method, so that two payments are never prepared from the same funds. The conditional updates, not the
 * lock, guarantee that a payout is paid once.
 */
export type PayoutParts = DecisionParts;

type Step = { next: Payout } | 'idle' | 'in trouble';

const BATCH = 50;
/**
 * After this many payouts in trouble the sweep ends, because the outside party is probably down. The next sweep
 * continues.
 */
const TROUBLES_MAX = 3;
const LONGEST_WAIT_S = 60;
const LONGEST_PARKED_WAIT_S = 600;
const OUR_FAULT = 'A fault on our side; see the log.';

/**
 * Advances each due payout as far as possible. Skips methods that another process is sweeping. After an abort it
 * finishes the current payout and leaves the others to the next sweep.
 */
export async function sweepPayouts(
  platform: PayoutParts,
  appUrl: string,
  signal?: AbortSignal,
): Promise<void> {
  for (const { method } of await queries.readDueMethods(platform.database)) {
    const lock = await tryLock(appUrl, `payouts ${method}`);
    if (!lock) continue;
    try {
      await sweepMethod(platform, method, () => lock.isHeld() && signal?.aborted !== true);
    } catch (error) {
      // The other methods are swept all the same, and the next sweep tries this one again.
      platform.log.error({ error, method }, 'the payouts of a method could not be swept');
    } finally {
      await lock.release();
    }
  }
}

async function sweepMethod(platform: PayoutParts, method: string, isHeld: () => boolean): Promise<void> {
  const setup = await setUpRail(platform, method);
  let troubles = 0;
  for (;;) {
    const due = await queries.readDuePayouts(platform.database, method, BATCH);
    if (due.length === 0) return;
    for (const payout of due) {
      if (!isHeld() || troubles >= TROUBLES_MAX) return;
      if (setup.kind === 'unusable') await postpone(platform, payout, setup.reason);
      else if (!(await advanceSafely(platform, setup.rail, payout, isHeld))) troubles += 1;
    }
  }
}

/** Advances a payout and catches its errors, so that it does not stop the others. False if the payout is in trouble. */
async function advanceSafely(
  platform: PayoutParts,
  rail: Rail,
  payout: Payout,
  isHeld: () => boolean,
): Promise<boolean> {
  try {
    return (await advance(platform, rail, payout, isHeld)) !== 'in trouble';
  } catch (error) {
    platform.log.error(
      { error, withdrawal: payout.withdrawalId, state: payout.state },
      'a payout step failed',
    );
    await postpone(platform, payout, OUR_FAULT);
    return false;
  }
}

/** Runs steps until the payout is finished, must wait, or is in trouble. */
async function advance(
  platform: PayoutParts,
  rail: Rail,
  first: Payout,
  isHeld: () => boolean,
): Promise<Step> {
  let payout = first;
  for (;;) {
    const step = await runStep(platform, rail, payout, isHeld);
    if (typeof step === 'string') return step;
    payout = step.next;
  }
}

function runStep(platform: PayoutParts, rail: Rail, payout: Payout, isHeld: () => boolean): Promise<Step> {
  switch (payout.state) {
    case 'queued':
      return prepare(platform, rail, payout, isHeld);
    case 'signed':
      return send(platform, rail, payout);
    case 'broadcast':
      return follow(platform, rail, payout);
    case 'parked':
      return investigate(platform, rail, payout);
    case 'confirmed':
    case 'failed':
      return Promise.resolve('idle');
  }
}

async function prepare(
  platform: PayoutParts,
  rail: Rail,
  payout: Payout,
  isHeld: () => boolean,
): Promise<Step> {
  const unfinished = await queries.readUnfinishedArtifacts(platform.database, payout.method);
  const outcome = await rail.prepare(
    payout,
    unfinished.map(({ artifact }) => artifact),
  );
  failpoint('after_sign');
  if (outcome.kind === 'refused') return fail(platform, payout, `The payout was refused: ${outcome.reason}`);
  if (outcome.kind === 'unavailable') return postpone(platform, payout, outcome.reason);
  if (outcome.kind === 'unreadable') {
    const other = unfinished.find(({ artifact }) => artifact === outcome.artifact);
    assert(other, 'a rail names one of the artifacts that it was given');
    return waitFor(platform, payout, other.withdrawalId, outcome.reason);
  }
  if (!isHeld()) return postpone(platform, payout, 'This node stopped before the payment was kept.');
  const next = await queries.storePayment(platform.database, payout.withdrawalId, outcome);
  failpoint('after_store');
  return next ? { next } : postpone(platform, payout, null);
}

/**
 * Postpones a payout because another one's stored payment can't be read. That payment may have been sent, and nobody
 * knows what it spends. A new payment of the same money would replace it or be lost, and then two members claim one
 * payment. Waiting costs only time, so all new payouts of the method wait. They go on once the artifact can be read, or
 * once the outside party knows the payment by its reference. It does not count as trouble, so payouts that were sent
 * before are still followed.
 */
async function waitFor(
  platform: PayoutParts,
  payout: Payout,
  otherId: string,
  reason: string,
): Promise<Step> {
  await queries.noteTrouble(platform.database, otherId, reason);
  await postpone(platform, payout, `This payout waits for payout ${otherId}. ${reason}`);
  return 'idle';
}

async function send(platform: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const payment = paymentOf(payout);
  const outcome = await rail.send(payment.artifact);
  failpoint('after_broadcast');
  if (outcome.kind === 'sent') return markBroadcast(platform, payout);
  if (outcome.kind === 'unknown') return postpone(platform, payout, outcome.reason);
  // The refusal may mean that this payment was sent and settled before.
  const status = await rail.inspect(payment);
  if (isKnown(status)) return markBroadcast(platform, payout);
  if (status.kind === 'unknown') return postpone(platform, payout, status.reason);
  return park(platform, payout, outcome.reason);
}

const isKnown = (status: PaymentStatus): boolean => status.kind === 'pending' || status.kind === 'settled';

async function markBroadcast(platform: PayoutParts, payout: Payout): Promise<Step> {
  const next = await queries.markBroadcast(platform.database, payout.withdrawalId);
  failpoint('after_mark_broadcast');
  return next ? { next } : postpone(platform, payout, null);
}

/** Checks a sent payment and confirms the payout when the payment is final. */
async function follow(platform: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const payment = paymentOf(payout);
  const status = await rail.inspect(payment);
  switch (status.kind) {
    case 'settled': {
      const { confirmed } = await platform.database.transaction((tx) =>
        queries.confirmPayout(tx, payout.withdrawalId),
      );
      failpoint('after_confirm');
      return confirmed ? 'idle' : postpone(platform, payout, null);
    }
    case 'pending':
      if (status.mayBeForgotten) await rail.send(payment.artifact);
      return postpone(platform, payout, null);
    case 'replaced':
    case 'failed':
      return park(platform, payout, status.reason);
    case 'absent':
      return rebroadcast(platform, rail, payout);
    case 'unknown':
      return postpone(platform, payout, status.reason);
  }
}

/** Sends the same payment again, because the outside party no longer knows it. */
async function rebroadcast(platform: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const outcome = await rail.send(paymentOf(payout).artifact);
  if (outcome.kind === 'sent') return postpone(platform, payout, null);
  if (outcome.kind === 'refused') return park(platform, payout, outcome.reason);
  return postpone(platform, payout, outcome.reason);
}

/**
 * Checks a parked payout. It returns to `broadcast` if the outside party has or accepts the payment, or if another
 * payment paid the member the same amount. It fails if the rail says that it can never be paid. Else it stays parked.
 */
async function investigate(platform: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const payment = paymentOf(payout);
  const status = await rail.inspect(payment);
  switch (status.kind) {
    case 'pending':
    case 'settled':
      return markBroadcast(platform, payout);
    case 'replaced':
      return settleRival(platform, payout, status);
    case 'failed':
      return fail(platform, payout, status.reason);
    case 'absent': {
      const outcome = await rail.send(payment.artifact);
      if (outcome.kind === 'sent') return markBroadcast(platform, payout);
      return postpone(platform, payout, status.reason ?? outcome.reason);
    }
    case 'unknown':
      return postpone(platform, payout, status.reason);
  }
}

/**
 * Adopts a rival payment that paid the member exactly the amount. An operator must settle any other rival, unless it
 * disappears.
 */
async function settleRival(
  platform: PayoutParts,
  payout: Payout,
  { by, isSame, reason }: Extract<PaymentStatus, { kind: 'replaced' }>,
): Promise<Step> {
  if (!isSame) return postpone(platform, payout, reason);
  const next = await queries.adoptPayment(platform.database, payout.withdrawalId, by);
  if (next === undefined) return postpone(platform, payout, `${by.reference} is another payout’s payment.`);
  const { withdrawalId: withdrawal } = payout;
  platform.log.warn({ withdrawal, reference: by.reference }, 'a payout was paid by another payment');
  return { next };
}

async function park(platform: PayoutParts, payout: Payout, reason: string): Promise<Step> {
  await queries.park(platform.database, payout.withdrawalId, reason);
  platform.log.error({ withdrawal: payout.withdrawalId, reason }, 'a payout is parked');
  return 'idle';
}

async function fail(platform: PayoutParts, payout: Payout, reason: string): Promise<Step> {
  const failed = await platform.database.transaction((tx) =>
    queries.failPayout(tx, payout.withdrawalId, payout.state, reason),
  );
  if (failed.status === 'failed') {
    platform.log.error({ withdrawal: payout.withdrawalId, reason }, 'a payout failed; its points are back');
    announceReturn(platform, failed);
    return 'idle';
  }
  return postpone(platform, payout, null);
}

/**
 * Delays the payout's next step. `trouble` is the reason for operators; null if there is none, for example if another
 * process changed the row.
 */
async function postpone(platform: PayoutParts, payout: Payout, trouble: string | null): Promise<Step> {
  const longestS = payout.state === 'parked' ? LONGEST_PARKED_WAIT_S : LONGEST_WAIT_S;
  await queries.postpone(platform.database, payout.withdrawalId, trouble, longestS);
  if (trouble === null) return 'idle';
  platform.log.warn({ withdrawal: payout.withdrawalId, state: payout.state, trouble }, 'a payout waits');
  return 'in trouble';
}

function paymentOf({ reference, artifact, destination, amountUnits }: Payout): StoredPayment {
  assert(reference !== null && artifact !== null, 'a signed payout has a payment');
  return { reference, artifact, destination, amountUnits };
}

/**
 * Advances a payout on an operator's request. A queued one is made due and left to the sweep, which holds the method's
 * lock. All other steps may run beside a sweep.
 * @throws Refusal `not-found`
 */
export async function syncWithdrawal(platform: PayoutParts, id: string): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const payout = await queries.findPayout(database, id);
  const rail = payout && (await findRail(platform, payout.method));
  if (payout && rail && payout.state !== 'queued') await advance(platform, rail, payout, () => true);
  if (payout?.state === 'queued') {
    await database.transaction(async (tx) => {
      await queries.makeDue(tx, id);
      await enqueueSweep(tx);
    });
  }
  return readWithdrawal(database, id);
}
