import { screenOfTarget } from '#contract/acts.ts';
import type { FinishedAudit } from '#contract/ledger-books.ts';
import type { Screen } from '#contract/screens.ts';

/** Where what an audit found is looked into, and what an operator does about it. */

type Difference = FinishedAudit['differences'][number];

/**
 * What to do, by what differs: rows of the ledger itself, a fact and its movement, a kept count, a time that a wrong
 * clock wrote, a payment, the trail of acts.
 */
export type Advice = 'ledger' | 'fact' | 'count' | 'clock' | 'payout' | 'payment' | 'trail';

const advices: Record<string, Advice> = {
  wallets: 'ledger',
  chains: 'ledger',
  rules: 'ledger',
  keys: 'ledger',
  'account-days': 'ledger',
  'trial-balance': 'ledger',
  'account-days-end': 'clock',
  'payout-due-times': 'clock',
  'rate-times': 'clock',
  leases: 'clock',
  'earning-accounts': 'count',
  'approval-totals': 'count',
  'reversal-sums': 'count',
  'referral-totals': 'count',
  'grant-totals': 'count',
  'withdrawal-counts': 'count',
  'withdrawal-totals': 'count',
  'payout-sums': 'count',
  timelines: 'count',
  'rail-payouts': 'payout',
  'rail-payments': 'payment',
  'audit-trail': 'trail',
};

export const adviceOf = (check: string): Advice => advices[check] ?? 'fact';

type Place = { path: Screen; search: Record<string, string> };

const MEMBER = /^[1-9]\d{8}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The checks whose subject is a provider and its transaction. */
const ofTransactions = ['earnings', 'reversals'];

/** The screen of the thing that a difference names; undefined if it names none, or one without a screen. */
export function placeOf({ check, subject }: Difference): Place | undefined {
  const [first = '', ...rest] = subject.split(' ');
  if (check === 'audit-trail') return { path: '/management-panel-x7k9w/audit', search: {} };
  if (check === 'leases') return { path: '/management-panel-x7k9w', search: { tab: 'system' } };
  if (check === 'quarantine') return screenOfTarget('quarantine', first);
  if (ofTransactions.includes(check))
    return { path: '/management-panel-x7k9w/postbacks', search: { q: rest.join(' ') } };
  if (check === 'rail-payments')
    return { path: '/management-panel-x7k9w/payouts', search: { state: 'all', q: subject } };
  if (UUID.test(first))
    return check === 'withdrawals'
      ? screenOfTarget('withdrawal', first)
      : { path: '/management-panel-x7k9w/payouts', search: { state: 'all', q: first } };
  return MEMBER.test(first) ? screenOfTarget('member', first) : undefined;
}
