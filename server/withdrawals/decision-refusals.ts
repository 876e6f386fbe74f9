import assert from 'node:assert/strict';
import { sentence } from '#contract/operator-sentences.ts';
import type { Cap } from '#contract/withdrawals-decisions.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import type { Decided, ObstacleFacts } from './decision-queries.ts';
import type { WithdrawalState } from './queries.ts';

const noFacts: ObstacleFacts = {
  holdUntil: null,
  cap: null,
  capPoints: null,
  usedPoints: null,
  capEndsAt: null,
};

/**
 * The refusal of a decision that changed nothing, or that would change nothing. `isRecorded` says of
 * `second-operator-needed` that this call recorded the first approval.
 */
export function refusalOf(
  { status, state }: Decided,
  facts: ObstacleFacts & { isRecorded?: boolean } = noFacts,
): Refusal {
  switch (status) {
    case 'not_found':
      return refuse('not-found');
    case 'suspended':
      return refuse('withdrawals-suspended', sentence('withdrawals-suspended'));
    case 'disowned':
      return refuse('withdrawal-disowned');
    case 'in_debt':
      return refuse('member-in-debt');
    case 'on_hold':
      return refuse('address-on-hold', undefined, { holdUntil: facts.holdUntil?.toISOString() ?? null });
    case 'own_request':
      return refuse('own-request');
    case 'first_approval':
    case 'second_operator_needed':
      return refuse('second-operator-needed', undefined, { isRecorded: facts.isRecorded ?? false });
    case 'capped':
      return capRefusal(facts);
    case 'in_check':
      return refuse('withdrawal-in-check');
    case 'points_in_check':
      return refuse('points-in-check');
    case 'halted':
      return refuse('payout-halted');
    case 'sent':
      return refuse('already-sent');
    default:
      return alreadyDecided(state);
  }
}

const capNames = { member_day: 'memberDay', method_day: 'methodDay' } as const;
const capSentences = { memberDay: 'cap-of-member', methodDay: 'cap-of-method' } as const;

/** The cap of the day that an approval would pass; null if it would pass none. */
export function capOf({ cap, capPoints, usedPoints, capEndsAt }: ObstacleFacts): Cap | null {
  if (cap === null) return null;
  assert(capPoints !== null && usedPoints !== null && capEndsAt !== null, 'a cap has a sum and an end');
  const sums = { points: String(capPoints), usedPoints: String(usedPoints) };
  return { name: capNames[cap], ...sums, endsAt: capEndsAt.toISOString() };
}

function capRefusal(facts: ObstacleFacts): Refusal {
  const cap = capOf(facts);
  assert(cap, 'a capped request names its cap');
  const { name, points, usedPoints, endsAt } = cap;
  const detail = sentence(capSentences[name], { capPoints: points, usedPoints });
  return refuse('payout-capped', `${detail} ${sentence('cap-ends', { endAt: endsAt })}`, { cap });
}

export function alreadyDecided(state: WithdrawalState | null): Refusal {
  const stated = state === 'pending' ? 'is pending' : `was ${state} already`;
  return refuse('already-decided', `This withdrawal ${stated}.`);
}
