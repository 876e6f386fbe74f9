import { oneOf, textOf } from './search-params.ts';

/** What the URL of a member's page names: the member, the open part, and the open form. */

export const memberTabs = [
  'timeline',
  'money',
  'withdrawals',
  'decisions',
  'tickets',
  'devices',
  'linked',
] as const;
export type MemberTab = (typeof memberTabs)[number];

export const memberActs = ['grant', 'chargeback', 'suspend', 'message'] as const;
export type MemberAct = (typeof memberActs)[number];

export type MemberSearch = { id?: string; tab?: MemberTab; act?: MemberAct };

export const memberSearchOf = (search: Record<string, unknown>): MemberSearch => ({
  ...textOf('id', search),
  ...oneOf('tab', memberTabs, search),
  ...oneOf('act', memberActs, search),
});
