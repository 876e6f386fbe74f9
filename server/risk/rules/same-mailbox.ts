import { groupsOf } from './linked-members.ts';
import type { Rule } from './rule.ts';

/** Two or more members have one mailbox, whose address they wrote with other dots or tags. */
export const sameMailbox: Rule = {
  name: 'same-mailbox',
  severity: 'high',
  version: 2,
  find: groupsOf('mailbox', { fewest: 2, base: 60 }),
};
