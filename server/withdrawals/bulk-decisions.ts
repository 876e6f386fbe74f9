import type { ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { leavingOutFlags, type WithdrawalFlag } from '#contract/withdrawals.ts';
import type * as contract from '#contract/withdrawals-bulk.ts';
import type { BulkOrder, MethodTotals, PlannedDecisions, StayReason } from '#contract/withdrawals-bulk.ts';
import { digestOf } from '#platform/digest.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './bulk-queries.ts';
import { newWorker, runAct } from './bulk-runs.ts';
import { readFreeBalances } from './days.ts';
import { alreadyDecided } from './decision-refusals.ts';
import type { PayoutParts } from './decisions.ts';
import { inPlanTurn } from './plan-turns.ts';
import { type Plan, planDecisions } from './planned-decisions.ts';
import type { QuoteParts } from './quotes.ts';
import { enqueueBulkRun } from './sweep-job.ts';

/**
 * Decisions on many pending withdrawals. The plan is stored as an act with its rows before the first decision, and the
 * rows are decided one by one (`bulk-runs.ts`), by this call or, if it answers at once, by the sweep.
 */
type BulkResult = ReplyOf<typeof contract.approveAllWithdrawals>;
type Wanted = { operatorId: number; decision: 'approve' | 'reject'; reason: string | null; order: BulkOrder };

/**
 * Stores what is decided, oldest first, and what stays.
 * @throws Refusal `not-found`, and `totals-changed` if others would be decided than the operator saw
 */
async function storeAct(
  platform: PayoutParts,
  { operatorId, decision, reason, order }: Wanted,
  worker: string | null,
): Promise<queries.BulkAct> {
  const { database } = platform;
  const { ids, withFlagged = false } = order;
  const make = () => planDecisions(platform, operatorId, { ids, withFlagged });
  // A plan of chosen requests is bounded by their number.
  const plans = ids === undefined ? await inPlanTurn(platform, operatorId, make) : await make();
  // Read after the plan: what it left out was decided before, so its state here is the decision.
  const known = ids === undefined ? [] : await queries.readKnown(database, ids);
  if (ids !== undefined && known.length < new Set(ids).size) throw refuse('not-found');
  const plan = decision === 'approve' ? plans.approval : plans.rejection;
  const { deciding, staying } = plan;
  const points = pointsOf(plan);
  requireExpected(plan, order);
  const planned = new Set([...deciding, ...staying].map(({ row }) => row.id));
  const decidedBefore = known.filter(({ id }) => !planned.has(id));
  const act = {
    operatorId,
    decision,
    isWithFlagged: withFlagged,
    reason,
    rowCount: deciding.length,
    points,
  };
  return database.transaction(async (tx) => {
    const stored = await queries.insertAct(tx, act, worker);
    await queries.insertRows(tx, stored.id, [
      ...decidedBefore.map(({ id, state }) => ({
        id,
        state: 'failed' as const,
        reason: alreadyDecided(state).message,
      })),
      ...staying.map(({ row, reason, text }) => ({
        id: row.id,
        state: 'stayed' as const,
        reason: text,
        flag: reason === 'no-rail' || reason === 'no-rate' ? undefined : reason,
      })),
      ...deciding.map(({ row, isFirst }) => ({
        id: row.id,
        state: 'waiting' as const,
        reason: null,
        isFirst,
      })),
    ]);
    if (worker === null) await enqueueBulkRun(tx);
    return stored;
  });
}

const pointsOf = ({ deciding }: Plan): bigint =>
  deciding.reduce((sum, { row }) => sum + row.amountPoints, 0n);

/**
 * Names the requests that a plan decides, in whatever order, and which of them get a first approval, which pays
 * nothing. Two sets of requests may have the same number and sum.
 */
const nameOf = ({ deciding }: Plan): string =>
  digestOf(
    deciding
      .map(({ row, isFirst }) => (isFirst ? `${row.id}:first` : row.id))
      .sort()
      .join(' '),
  );

/** @throws Refusal `totals-changed` */
function requireExpected(plan: Plan, order: BulkOrder): void {
  const { expectedCount, expectedPoints, expectedDigest } = order;
  const isExpected =
    (expectedCount === undefined || plan.deciding.length === expectedCount) &&
    (expectedPoints === undefined || pointsOf(plan) === BigInt(expectedPoints)) &&
    (expectedDigest === undefined || nameOf(plan) === expectedDigest);
  if (!isExpected) throw refuse('totals-changed');
}

async function decideMany(platform: PayoutParts, wanted: Wanted): Promise<BulkResult> {
  const worker = wanted.order.answersAtOnce ? null : newWorker();
  const act = await storeAct(platform, wanted, worker);
  if (worker !== null) await runAct(platform, act, worker);
  return resultOf(act, await queries.listRows(platform.database, act.id));
}

function resultOf(act: queries.BulkAct, rows: readonly queries.ResultRow[]): BulkResult {
  const idsOf = (state: queries.RowState) =>
    rows.filter((row) => row.state === state).map(({ withdrawalId }) => withdrawalId);
  const [staying, first] = [idsOf('stayed'), idsOf('first')];
  return {
    processed: idsOf('done').length,
    failed: rows.flatMap((row) =>
      row.reason === null
        ? []
        : [
            {
              id: row.withdrawalId,
              reason: isLeftOut(act, row.flag) ? FLAGGED : row.reason,
              detail: row.reason,
              flag: row.flag,
              userName: fullNameOf(row),
              amount: String(row.amountPoints),
              method: row.method,
            },
          ],
    ),
    ...(staying.length > 0 && { stayingIds: staying }),
    ...(first.length > 0 && { firstApprovedIds: first }),
    actId: act.id,
  };
}

/** The reason of a request that is left out because of a flag. Clients compare it. */
const FLAGGED = 'flagged';
const isLeftOut = ({ decision, isWithFlagged }: queries.BulkAct, flag: WithdrawalFlag | null): boolean =>
  decision === 'approve' && !isWithFlagged && flag !== null && leavingOutFlags.includes(flag);

/**
 * Approves pending withdrawals that nothing stands against. Those that need two operators get their first approval and
 * are listed apart. Those that should be looked at are left out, unless the order names them.
 * @throws Refusal `not-found`, `totals-changed`
 */
export const approveAllWithdrawals = (
  platform: PayoutParts,
  operatorId: number,
  order: BulkOrder = { withFlagged: true },
): Promise<BulkResult> => decideMany(platform, { operatorId, decision: 'approve', reason: null, order });

/**
 * Rejects pending withdrawals that nothing stands against, with one reason.
 * @throws Refusal `not-found`, `totals-changed`
 */
export const rejectAllWithdrawals = (
  platform: PayoutParts,
  operatorId: number,
  reason: string,
  order: BulkOrder = {},
): Promise<BulkResult> => decideMany(platform, { operatorId, decision: 'reject', reason, order });

/**
 * Reads what an operator confirms: how many requests and points each call would decide, why the others stay, and what
 * the accounts hold to pay them.
 * @throws Refusal `rate-limited`
 */
export async function readPlannedDecisions(
  platform: QuoteParts,
  operatorId: number,
  withFlagged = false,
): Promise<ReplyOf<typeof contract.readPlannedDecisions>> {
  const { approval, rejection } = await inPlanTurn(platform, operatorId, () =>
    planDecisions(platform, operatorId, { withFlagged }),
  );
  const balances = await readFreeBalances(platform.database);
  return { approval: plannedOf(approval), rejection: plannedOf(rejection), balances };
}

function plannedOf(plan: Plan): PlannedDecisions {
  const { deciding, staying } = plan;
  const counts = new Map<StayReason, number>();
  for (const { reason } of staying) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    count: deciding.length,
    points: String(pointsOf(plan)),
    digest: nameOf(plan),
    firstCount: deciding.filter(({ isFirst }) => isFirst).length,
    methods: methodsOf(deciding),
    staying: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
  };
}

function methodsOf(deciding: Plan['deciding']): MethodTotals[] {
  const totals = new Map<string, { count: number; points: bigint }>();
  for (const { row } of deciding) {
    const { count, points } = totals.get(row.method) ?? { count: 0, points: 0n };
    totals.set(row.method, { count: count + 1, points: points + row.amountPoints });
  }
  return [...totals]
    .sort(([, one], [, other]) => (one.points < other.points ? 1 : -1))
    .map(([method, { count, points }]) => ({ method, count, points: String(points) }));
}
