import assert from 'node:assert/strict';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { tryLock } from '#platform/database-lock.ts';
import { enqueue } from '#platform/jobs.ts';
import { coinText } from './coin-amount.ts';
import { announceReturn, type DecisionParts, readOne } from './decisions.ts';
import { failpoint } from './failpoint.ts';
import { findRail } from './payment-methods.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { Rail, RivalOutcome, SignOutcome } from './rails/rail.ts';

/**
 * Paying approved withdrawals, each exactly once. A payout is a row that moves through these states, one conditional
 * update a step, and any process may die between any two of them:
 *
 *   queued     nothing was made that could be paid; signing again is safe
 *   signed     id and bytes are stored, and from here on only these bytes are ever sent
 *   broadcast  the network has it; it may be sent again without harm, and is, until it is deep enough
 *   confirmed  deep enough in the chain                                                        (end)
 *   parked     its coins seem spent by another payment: nothing is sent but these bytes, until it is known
 *   failed     it can never be paid; the withdrawal is rejected and the points are back         (end)
 *
 * An answer that did not come changes no state: the same step is tried again, later and later. Sweeps of one
 * wallet take turns by a lock in the database, so that two signings never compete for coins; that a payout is
 * paid once does not rest on the lock but on the conditional updates.
 */
export type PayoutParts = DecisionParts;

type Step = { next: Payout } | 'rests' | 'in trouble';

const BATCH = 50;
/** After so many payouts of a sweep in trouble the others wait for the next one: the node is probably down. */
const TROUBLES_MAX = 3;
const LONGEST_WAIT_S = 60;
const LONGEST_PARKED_WAIT_S = 600;

/** How deep a payment must lie in the chain: the operator's setting, else 6 blocks in life and 1 in tests. */
async function confirmationsWanted({ database, config }: PayoutParts): Promise<number> {
  const setting = await queries.readConfirmationsWanted(database);
  return setting?.wanted ?? (config.mode === 'live' ? 6 : 1);
}

/**
 * Moves every payout that is due as far as it goes now. Wallets that another process works on are left to it. With an
 * aborted signal the payout under way comes to a resting place and the others wait for the next sweep.
 */
export async function sweepPayouts(parts: PayoutParts, appUrl: string, signal?: AbortSignal): Promise<void> {
  for (const { method } of await queries.readDueMethods(parts.database)) {
    const lock = await tryLock(appUrl, `payouts ${method}`);
    if (!lock) continue;
    try {
      await sweepMethod(parts, method, () => lock.isHeld() && signal?.aborted !== true);
    } finally {
      await lock.release();
    }
  }
}

async function sweepMethod(parts: PayoutParts, method: string, isHeld: () => boolean): Promise<void> {
  const rail = await findRail(parts, method);
  let troubles = 0;
  for (;;) {
    const due = await queries.readDuePayouts(parts.database, method, BATCH);
    if (due.length === 0) return;
    for (const payout of due) {
      if (!isHeld() || troubles >= TROUBLES_MAX) return;
      if (rail === undefined) await rest(parts, payout, 'No rail is set up for this method.');
      else if (!(await advanceSafely(parts, rail, payout, isHeld))) troubles += 1;
    }
  }
}

/** One payout's broken assumption must not stop the others; false if the payout is in trouble. */
async function advanceSafely(
  parts: PayoutParts,
  rail: Rail,
  payout: Payout,
  isHeld: () => boolean,
): Promise<boolean> {
  try {
    return (await advance(parts, rail, payout, isHeld)) !== 'in trouble';
  } catch (error) {
    parts.log.error({ error, withdrawal: payout.withdrawal_id, state: payout.state }, 'a payout step failed');
    await rest(parts, payout, 'A fault on our side; see the log.');
    return false;
  }
}

/** Takes step after step until the payout is done, must wait, or something is in the way. */
async function advance(parts: PayoutParts, rail: Rail, first: Payout, isHeld: () => boolean): Promise<Step> {
  let payout = first;
  for (;;) {
    const step = await take(parts, rail, payout, isHeld);
    if (typeof step === 'string') return step;
    payout = step.next;
  }
}

function take(parts: PayoutParts, rail: Rail, payout: Payout, isHeld: () => boolean): Promise<Step> {
  switch (payout.state) {
    case 'queued':
      return sign(parts, rail, payout, isHeld);
    case 'signed':
      return broadcast(parts, rail, payout);
    case 'broadcast':
      return confirm(parts, rail, payout);
    case 'parked':
      return investigate(parts, rail, payout);
    case 'confirmed':
    case 'failed':
      return Promise.resolve('rests');
  }
}

async function sign(parts: PayoutParts, rail: Rail, payout: Payout, isHeld: () => boolean): Promise<Step> {
  const reserved = await queries.readReservedInputs(parts.database, payout.method);
  const order = { address: payout.address, coinAmount: coinText(payout.coin_units) };
  const outcome: SignOutcome = await rail.sign(
    order,
    reserved.flatMap((one) => one.inputs),
  );
  failpoint('after_sign');
  if (outcome.kind === 'refused') return fail(parts, payout, `The payout was refused: ${outcome.reason}`);
  if (outcome.kind === 'unavailable') return rest(parts, payout, outcome.reason);
  if (!isHeld()) return rest(parts, payout, 'This node stopped before the payment was kept.');
  const next = await queries.storeSigned(parts.database, payout.withdrawal_id, outcome);
  failpoint('after_store');
  return next ? { next } : rest(parts, payout, null);
}

async function broadcast(parts: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const outcome = await rail.broadcast(bytesOf(payout));
  failpoint('after_broadcast');
  switch (outcome.kind) {
    case 'accepted':
    case 'already-mined':
      return isOut(parts, payout);
    case 'missing-inputs': {
      // This very payment may be long mined, and even spent on by the member.
      const status = await rail.status(idOf(payout));
      if (status.kind === 'known') return isOut(parts, payout);
      if (status.kind === 'unknown') return rest(parts, payout, status.reason);
      return park(parts, payout, outcome.reason);
    }
    case 'undecodable':
      return park(parts, payout, outcome.reason);
    case 'refused-by-policy':
    case 'unavailable':
    case 'unknown':
      return rest(parts, payout, outcome.reason);
  }
}

async function isOut(parts: PayoutParts, payout: Payout): Promise<Step> {
  const next = await queries.markBroadcast(parts.database, payout.withdrawal_id);
  failpoint('after_mark_broadcast');
  return next ? { next } : rest(parts, payout, null);
}

async function confirm(parts: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const status = await rail.status(idOf(payout));
  switch (status.kind) {
    case 'known':
      if (status.confirmations >= (await confirmationsWanted(parts))) {
        const { confirmed } = await parts.database.transaction((tx) =>
          queries.confirmPayout(tx, payout.withdrawal_id, status.confirmations),
        );
        failpoint('after_confirm');
        return confirmed ? 'rests' : rest(parts, payout, null);
      }
      // A node forgets what waits too long for a block; what it still knows it merely relays again.
      if (status.confirmations === 0) await rail.broadcast(bytesOf(payout));
      return rest(parts, payout, null, status.confirmations);
    case 'conflicted':
      return park(parts, payout, `Another payment spent its coins, ${status.depth} blocks deep.`);
    case 'absent':
      return repeat(parts, rail, payout);
    case 'unknown':
      return rest(parts, payout, status.reason);
  }
}

/** The wallet no longer knows the payment: the same bytes go out again. */
async function repeat(parts: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const outcome = await rail.broadcast(bytesOf(payout));
  if (outcome.kind === 'accepted' || outcome.kind === 'already-mined') return rest(parts, payout, null, 0);
  if (outcome.kind === 'missing-inputs') return park(parts, payout, outcome.reason);
  return rest(parts, payout, outcome.reason);
}

/**
 * A parked payout comes back if the network has it after all, or if another payment with its coins paid the member just
 * the same. It fails once a rival that did not pay the member lies as deep as a payment must to count, for then it can
 * never be mined. Until one of these is certain it stays parked.
 */
async function investigate(parts: PayoutParts, rail: Rail, payout: Payout): Promise<Step> {
  const status = await rail.status(idOf(payout));
  if (status.kind === 'known') return isOut(parts, payout);
  if (status.kind === 'unknown') return rest(parts, payout, status.reason);
  assert(payout.inputs && payout.signed_after_block, 'a parked payout has inputs and a place in the chain');
  const rival = await rail.findRival(payout.inputs, payout.signed_after_block, payout.address);
  if (rival.kind === 'rival' && rival.paidUnits > 0n) return judgePaid(parts, payout, rival);
  if (rival.kind === 'rival' && rival.depth >= (await confirmationsWanted(parts))) {
    return fail(parts, payout, 'The payout can’t be completed: its coins were spent otherwise.');
  }
  const outcome = await rail.broadcast(bytesOf(payout));
  if (outcome.kind === 'accepted' || outcome.kind === 'already-mined') return isOut(parts, payout);
  return rest(parts, payout, rival.kind === 'unknown' ? rival.reason : outcome.reason);
}

/**
 * Who was paid by another payment with the same coins gets no points back: one with exactly the amount becomes the
 * payout's own, as when an operator sent a stuck one anew by hand; any other amount is an operator's to settle.
 */
async function judgePaid(
  parts: PayoutParts,
  payout: Payout,
  rival: Extract<RivalOutcome, { kind: 'rival' }>,
): Promise<Step> {
  if (rival.transactionId === payout.transaction_id) return isOut(parts, payout);
  const { transactionId, paidUnits, depth } = rival;
  if (paidUnits !== payout.coin_units)
    return rest(parts, payout, `${transactionId} spent its coins and pays the same address another amount.`);
  if (depth === 0) return rest(parts, payout, `${transactionId} spent its coins and waits for a block.`);
  const next = await queries.adoptPayment(parts.database, payout.withdrawal_id, rival);
  if (next === undefined)
    return rest(parts, payout, `${transactionId} spent its coins and is another payout's payment.`);
  parts.log.warn({ withdrawal: payout.withdrawal_id, transactionId }, 'a payout was paid by another payment');
  return { next };
}

async function park(parts: PayoutParts, payout: Payout, reason: string): Promise<Step> {
  await queries.park(parts.database, payout.withdrawal_id, reason);
  parts.log.error({ withdrawal: payout.withdrawal_id, reason }, 'a payout is parked');
  return 'rests';
}

async function fail(parts: PayoutParts, payout: Payout, reason: string): Promise<Step> {
  const failed = await parts.database.transaction((tx) =>
    queries.failPayout(tx, payout.withdrawal_id, payout.state, reason, 'Withdrawal returned: payout failed'),
  );
  if (failed.status === 'failed') {
    parts.log.error({ withdrawal: payout.withdrawal_id, reason }, 'a payout failed; its points are back');
    announceReturn(parts, failed);
    return 'rests';
  }
  return rest(parts, payout, null);
}

/**
 * Leaves the payout as it is, to be looked at later; with a reason if something is in the way. So does a step
 * that found the row changed by another process, whose work it was then.
 */
async function rest(
  parts: PayoutParts,
  payout: Payout,
  trouble: string | null,
  confirmations: number | null = null,
): Promise<Step> {
  const longestS = payout.state === 'parked' ? LONGEST_PARKED_WAIT_S : LONGEST_WAIT_S;
  await queries.postpone(parts.database, payout.withdrawal_id, { trouble, confirmations, longestS });
  if (trouble === null) return 'rests';
  parts.log.warn({ withdrawal: payout.withdrawal_id, state: payout.state, trouble }, 'a payout waits');
  return 'in trouble';
}

function bytesOf(payout: Payout): string {
  assert(payout.bytes_hex, 'a signed payout has bytes');
  return payout.bytes_hex;
}

function idOf(payout: Payout): string {
  assert(payout.transaction_id, 'a signed payout has an id');
  return payout.transaction_id;
}

/**
 * Looks again what became of a payout, at an operator's wish. One that waits to be signed is left to the sweep, which
 * holds the wallet's lock; all other steps are harmless beside it.
 * @throws Refusal `not-found`
 */
export async function syncWithdrawal(parts: PayoutParts, id: string): Promise<OperatorWithdrawal> {
  const { database } = parts;
  const payout = await queries.findPayout(database, id);
  const rail = payout && (await findRail(parts, payout.method));
  if (payout && rail && payout.state !== 'queued') await advance(parts, rail, payout, () => true);
  if (payout?.state === 'queued') {
    await database.transaction(async (tx) => {
      await queries.makeDue(tx, id);
      await enqueue(tx, 'payouts.sweep', {}, 'payouts.sweep');
    });
  }
  return readOne(database, id);
}
