import type { Rule } from './rule.ts';

/** Five or more friends of a member were rewarded, and four of five did one task, the one that pays the reward. */
const FRIENDS_MIN = 5;
const SHARE_MIN = 0.8;

export const farmedReferrals: Rule = {
  name: 'farmed-referrals',
  severity: 'medium',
  version: 1,
  find: ({ invitations }) =>
    invitations
      .filter(
        ({ friends, stoppedIds }) =>
          friends >= FRIENDS_MIN && stoppedIds.length >= Math.ceil(friends * SHARE_MIN),
      )
      .map(({ referrerId, friends, stoppedIds }) => ({
        subject: String(referrerId),
        // It is told again after as many more.
        size: Math.floor(stoppedIds.length / (FRIENDS_MIN * SHARE_MIN)),
        level: 'medium',
        memberIds: [referrerId, ...stoppedIds],
        kinds: [],
        count: stoppedIds.length,
        total: friends,
        address: null,
        score: null,
      })),
};
