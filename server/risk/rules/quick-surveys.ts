import type { Rule } from './rule.ts';

/**
 * Five surveys of one provider took less than a third of its shortest stated length. Nobody can have worked on five
 * surveys for longer than the time since the credit before them, so this needs no link from a credit to its survey.
 */
const SHARE_MAX = 1 / 3;
const SHARE_HIGH = 1 / 10;
const SECONDS_OF_MINUTE = 60;
const DAY_LENGTH = 'yyyy-mm-dd'.length;

export const quickSurveys: Rule = {
  name: 'quick-surveys',
  severity: 'medium',
  version: 1,
  find: ({ surveyPaces, hour }) =>
    surveyPaces.flatMap(({ memberId, provider, surveys, seconds, statedMinutes }) => {
      const statedSeconds = surveys * statedMinutes * SECONDS_OF_MINUTE;
      if (seconds >= statedSeconds * SHARE_MAX) return [];
      const isHigh = seconds < statedSeconds * SHARE_HIGH;
      return [
        {
          subject: `${provider} ${memberId} ${hour.slice(0, DAY_LENGTH)}`,
          // It is told again on the same day only if it became worse.
          size: isHigh ? 2 : 1,
          level: isHigh ? 'high' : 'medium',
          memberIds: [memberId],
          kinds: [],
          count: Math.ceil(seconds / SECONDS_OF_MINUTE),
          total: surveys * statedMinutes,
          address: null,
          score: null,
        } as const,
      ];
    }),
};
