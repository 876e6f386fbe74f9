import { readBlocks } from '#contract/risk.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';
import { oneOf } from './search-params.ts';

/** What the URL of the fraud screen names: the tab, and the search of its list. */

export const fraudTabs = ['ip', 'domain'] as const;
export type FraudTab = (typeof fraudTabs)[number];
export type FraudSearch = ListSearch & { tab?: FraudTab };

export function fraudSearchOf(search: Record<string, unknown>): FraudSearch {
  const { tab = 'ip' } = oneOf('tab', fraudTabs, search);
  return { ...(tab === 'ip' ? {} : { tab }), ...listSearchOf(readBlocks.list)(search) };
}
