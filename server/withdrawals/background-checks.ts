import type { Screen } from '#contract/screens.ts';
import { type FlagFilter, knowFlag, lookFlag, type WithdrawalFlag } from '#contract/withdrawals.ts';
import { type Check, type CheckResult, checks } from '#contract/withdrawals-background.ts';

/** The checks of a pending request as operators read them: verdict, sentence, figure and where to see more. */

/** What figures and links are made of. */
export type CheckFacts = {
  memberId: number;
  address: string;
  balance: bigint;
  deviceCount: number;
  destinationSharerCount: number;
  deviceSharerCount: number;
  reversedPoints: bigint;
  firstUsedAt: Date | null;
  paidAt: Date | null;
  holdUntil: Date | null;
};

const passed: Record<Check, string> = {
  owner: 'It is not your own request.',
  suspension: 'No suspension blocks withdrawals.',
  denial: 'The member has reported no misuse since.',
  debt: 'The member is in no debt.',
  payment: 'No payment was found that may have paid it.',
  points: 'No payment was found that may have paid these points.',
  caps: 'It is under the caps of the day.',
  hold: 'It is not on hold.',
  people: 'One operator is enough.',
  reversals: 'No points were taken back in the last 30 days.',
  sharing: 'No other member uses this address.',
  devices: 'No other member used the member’s devices.',
  destination: 'This address was paid before.',
};

const failed: Record<WithdrawalFlag, string> = {
  'own-account': 'It is your own request, or that of an account linked to you.',
  suspended: 'A suspension blocks withdrawals.',
  disowned: 'After the request the member said that somebody else used the account.',
  debt: 'The balance is below zero.',
  'in-check': 'A payment may have paid it already.',
  'points-in-check': 'A payment that no request accounts for may have paid these points.',
  'over-cap': 'It would pass a cap of the day.',
  'on-hold': 'It is on hold because of a new address or a change of the account’s security.',
  'first-approved': 'Another operator must approve it as well.',
  'two-people': 'It needs two operators, and this approval would be the first.',
  reversals: 'Points were taken back in the last 30 days.',
  'shared-address': 'Other members use this address.',
  'shared-device': 'Other members used one of the member’s devices at the same place.',
  'new-address': 'No payment has gone to this address; another one was paid before.',
  'first-payout': 'The member was never paid before.',
};

const figuresOf = (facts: CheckFacts): Partial<Record<Check, CheckResult['figure']>> => ({
  devices: count(facts.deviceSharerCount > 0 ? facts.deviceSharerCount : facts.deviceCount),
  ...(facts.balance < 0n && { debt: points(facts.balance) }),
  ...(facts.reversedPoints > 0n && { reversals: points(-facts.reversedPoints) }),
  ...(facts.destinationSharerCount > 0 && { sharing: count(facts.destinationSharerCount) }),
  hold: moment(facts.holdUntil),
  destination: moment(facts.paidAt ?? facts.firstUsedAt),
});
const points = (value: bigint) => ({ kind: 'points' as const, value: String(value) });
const count = (value: number) => ({ kind: 'count' as const, value: String(value) });
const moment = (at: Date | null) => at && { kind: 'time' as const, value: at.toISOString() };

const found = (screen: Screen, query: Record<string, string>): string =>
  `${screen}?${new URLSearchParams(query)}`;

/** Where an operator sees more of what a failed check says. */
function linksOf({ memberId, address }: CheckFacts): Partial<Record<Check, string>> {
  const member = found('/management-panel-x7k9w/users/member', { id: String(memberId) });
  return {
    suspension: member,
    denial: member,
    debt: member,
    devices: member,
    reversals: found('/management-panel-x7k9w/chargebacks', { q: String(memberId) }),
    sharing: found('/management-panel-x7k9w/withdrawals', { status: 'all', q: address }),
  };
}

const unblocking: readonly FlagFilter[] = [...lookFlag.options, ...knowFlag.options, 'two-people'];
const verdicts: readonly CheckResult['verdict'][] = ['block', 'look', 'pass'];

/** The checks by the flags of a request, failed ones first. */
export function checksOf(flags: readonly WithdrawalFlag[], facts: CheckFacts): CheckResult[] {
  const [figures, links] = [figuresOf(facts), linksOf(facts)];
  const made = (Object.keys(checks) as Check[]).map((code): CheckResult => {
    const flag = flags.find((one) => (checks[code] as readonly WithdrawalFlag[]).includes(one)) ?? null;
    const figure = figures[code] ?? null;
    if (flag === null) return { code, verdict: 'pass', text: passed[code], flag, figure, link: null };
    const verdict = unblocking.includes(flag) ? 'look' : 'block';
    return { code, verdict, text: failed[flag], flag, figure, link: links[code] ?? null };
  });
  return verdicts.flatMap((verdict) => made.filter((one) => one.verdict === verdict));
}
