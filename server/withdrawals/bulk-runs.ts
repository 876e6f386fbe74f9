import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import type { Tx } from '#platform/database.ts';
import { Refusal } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import * as queries from './bulk-queries.ts';
import type { Decided, ObstacleFacts, ObstacleStatus } from './decision-queries.ts';
import { refusalOf } from './decision-refusals.ts';
import {
  announceReturn,
  approveIn,
  OUR_FAULT,
  type PayoutParts,
  priceRequest,
  rejectIn,
} from './decisions.ts';
import { failpoint } from './failpoint.ts';
import { flagOf, isToLookAt, lookFlagOf } from './flag-queries.ts';
import { announceWithdrawal } from './news.ts';
import { LOOK_FIRST } from './planned-decisions.ts';

/**
 * The work on stored decisions. Each row is decided in one transaction that locks it, makes the decision with its act,
 * and stores the result. So a node that dies leaves a row decided with its result or waiting, and two nodes decide none
 * twice. The time for which a worker keeps an act only saves useless work.
 */
const PIECE_ROWS = 20;
/** For the rows that another node decides at this moment. */
const OTHERS_MS = 200;
/** A turn of the sweep ends after this time, and the next one goes on. */
const TURN_MS = 40_000;

export const newWorker = (): string => randomUUID();

/** Decides the waiting rows of an act in their order, until it is finished, whoever decides the last one. */
export async function runAct(
  platform: PayoutParts,
  act: queries.BulkAct,
  worker: string,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await decideRows(platform, act, worker, signal);
  } finally {
    // Without effect on a finished act. If the database is away, the act is free after its time.
    await queries.leaveAct(platform.database, act.id, worker).catch((error: unknown) => {
      platform.log.warn({ error, act: act.id }, 'an act on many withdrawals was not left to others');
    });
  }
}

async function decideRows(
  platform: PayoutParts,
  act: queries.BulkAct,
  worker: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { database } = platform;
  const isStopped = () => signal?.aborted === true;
  while (!isStopped()) {
    const rows = (await queries.keepAct(database, act.id, worker))
      ? await queries.listWaiting(database, act.id, PIECE_ROWS)
      : [];
    let count = 0;
    for (const row of rows) if (!isStopped() && (await decideRow(platform, act, row))) count += 1;
    await queries.finishAct(database, act.id);
    const { finishedAt } = (await queries.findAct(database, act.id)) ?? { finishedAt: new Date() };
    if (finishedAt !== null) return;
    if (count === 0) await sleep(OTHERS_MS);
  }
}

type Ended = queries.EndedRow & { announce?: () => Promise<void> };

/**
 * Decides a row. A refusal or a failure of one, such as a balance that somebody else keeps locked, is its result and
 * does not stop the others. Returns whether this call decided it.
 */
async function decideRow(
  platform: PayoutParts,
  act: queries.BulkAct,
  { place, withdrawalId, isFirst }: queries.WaitingRow,
): Promise<boolean> {
  const { database, log } = platform;
  try {
    const decide = await prepare(platform, act, withdrawalId, isFirst);
    const ended = await database.transaction(async (tx) => {
      if (!(await queries.lockWaiting(tx, act.id, place))) return undefined;
      const result = (await findObstacle(tx, act, withdrawalId)) ?? (await decide(tx));
      await queries.endRow(tx, act.id, place, result);
      return result;
    });
    failpoint('after_bulk_row');
    await ended?.announce?.();
    return ended !== undefined;
  } catch (error) {
    if (!(error instanceof Refusal))
      log.error({ error, withdrawal: withdrawalId }, 'a withdrawal could not be decided');
    // Without effect if the transaction was committed after all. If the database is away, the row waits on.
    const reason = error instanceof Refusal ? error.message : OUR_FAULT;
    await queries.endRow(database, act.id, place, { state: 'failed', reason });
    return true;
  }
}

/** Reads what a decision needs before its transaction. */
async function prepare(
  platform: PayoutParts,
  { operatorId, decision, reason }: queries.BulkAct,
  id: string,
  isFirst: boolean,
): Promise<(tx: Tx) => Promise<Ended>> {
  if (decision === 'reject')
    return async (tx) => {
      const decided = await rejectIn(tx, operatorId, id, reason ?? '');
      if (decided.status !== 'rejected') return refused(decided);
      return { state: 'done', announce: () => announceReturn(platform, id, decided) };
    };
  const priced = await priceRequest(platform, id);
  return async (tx) => {
    const decided = await approveIn(tx, platform, operatorId, priced);
    // Takes the approval back with its transaction: who confirmed a first approval did not decide to pay.
    if (isFirst && decided.status === 'approved')
      throw new Refusal('totals-changed', sentence('first-approval-given'));
    if (decided.status === 'approved')
      return { state: 'done', announce: () => announceWithdrawal(platform, id) };
    return decided.isRecorded ? { state: 'first' } : refused(decided, decided);
  };
}

const refused = (decided: Decided, facts?: ObstacleFacts): Ended => ({
  state: 'failed',
  reason: refusalOf(decided, facts).message,
  flag: isObstacle(decided.status) ? flagOf[decided.status] : null,
});

const isObstacle = (status: Decided['status']): status is ObstacleStatus => status in flagOf;

/** What keeps an act from deciding a request though the request itself could be decided. */
async function findObstacle(tx: Tx, act: queries.BulkAct, id: string): Promise<Ended | undefined> {
  const { isOperator, looks } = await queries.readRowFacts(tx, act, id);
  if (!isOperator) return { state: 'failed', reason: sentence('no-operator-any-more') };
  const look = looks.find(isToLookAt);
  if (look === undefined || act.decision === 'reject' || act.isWithFlagged) return undefined;
  return { state: 'failed', reason: LOOK_FIRST, flag: lookFlagOf[look] };
}

/** Goes on with the acts that nobody works on: new ones that were answered at once, and those of nodes that ended. */
export async function sweepBulkActs(platform: PayoutParts, signal: AbortSignal): Promise<void> {
  const turn = AbortSignal.any([signal, AbortSignal.timeout(TURN_MS)]);
  for (const act of await queries.listAbandoned(platform.database)) {
    const worker = newWorker();
    if (turn.aborted) return;
    if (await queries.keepAct(platform.database, act.id, worker)) await runAct(platform, act, worker, turn);
  }
}

/** Deletes the results of acts that finished 30 days ago. */
export const deleteOldBulkActs = (
  { database }: Pick<PayoutParts, 'database'>,
  signal: AbortSignal,
): Promise<void> => removeInPieces(database, signal, (rowsMax) => queries.deleteOld(database, rowsMax));
