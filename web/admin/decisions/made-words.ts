import type { reviewFlags } from '#contract/access-registration-reviews.ts';
import type { ListedDecision } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import type { HoldReason } from '#contract/earning.ts';
import type { Screen } from '#contract/screens.ts';

/** Which words describe a decision, and where it was made. */

/** A new reason of a hold, or a new flag of a registration, needs its word here. */
const rules = {
  amount: 'amount',
  review: 'review',
  detection: 'detection',
  source: 'source',
  ceiling: 'ceiling',
  replay: 'replay',
  household: 'household',
  new_destination: 'new_destination',
  security_change: 'security_change',
  'shared-device': 'sharedDevice',
  'banned-member': 'bannedMember',
  'throwaway-mailbox': 'throwawayMailbox',
} as const satisfies Record<
  HoldReason | (typeof reviewFlags)[number] | 'new_destination' | 'security_change',
  string
>;

/** The word of a rule; null for a decision without one. A rule of another version has the word of others. */
export const ruleOf = ({ rule }: ListedDecision) =>
  rule === null ? null : (rules[rule as keyof typeof rules] ?? 'other');

/** The word of what lifts a decision. */
export function liftsOf({ kind, isOwnWord }: ListedDecision) {
  if (isBlock(kind)) return isOwnWord ? 'ownWord' : 'block';
  return kind === 'address_blocked' || kind === 'domain_blocked' ? 'siteBlock' : kind;
}

const PANEL = '/management-panel-x7k9w';

type Place = { to: Screen; search: Record<string, string> };

/** The screen on which a decision was made, open at its row where the list has it. */
export function placeOf({ id, kind, userId, about }: ListedDecision): Place {
  const [source, ...rest] = id.split('-');
  const row = rest.join('-');
  const member = { to: `${PANEL}/users/member`, search: { id: userId ?? '' } } as const;
  if (source === 'suspension') return { to: `${PANEL}/multi-account`, search: { status: 'all', open: row } };
  if (source === 'ban') return { to: `${PANEL}/chat-moderation`, search: { tab: 'bans' } };
  if (source === 'withdrawal') return { to: `${PANEL}/withdrawals`, search: { status: 'all', open: row } };
  if (source === 'registration')
    return { to: `${PANEL}/registrations`, search: { status: 'all', open: row } };
  if (source === 'block')
    return { to: `${PANEL}/fraud`, search: { tab: kind === 'address_blocked' ? 'ip' : 'domain', q: about } };
  return kind === 'earning_held' ? { to: `${PANEL}/approvals`, search: { open: row } } : member;
}
