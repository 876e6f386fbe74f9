import { groupsOf } from './linked-members.ts';
import type { Rule } from './rule.ts';

/** Three or more members used one browser at one public address. */
export const sharedDevice: Rule = {
  name: 'shared-device',
  severity: 'low',
  version: 2,
  find: groupsOf('device', { fewest: 3, base: 45 }),
};
