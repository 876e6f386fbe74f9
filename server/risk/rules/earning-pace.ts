import type { Rule } from './rule.ts';

/** A member was credited more often in an hour than a person answers surveys. */
const CREDITS_MIN = 30;
const CREDITS_HIGH = 90;

export const earningPace: Rule = {
  name: 'earning-pace',
  severity: 'medium',
  version: 1,
  find: ({ paces, hour }) =>
    paces
      .filter(({ lateCredits }) => lateCredits >= CREDITS_MIN)
      .map(({ memberId, lateCredits }) => ({
        subject: `${memberId} ${hour}`,
        size: Math.floor(lateCredits / CREDITS_MIN),
        level: lateCredits >= CREDITS_HIGH ? 'high' : 'medium',
        memberIds: [memberId],
        kinds: [],
        count: lateCredits,
        total: null,
        address: null,
        score: null,
      })),
};
