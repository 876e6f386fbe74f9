import type { Rule } from './rule.ts';

/** A provider credited far more often in an hour than in nearly all hours of its month: a leaked secret does that. */
const CREDITS_MIN = 50;
const TIMES_USUAL = 5;
const HOURS_KNOWN_MIN = 7 * 24;

export const providerBurst: Rule = {
  name: 'provider-burst',
  severity: 'high',
  version: 1,
  find: ({ providerHours }) =>
    providerHours
      .filter(
        ({ credits, usualMost, hoursKnown }) =>
          hoursKnown >= HOURS_KNOWN_MIN && credits >= CREDITS_MIN && credits > usualMost * TIMES_USUAL,
      )
      .map(({ provider, hour, credits, usualMost }) => ({
        subject: `${provider} ${hour}`,
        size: 1,
        level: 'high',
        memberIds: [],
        kinds: [],
        count: credits,
        total: usualMost,
        address: null,
        score: null,
      })),
};
