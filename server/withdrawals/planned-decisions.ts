import { sentence } from '#contract/operator-sentences.ts';
import type { StayReason } from '#contract/withdrawals-bulk.ts';
import { Refusal } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import { type Bounds, type PendingWithdrawal, type Planning, readPending } from './decision-queries.ts';
import { refusalOf } from './decision-refusals.ts';
import { flagOf, isToLookAt, lookFlagOf } from './flag-queries.ts';
import { type QuoteParts, quoteNow, sharedSource } from './quotes.ts';

/**
 * What the calls on all pending requests decide: the plan that an operator confirms, and that the call makes anew. Each
 * request is judged as `withdrawals.approve` and `reject` do, in their order, so that a cap counts the approvals before
 * it. The decision itself asks again under its locks.
 */
export type Plan = { deciding: Deciding[]; staying: Staying[] };
type Deciding = { row: PendingWithdrawal; isFirst: boolean };
type Staying = { row: PendingWithdrawal; reason: StayReason; text: string };
type Judged = { isFirst: boolean } | { reason: StayReason; text: string };

/** Plans an approval and a rejection of pending withdrawals, of one snapshot. */
export async function planDecisions(
  platform: QuoteParts,
  operatorId: number,
  planning: Planning,
): Promise<{ approval: Plan; rejection: Plan }> {
  const { database, config } = platform;
  const bounds = boundsOf(await readSettings(database, config.mode));
  const pending = await readPending(database, operatorId, bounds, planning);
  const quotes = sharedSource(platform);
  const dayOf = countDay(bounds);
  const needsSecond = countAlone(bounds);
  const [approval, rejection]: [Plan, Plan] = [noPlan(), noPlan()];
  for (const row of pending) {
    add(rejection, row, judgeRejection(row));
    const unpaid = await findUnpaid(() => quoteNow(quotes, row));
    add(approval, row, unpaid ?? judgeApproval(row, { dayOf, needsSecond }, planning.withFlagged));
  }
  return { approval, rejection };
}

/** What operators read of a request that was left out because of a look. */
export const LOOK_FIRST = sentence('look-first');

const noPlan = (): Plan => ({ deciding: [], staying: [] });

function add({ deciding, staying }: Plan, row: PendingWithdrawal, judged: Judged): void {
  if ('text' in judged) staying.push({ row, ...judged });
  else deciding.push({ row, ...judged });
}

/** Why nothing can pay a request now; undefined if something can. */
async function findUnpaid(quote: () => Promise<unknown>): Promise<Judged | undefined> {
  try {
    await quote();
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { reason: error.code === 'rate-unavailable' ? 'no-rate' : 'no-rail', text: error.message };
  }
}

function judgeRejection({ rejectionObstacle: status }: PendingWithdrawal): Judged {
  if (status === null) return { isFirst: false };
  return { reason: flagOf[status], text: refusalOf({ status, state: 'pending' }).message };
}

type Cap = 'member_day' | 'method_day';
/** The cap that an approval would pass after those of the plan. It counts one that passes none. */
type Day = (row: PendingWithdrawal) => { cap: Cap; capPoints: bigint; usedPoints: bigint } | undefined;

function judgeApproval(
  row: PendingWithdrawal,
  { dayOf, needsSecond }: { dayOf: Day; needsSecond: Alone },
  withFlagged: boolean,
): Judged {
  const { obstacle: status, dayEndsAt, looks } = row;
  const isFirst = status === 'first_approval' || (status === null && needsSecond.isReached(row));
  if (status !== null && !isFirst)
    return { reason: flagOf[status], text: refusalOf({ status, state: 'pending' }, row).message };
  const look = looks.find(isToLookAt);
  if (look !== undefined && !withFlagged) return { reason: lookFlagOf[look], text: LOOK_FIRST };
  if (isFirst) return { isFirst };
  const passed = dayOf(row);
  if (passed === undefined) {
    needsSecond.count(row);
    return { isFirst: false };
  }
  const facts = { holdUntil: null, capEndsAt: dayEndsAt, ...passed };
  return { reason: 'over-cap', text: refusalOf({ status: 'capped', state: 'pending' }, facts).message };
}

/** Whether an approval would reach the sum for two people after those of the plan, which it counts. */
type Alone = { isReached(row: PendingWithdrawal): boolean; count(row: PendingWithdrawal): void };

/**
 * Counts the approvals of a plan into what the operator approves alone on this day: the rule of
 * `withdrawals.needs_second_operator`, with the approvals of this plan added. A second approval is not alone.
 */
function countAlone({ secondPersonPoints }: Bounds): Alone {
  let planned = 0n;
  return {
    isReached: ({ isSecond, approvedAlonePoints, amountPoints }) =>
      secondPersonPoints !== null &&
      !isSecond &&
      (approvedAlonePoints ?? 0n) + planned + amountPoints >= secondPersonPoints,
    count: ({ isSecond, amountPoints }) => {
      if (!isSecond) planned += amountPoints;
    },
  };
}

/** Counts the approvals of a plan into the caps of the day. The member's cap is asked before the method's. */
function countDay({ memberDayPoints, methodDayPoints }: Bounds): Day {
  const planned = new Map<string, bigint>();
  return ({ memberId, method, amountPoints, memberUsedPoints, methodUsedPoints }) => {
    const caps = [
      { cap: 'member_day', key: String(memberId), capPoints: memberDayPoints, used: memberUsedPoints },
      { cap: 'method_day', key: method, capPoints: methodDayPoints, used: methodUsedPoints },
    ] as const;
    for (const { cap, key, capPoints, used } of caps) {
      const usedPoints = (used ?? 0n) + (planned.get(key) ?? 0n);
      if (capPoints !== null && usedPoints + amountPoints > capPoints) return { cap, capPoints, usedPoints };
    }
    for (const { key } of caps) planned.set(key, (planned.get(key) ?? 0n) + amountPoints);
    return undefined;
  };
}
