import { type Refusal, refuse } from '#platform/refusal.ts';
import type { Decided } from './decision-queries.ts';
import type { WithdrawalState } from './queries.ts';

/** The refusal of a decision that changed nothing, or that would change nothing. */
export function refusalOf({ status, state }: Decided, holdUntil: Date | null = null): Refusal {
  switch (status) {
    case 'not_found':
      return refuse('not-found');
    case 'suspended':
      return refuse('withdrawals-suspended', 'Withdrawals of this member are suspended.');
    case 'disowned':
      return refuse('withdrawal-disowned');
    case 'in_debt':
      return refuse('member-in-debt');
    case 'on_hold':
      return refuse('address-on-hold', undefined, { holdUntil: holdUntil?.toISOString() ?? null });
    case 'own_request':
      return refuse('own-request');
    case 'second_operator_needed':
      return refuse('second-operator-needed');
    case 'capped':
      return refuse('payout-capped');
    case 'in_check':
      return refuse('withdrawal-in-check');
    case 'halted':
      return refuse('payout-halted');
    case 'sent':
      return refuse('already-sent');
    default:
      return alreadyDecided(state);
  }
}

export function alreadyDecided(state: WithdrawalState | null): Refusal {
  const stated = state === 'pending' ? 'is pending' : `was ${state} already`;
  return refuse('already-decided', `This withdrawal ${stated}.`);
}
