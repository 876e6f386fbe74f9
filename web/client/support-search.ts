import { readTicketQueue } from '#contract/support.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';
import { oneOf } from './search-params.ts';

/** What the URL of the support desk names: the tab, the view of the tickets, and the search of their list. */

export const supportTabs = ['tickets', 'broadcast'] as const;
export type SupportTab = (typeof supportTabs)[number];
export type SupportSearch = ListSearch & { tab?: SupportTab; view?: 'simple' };

export function supportSearchOf(search: Record<string, unknown>): SupportSearch {
  const { tab = 'tickets' } = oneOf('tab', supportTabs, search);
  if (tab !== 'tickets') return { tab };
  return { ...oneOf('view', ['simple'], search), ...listSearchOf(readTicketQueue.list)(search) };
}
