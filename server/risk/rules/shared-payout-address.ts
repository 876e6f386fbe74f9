import { groupsOf } from './linked-members.ts';
import type { Rule } from './rule.ts';

/** Three or more members asked for withdrawals to one payout address. */
export const sharedPayoutAddress: Rule = {
  name: 'shared-payout-address',
  severity: 'high',
  version: 2,
  find: groupsOf('payout-address', { fewest: 3, base: 65 }),
};
