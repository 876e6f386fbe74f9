import type { Act } from '#contract/acts.ts';
import type { WithdrawalBackground } from '#contract/withdrawals-background.ts';
import { listActsOn } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import { readNamesOf } from '../members/members.ts';
import type { RequestTimes } from './background-queries.ts';
import type { OperatorRow } from './queries.ts';

/**
 * What happened to a request: its own times, and the newest acts on it of the audit trail. A look at a payout changes
 * nothing and happens often, so those acts are without looks.
 */

type Step = WithdrawalBackground['steps'][number];

const ACTS_MAX = 50;
/** The acts by which a request ends so. A decision without one, of an older release, is a step by its own time. */
const actsOf = {
  approved: ['withdrawal.approve', 'payout.settle'],
  rejected: ['withdrawal.reject'],
  failed: ['payout.fail'],
} as const satisfies Partial<Record<Step['kind'], readonly Act[]>>;

export async function stepsOf(reader: Reader, row: OperatorRow, times: RequestTimes): Promise<Step[]> {
  const acts = await listActsOn(reader, { kind: 'withdrawal', id: row.id }, ACTS_MAX);
  const operatorIds = acts.flatMap(({ operatorId }) => (operatorId === null ? [] : [operatorId]));
  const operators = operatorIds.length === 0 ? [] : await readNamesOf(reader, [...new Set(operatorIds)]);
  const emailOf = (id: number) => operators.find((operator) => operator.id === id)?.email ?? String(id);
  const actSteps = acts.map(({ at, act, actor, operatorId, reason }) => ({
    at,
    kind: 'act' as const,
    act,
    by: operatorId === null ? actor : emailOf(operatorId),
    reason,
  }));
  const known = (Object.keys(actsOf) as (keyof typeof actsOf)[]).filter((kind) =>
    acts.some(({ act }) => (actsOf[kind] as readonly Act[]).includes(act)),
  );
  return [...ownSteps(row, times).filter(({ kind }) => !known.some((one) => one === kind)), ...actSteps]
    .sort((one, other) => one.at.getTime() - other.at.getTime())
    .map((step) => ({ ...step, at: step.at.toISOString() }));
}

/** The steps by the times of the request and its payout. */
function ownSteps(
  { createdAt, decidedAt, state, reason }: OperatorRow,
  { rejectionCode, payoutState, broadcastAt, finishedAt }: RequestTimes,
): (Omit<Step, 'at'> & { at: Date })[] {
  const step = (kind: Step['kind'], at: Date | null, why: string | null = null) =>
    at === null ? [] : [{ kind, at, act: null, by: null, reason: why }];
  return [
    ...step('requested', createdAt),
    ...(state === 'approved' ? step('approved', decidedAt) : []),
    ...(rejectionCode === 'operator' ? step('rejected', decidedAt, reason) : []),
    ...(payoutState === 'failed' ? [] : step('sent', broadcastAt)),
    ...(payoutState === 'confirmed' ? step('confirmed', finishedAt) : []),
    ...(rejectionCode === 'cancelled' ? step('cancelled', decidedAt) : []),
    ...(rejectionCode === 'failed' ? step('failed', finishedAt ?? decidedAt, reason) : []),
  ];
}
