import type { ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import type * as contract from '#contract/withdrawals-decisions.ts';
import type { ExpectedTotals, PlannedDecisions, StayReason } from '#contract/withdrawals-decisions.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import type { PendingWithdrawal } from './decision-queries.ts';
import { approveWithdrawal, OUR_FAULT, type PayoutParts, rejectWithdrawal } from './decisions.ts';
import { type Plan, planDecisions } from './planned-decisions.ts';
import type { QuoteParts } from './quotes.ts';

/** Decisions on all pending withdrawals, and what they would decide now. */
type BulkResult = ReplyOf<typeof contract.approveAllWithdrawals>;

/**
 * Decides the withdrawals of a plan one by one, oldest first. A refusal or a failure of one, such as a balance that
 * somebody else keeps locked, is listed with those that stay, and does not stop the others.
 * @throws Refusal `totals-changed` if others would be decided than the operator saw
 */
async function decideAll(
  { log }: PayoutParts,
  { deciding, staying }: Plan,
  { expectedCount, expectedPoints }: ExpectedTotals,
  decide: (id: string) => Promise<unknown>,
): Promise<BulkResult> {
  const points = deciding.reduce((sum, { row }) => sum + row.amountPoints, 0n);
  if (deciding.length !== (expectedCount ?? deciding.length)) throw refuse('totals-changed');
  if (points !== BigInt(expectedPoints ?? points)) throw refuse('totals-changed');
  const result: BulkResult = {
    processed: 0,
    failed: staying.map(({ row, refusal }) => failed(row, refusal)),
    ...(staying.length > 0 && { stayingIds: staying.map(({ row }) => row.id) }),
  };
  for (const { row } of deciding) {
    const { id } = row;
    try {
      await decide(id);
      result.processed += 1;
    } catch (error) {
      if (isFirstApproval(error)) {
        result.firstApprovedIds = [...(result.firstApprovedIds ?? []), id];
        continue;
      }
      if (!(error instanceof Refusal))
        log.error({ error, withdrawal: id }, 'a withdrawal could not be decided');
      result.failed.push(failed(row, error));
    }
  }
  return result;
}

const failed = (row: PendingWithdrawal, error: unknown): BulkResult['failed'][number] => ({
  id: row.id,
  reason: error instanceof Refusal ? error.message : OUR_FAULT,
  userName: fullNameOf(row),
  amount: String(row.amountPoints),
  method: row.method,
});

/** Whether an approval was refused because it was recorded as the first of two. */
const isFirstApproval = (error: unknown): boolean =>
  error instanceof Refusal && error.extensions.isRecorded === true;

/**
 * Approves all pending withdrawals that nothing stands against. Those that need two operators get their first approval
 * and are listed apart.
 * @throws Refusal `totals-changed`
 */
export async function approveAllWithdrawals(
  platform: PayoutParts,
  operatorId: number,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  const { approval } = await planDecisions(platform, operatorId);
  return decideAll(platform, approval, expected, (id) => approveWithdrawal(platform, operatorId, id));
}

/**
 * Rejects all pending withdrawals that nothing stands against, with one reason.
 * @throws Refusal `totals-changed`
 */
export async function rejectAllWithdrawals(
  platform: PayoutParts,
  operatorId: number,
  reason: string,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  const { rejection } = await planDecisions(platform, operatorId);
  return decideAll(platform, rejection, expected, (id) => rejectWithdrawal(platform, operatorId, id, reason));
}

/** Reads what an operator confirms: how many requests and points each call would decide, and why the others stay. */
export async function readPlannedDecisions(
  platform: QuoteParts,
  operatorId: number,
): Promise<{ approval: PlannedDecisions; rejection: PlannedDecisions }> {
  const { approval, rejection } = await planDecisions(platform, operatorId);
  return { approval: plannedOf(approval), rejection: plannedOf(rejection) };
}

function plannedOf({ deciding, staying }: Plan): PlannedDecisions {
  const counts = new Map<StayReason, number>();
  for (const { reason } of staying) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return {
    count: deciding.length,
    points: String(deciding.reduce((sum, { row }) => sum + row.amountPoints, 0n)),
    firstCount: deciding.filter(({ isFirst }) => isFirst).length,
    staying: [...counts]
      .map(([reason, count]) => ({ reason, count }))
      .sort((one, other) => other.count - one.count),
  };
}
