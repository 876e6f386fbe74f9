import type { Screen } from '#contract/screens.ts';
import type { WithdrawalFlag } from '#contract/withdrawals.ts';
import { type Check, type CheckResult, checks } from '#contract/withdrawals-background.ts';
import { failedChecks, passedChecks, verdictOf, verdicts } from '#contract/withdrawals-checks.ts';

/** The checks of a pending request as operators read them: verdict, sentence, figure and where to see more. */

/** What figures and links are made of. */
export type CheckFacts = {
  memberId: number;
  destination: string;
  balance: bigint;
  deviceCount: number;
  destinationSharerCount: number;
  deviceSharerCount: number;
  reversedPoints: bigint;
  firstUsedAt: Date | null;
  paidAt: Date | null;
  holdUntil: Date | null;
  /** What today’s caps still let through; null without a cap. */
  capLeftPoints: bigint | null;
};

const figuresOf = (facts: CheckFacts): Partial<Record<Check, CheckResult['figure']>> => ({
  devices: count(facts.deviceSharerCount > 0 ? facts.deviceSharerCount : facts.deviceCount),
  ...(facts.balance < 0n && { debt: points(facts.balance) }),
  ...(facts.reversedPoints > 0n && { reversals: points(-facts.reversedPoints) }),
  ...(facts.destinationSharerCount > 0 && { sharing: count(facts.destinationSharerCount) }),
  ...(facts.capLeftPoints !== null && { caps: points(facts.capLeftPoints) }),
  hold: moment(facts.holdUntil),
  destination: moment(facts.paidAt ?? facts.firstUsedAt),
});
const points = (value: bigint) => ({ kind: 'points' as const, value: String(value) });
const count = (value: number) => ({ kind: 'count' as const, value: String(value) });
const moment = (at: Date | null) => at && { kind: 'time' as const, value: at.toISOString() };

const found = (screen: Screen, query: Record<string, string>): string =>
  `${screen}?${new URLSearchParams(query)}`;

/** Where an operator sees more of what a failed check says. */
function linksOf({ memberId, destination }: CheckFacts): Partial<Record<Check, string>> {
  const member = found('/management-panel-x7k9w/users/member', { id: String(memberId) });
  return {
    suspension: member,
    denial: member,
    debt: member,
    devices: member,
    caps: found('/management-panel-x7k9w/config', { tab: 'site' }),
    reversals: found('/management-panel-x7k9w/chargebacks', { q: String(memberId) }),
    sharing: found('/management-panel-x7k9w/withdrawals', { status: 'all', q: destination }),
  };
}

/** The checks by the flags of a request, failed ones first. */
export function checksOf(flags: readonly WithdrawalFlag[], facts: CheckFacts): CheckResult[] {
  const [figures, links] = [figuresOf(facts), linksOf(facts)];
  const made = (Object.keys(checks) as Check[]).map((code): CheckResult => {
    const flag = flags.find((one) => (checks[code] as readonly WithdrawalFlag[]).includes(one)) ?? null;
    const figure = figures[code] ?? null;
    const verdict = verdictOf(flag);
    if (flag === null) return { code, verdict, text: passedChecks[code], flag, figure, link: null };
    return { code, verdict, text: failedChecks[flag], flag, figure, link: links[code] ?? null };
  });
  return verdicts.flatMap((verdict) => made.filter((one) => one.verdict === verdict));
}
