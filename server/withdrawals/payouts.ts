import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import { checkLease, takeLease } from '#platform/leases.ts';
import { inTime } from '#platform/repeat.ts';
import { announceNotices } from '../notices/notices.ts';
import { isNamed } from './accounted-queries.ts';
import { announceReturn, OUR_FAULT, type PayoutParts } from './decisions.ts';
import { failpoint } from './failpoint.ts';
import { announceWithdrawal } from './news.ts';
import { setUpRail } from './payment-methods.ts';
import { comparePayout } from './payout-comparison.ts';
import { compareToEnd, endHalt } from './payout-halt.ts';
import { adoptRival, takeMade } from './payout-own-payments.ts';
import { notePossible, replacePayment, turnNameOf } from './payout-queries.ts';
import { postponeForMember, postponeStopped, reportPause } from './payout-stop.ts';
import {
  findPayment,
  park,
  parkPossible,
  postpone,
  postponeAlone,
  readMethodsToSweep,
  readPayment,
  type Step,
  type SweepLimits,
  type Turn,
} from './payout-turn.ts';
import { investigateUnprepared } from './payout-unprepared.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { PaymentStatus, Rail } from './rails/rail.ts';
import { holdIfReadable, nameUnaccounted, reconcileMethod, reportRestore } from './reconciliation.ts';
import { recordSentPayment } from './sent-payments.ts';
import { verifyTimeline } from './timelines.ts';

/**
 * Pays approved withdrawals, each exactly once, through any rail. A payout is a row that moves through these states,
 * one conditional update per step. The process may die between any two steps:
 *
 *   queued     no payment exists; preparing one is safe, also repeatedly
 *   signed     the prepared payment is stored; from now on only this payment is sent
 *   broadcast  the outside party has the payment; sending it again is harmless
 *   confirmed  the payment is final                                                            (end)
 *   parked     the outside party refuses the payment, or the payout may be paid already, or its approval may have been
 *              taken back before a restore; nothing is sent until that is known
 *   failed     it can never be paid; the withdrawal is rejected and its points are returned    (end)
 *
 * A missing answer changes no state: the same step is tried again with growing delays. A lease serialises the steps of
 * one method, so that two payments are never prepared from the same funds, and every step's write is conditional on the
 * lease. The conditional updates of the states, not the lease, guarantee that a payout is paid once: sending a stored
 * payment late is harmless.
 */

const BATCH = 50;
/**
 * After this many payouts in trouble the sweep ends, because the outside party is probably down. The next sweep
 * continues. A trouble that is a payout's own does not count.
 */
const TROUBLES_MAX = 3;
/** A turn that has not ended by then is stuck, and is given up. A sweep begins no other turn after half of it. */
const TURN_MS_MAX = 120_000;
const GIVEN_UP = sentence('step-timed-out');
/**
 * A turn ends with the payout that it is at after this time. The gap before the next turn is longer than an operator's
 * act waits between two tries for the lease, so that a long queue does not keep operators out.
 */
const SHARE_MS = 1_500;
const GAP_MS = 400;

/**
 * Advances each due payout as far as possible. Skips methods that another process is sweeping. After an abort it
 * finishes the current payout and leaves the others to the next sweep.
 */
export async function sweepPayouts(
  platform: PayoutParts,
  signal?: AbortSignal,
  limits: SweepLimits = {},
): Promise<void> {
  const { health, log } = platform;
  await verifyTimeline(platform);
  await reportPause(platform);
  await holdIfReadable(platform);
  // Another database may just have been found, and the sweep may take minutes. At the end it has compared the payments.
  await reportRestore(platform);
  for (const method of await readMethodsToSweep(platform)) {
    try {
      await sweepInTurns(platform, method, signal, limits);
      health.report(turnNameOf(method), undefined);
    } catch (error) {
      // The other methods are swept all the same, and the next sweep tries this one again.
      log.error({ error, method }, 'the payouts of a method could not be swept');
      health.report(turnNameOf(method), sentence('sweep-failed'));
    }
  }
  await reportRestore(platform);
  await nameUnaccounted(platform);
}

/**
 * Sweeps one method in turns, each holding its lease. A turn that does not end in its time is given up: its lease is
 * given back, so that its late writes change nothing and the next turn can begin. The payout that it was at is
 * postponed before, so that it does not keep the others waiting.
 */
async function sweepInTurns(
  platform: PayoutParts,
  method: string,
  signal: AbortSignal | undefined,
  { turnMsMax = TURN_MS_MAX, shareMs = SHARE_MS, leaseMs }: SweepLimits,
): Promise<void> {
  const startedAtMs = performance.now();
  const sweep: Sweep = { method, signal, shareMs, troubled: new Set() };
  for (;;) {
    const lease = await takeLease(platform, turnNameOf(method), { lastsMs: leaseMs });
    if (!lease) return;
    let isRestLeft: boolean;
    try {
      isRestLeft = await inTime(takeShare({ ...platform, lease }, sweep), turnMsMax);
    } catch (error) {
      if (sweep.payout) await postpone({ ...platform, lease }, sweep.payout, GIVEN_UP);
      throw error;
    } finally {
      await lease.release();
    }
    // The next sweep goes on with the rest, so that a long queue is not taken for a sweep that is stuck.
    if (!isRestLeft || performance.now() - startedAtMs > turnMsMax / 2) return;
    await sleep(GAP_MS);
  }
}

/** `payout` is the one that the sweep is at. `troubled` are those whose outside party may be down. */
type Sweep = {
  method: string;
  signal: AbortSignal | undefined;
  shareMs: number;
  troubled: Set<string>;
  payout?: Payout | undefined;
};

/** Advances the due payouts of one method for a time, but at least one. Returns whether it has to go on. */
async function takeShare(turn: Turn, sweep: Sweep): Promise<boolean> {
  const { method, signal, shareMs } = sweep;
  let isShareTaken = false;
  const startedAtMs = performance.now();
  const setup = await setUpRail(turn, method);
  await reconcileMethod(turn, method, setup);
  // Without the lease no step changes a row, so the same payouts would stay due.
  while (await turn.database.transaction((tx) => checkLease(tx, turn.lease))) {
    const due = await queries.readDuePayouts(turn.database, method, BATCH);
    if (due.length === 0) return false;
    for (const payout of due) {
      if (!turn.lease.isHeld() || signal?.aborted || sweep.troubled.size >= TROUBLES_MAX) return false;
      if (isShareTaken) return true;
      sweep.payout = payout;
      if (setup.kind === 'unusable') await postpone(turn, payout, setup.reason);
      else if (!(await advanceSafely(turn, setup.rail, payout))) sweep.troubled.add(payout.withdrawalId);
      sweep.payout = undefined;
      isShareTaken = performance.now() - startedAtMs > shareMs;
    }
  }
  return false;
}

/** Advances a payout and catches its errors, so that it does not stop the others. False if the payout is in trouble. */
async function advanceSafely(turn: Turn, rail: Rail, payout: Payout): Promise<boolean> {
  try {
    return (await advance(turn, rail, payout)) !== 'in trouble';
  } catch (error) {
    turn.log.error({ error, withdrawal: payout.withdrawalId, state: payout.state }, 'a payout step failed');
    await postpone(turn, payout, OUR_FAULT);
    return false;
  }
}

/** Runs steps until the payout is finished, must wait, or is in trouble. */
export async function advance(turn: Turn, rail: Rail, first: Payout): Promise<Step> {
  let payout = first;
  for (;;) {
    const step = await runStep(turn, rail, payout);
    if (typeof step === 'string') return step;
    payout = step.next;
    await announceWithdrawal(turn, payout.withdrawalId);
  }
}

function runStep(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  switch (payout.state) {
    case 'queued':
      return prepare(turn, rail, payout);
    case 'signed':
      return send(turn, rail, payout);
    case 'broadcast':
      return follow(turn, rail, payout);
    case 'parked':
      return investigate(turn, rail, payout);
    case 'confirmed':
    case 'failed':
      return Promise.resolve('idle');
  }
}

async function prepare(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  if (payout.haltedBy !== null) {
    const end = await endHalt(turn, rail, payout);
    return end.kind === 'unknown' && end.isOwn !== true ? 'in trouble' : 'idle';
  }
  const stopped = async () =>
    (await postponeForMember(turn, payout)) ?? (await postponeStopped(turn, payout));
  // One that a payment names is stopped and parked for it. Also during a pause: a comparison prepares nothing.
  const isOwn = await isNamed(turn.database, payout.withdrawalId);
  const waits = isOwn ? undefined : await stopped();
  if (waits !== undefined) return waits;
  const reasonToWait = await reconcileMethod(turn, payout.method, { kind: 'usable', rail });
  if (reasonToWait !== undefined) return postpone(turn, payout, reasonToWait);
  const comparison = await comparePayout(turn.database, rail, payout);
  if (comparison.kind === 'unknown')
    return (comparison.isOwn ? postponeAlone : postpone)(turn, payout, comparison.reason);
  if (comparison.kind === 'made') return takeMade(turn, payout, comparison.payment);
  if (comparison.kind === 'possible') return parkPossible(turn, payout, comparison);
  const stillWaits = isOwn ? await stopped() : undefined;
  if (stillWaits !== undefined) return stillWaits;
  const unfinished = await queries.readUnfinishedArtifacts(turn.database, payout.method);
  const artifactsOf = (isSent: boolean) =>
    unfinished.filter((one) => one.isSent === isSent).map(({ artifact }) => artifact);
  const outcome = await rail.prepare(payout, artifactsOf(false), artifactsOf(true));
  failpoint('after_sign');
  if (outcome.kind === 'refused')
    return fail(turn, payout, `${sentence('payout-refused')} ${outcome.reason}`);
  if (outcome.kind === 'unavailable') return postpone(turn, payout, outcome.reason);
  if (outcome.kind === 'unreadable') {
    const other = unfinished.find(({ artifact }) => artifact === outcome.artifact);
    assert(other, 'a rail names one of the artifacts that it was given');
    return waitFor(turn, payout, other.withdrawalId, outcome.reason);
  }
  const next = await queries.storePayment(turn.database, turn.lease, payout, outcome);
  failpoint('after_store');
  return next ? { next } : ((await postponeForMember(turn, payout)) ?? postpone(turn, payout, null));
}

/**
 * Postpones a payout because another one's stored payment can't be read. That payment may have been sent, and nobody
 * knows what it spends. A new payment of the same money would replace it or be lost, and then two members claim one
 * payment. Waiting costs only time, so all new payouts of the method wait. They go on once the artifact can be read, or
 * once the outside party knows the payment by its reference. It does not count as trouble, so payouts that were sent
 * before are still followed.
 */
async function waitFor(turn: Turn, payout: Payout, otherId: string, reason: string): Promise<Step> {
  await queries.noteTrouble(turn.database, turn.lease, otherId, reason);
  await postpone(turn, payout, `${sentence('waits-for-payout', { payoutId: otherId })} ${reason}`);
  return 'idle';
}

async function send(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  const payment = readPayment(payout);
  const waits = await postponeStopped(turn, payout);
  if (waits !== undefined) return waits;
  await recordSentPayment(turn, payout, payment.reference);
  failpoint('after_mark');
  const outcome = await rail.send(payment.artifact);
  failpoint('after_broadcast');
  if (outcome.kind === 'sent') return markBroadcast(turn, payout);
  if (outcome.kind === 'unknown') return postpone(turn, payout, outcome.reason);
  // The refusal may mean that this payment was sent and settled before.
  const status = await rail.inspect(payment);
  if (isKnown(status)) return markBroadcast(turn, payout);
  if (status.kind === 'unknown') return postpone(turn, payout, status.reason);
  return park(turn, payout, outcome.reason);
}

const isKnown = (status: PaymentStatus): boolean => status.kind === 'pending' || status.kind === 'settled';

async function markBroadcast(turn: Turn, payout: Payout): Promise<Step> {
  const next = await queries.markBroadcast(turn.database, turn.lease, payout.withdrawalId);
  failpoint('after_mark_broadcast');
  return next ? { next } : postpone(turn, payout, null);
}

/** Checks a sent payment and confirms the payout when the payment is final. */
async function follow(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  const payment = readPayment(payout);
  const status = await rail.inspect(payment);
  switch (status.kind) {
    case 'settled': {
      const memberId = await turn.database.transaction(async (tx) =>
        (await checkLease(tx, turn.lease))
          ? (await queries.confirmPayout(tx, payout.withdrawalId)).memberId
          : null,
      );
      failpoint('after_confirm');
      if (memberId === null) return postpone(turn, payout, null);
      await announceWithdrawal(turn, payout.withdrawalId);
      await announceNotices(turn, memberId);
      return 'idle';
    }
    case 'pending':
      return status.mayBeForgotten
        ? rebroadcast(turn, rail, payout, status.reason)
        : postponeAlone(turn, payout, status.reason);
    case 'replaced':
    case 'failed':
      return park(turn, payout, status.reason);
    case 'lapsed':
      return prepareAnew(turn, payout, status.reason);
    case 'absent': {
      const unlisted = sentence('payment-unlisted');
      return rebroadcast(
        turn,
        rail,
        payout,
        `${unlisted}${status.reason === null ? '' : ` ${status.reason}`}`,
      );
    }
    case 'unknown':
      return postpone(turn, payout, status.reason);
  }
}

/**
 * Sends the same payment again, because the outside party does not know it or may drop it. `trouble` says what is wrong
 * with it. A refusal alone is no reason to park a payment that the outside party still lists.
 */
async function rebroadcast(turn: Turn, rail: Rail, payout: Payout, trouble: string | null): Promise<Step> {
  const payment = readPayment(payout);
  const outcome = await rail.send(payment.artifact);
  if (outcome.kind === 'sent') return postponeAlone(turn, payout, trouble);
  const refused = `${sentence('sent-again-refused')} ${outcome.reason}`;
  const isListed = outcome.kind === 'unknown' || isKnown(await rail.inspect(payment));
  const reason = trouble === null ? refused : `${trouble} ${refused}`;
  return isListed ? postpone(turn, payout, reason) : park(turn, payout, reason);
}

/**
 * Checks a parked payout. It returns to `broadcast` if the outside party has or accepts the payment, or if another
 * payment paid the member the same amount. It fails if the rail says that it can never be paid. Else it stays parked.
 * One without a stored payment may have been paid already (`payout-unprepared.ts`).
 */
async function investigate(turn: Turn, rail: Rail, payout: Payout): Promise<Step> {
  const payment = findPayment(payout);
  if (payment === undefined) return investigateUnprepared(turn, rail, payout);
  const status = await rail.inspect(payment);
  switch (status.kind) {
    case 'pending':
    case 'settled':
      return markBroadcast(turn, payout);
    case 'replaced':
      return adoptRival(turn, payout, status);
    case 'failed':
      return failUnpaid(turn, rail, payout, status.reason);
    case 'lapsed':
      return prepareAnew(turn, payout, status.reason);
    case 'absent': {
      const waits = await postponeStopped(turn, payout);
      if (waits !== undefined) return waits;
      const outcome = await rail.send(payment.artifact);
      if (outcome.kind === 'sent') return markBroadcast(turn, payout);
      return postpone(turn, payout, status.reason ?? outcome.reason);
    }
    case 'unknown':
      return postpone(turn, payout, status.reason);
  }
}

/** Queues a payout again, because its stored payment can certainly never be made. */
async function prepareAnew(turn: Turn, payout: Payout, reason: string): Promise<Step> {
  const next = await replacePayment(turn.database, turn.lease, payout, null, reason);
  if (next === undefined) return postpone(turn, payout, null);
  const { withdrawalId: withdrawal, reference } = payout;
  turn.log.warn({ withdrawal, reference, reason }, 'a payment can never be made; another one is prepared');
  return { next };
}

/** Fails a parked payout, unless another payment may have paid it, which an operator must decide. */
async function failUnpaid(turn: Turn, rail: Rail, payout: Payout, reason: string): Promise<Step> {
  const comparison = await compareToEnd(turn, rail, payout);
  if (comparison.kind === 'clear') return fail(turn, payout, reason);
  if (comparison.kind === 'made') return takeMade(turn, payout, comparison.payment);
  if (comparison.kind === 'unknown' && comparison.isOwn !== true)
    return postpone(turn, payout, comparison.reason);
  if (comparison.kind === 'possible')
    await notePossible(turn.database, turn.lease, payout.withdrawalId, comparison);
  return postponeAlone(turn, payout, comparison.reason);
}

async function fail(turn: Turn, payout: Payout, reason: string): Promise<Step> {
  const failed = await turn.database.transaction(async (tx) =>
    (await checkLease(tx, turn.lease))
      ? queries.failPayout(tx, payout.withdrawalId, payout.state, reason)
      : undefined,
  );
  if (failed?.status === 'failed') {
    turn.log.error({ withdrawal: payout.withdrawalId, reason }, 'a payout failed; its points are back');
    await announceReturn(turn, payout.withdrawalId, failed);
    return 'idle';
  }
  return postpone(turn, payout, null);
}
