import type { Rule } from './rule.ts';

/** Providers took back a fifth of a member's credits or more, and not only a few. */
const REVERSALS_MIN = 5;
const SHARE_MIN = 0.2;
const SHARE_HIGH = 0.5;

export const reversalRate: Rule = {
  name: 'reversal-rate',
  severity: 'medium',
  version: 1,
  find: ({ paces }) =>
    paces
      .filter(({ reversals, tasks }) => reversals >= REVERSALS_MIN && reversals >= tasks * SHARE_MIN)
      .map(({ memberId, reversals, tasks }) => ({
        subject: String(memberId),
        // It is told again after as many more.
        size: Math.floor(reversals / REVERSALS_MIN),
        level: reversals >= tasks * SHARE_HIGH ? 'high' : 'medium',
        memberIds: [memberId],
        kinds: [],
        count: reversals,
        total: Math.max(tasks, reversals),
        address: null,
        score: null,
      })),
};
