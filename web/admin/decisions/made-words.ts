import type { ListedDecision } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import type { Screen } from '#contract/screens.ts';

/** Which words describe a decision, and the screen where it was made. */

const rules = {
  amount: 'amount',
  review: 'review',
  source: 'source',
  ceiling: 'ceiling',
  replay: 'replay',
  new_destination: 'new_destination',
  security_change: 'security_change',
  'shared-device': 'sharedDevice',
  'banned-member': 'bannedMember',
} as const;

/** The word of a rule; null for a decision without one. A rule of another version has the word of others. */
export const ruleOf = ({ rule }: ListedDecision) =>
  rule === null ? null : (rules[rule as keyof typeof rules] ?? 'other');

/** The word of what lifts a decision. */
export function liftsOf({ kind }: ListedDecision) {
  if (isBlock(kind)) return 'block';
  return kind === 'address_blocked' || kind === 'domain_blocked' ? 'siteBlock' : kind;
}

type Source = 'suspension' | 'ban' | 'earning' | 'withdrawal' | 'registration' | 'block';
const screens: Record<Source, Screen> = {
  suspension: '/management-panel-x7k9w/multi-account',
  ban: '/management-panel-x7k9w/chat-moderation',
  earning: '/management-panel-x7k9w/approvals',
  withdrawal: '/management-panel-x7k9w/withdrawals',
  registration: '/management-panel-x7k9w/registrations',
  block: '/management-panel-x7k9w/fraud',
};

export const screenOf = ({ id }: ListedDecision): Screen => screens[id.split('-')[0] as Source];
