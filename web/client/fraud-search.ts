import { readSuspensions } from '#contract/members-suspensions.ts';
import { readBlocks } from '#contract/risk.ts';
import { readActivities, readDetections } from '#contract/risk-signals.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';
import { oneOf } from './search-params.ts';

/** What the URLs of the screens about fraud name: the tab, and the search of its list. */

export const fraudTabs = ['activity', 'ip', 'domain', 'sessions', 'rules'] as const;
export type FraudTab = (typeof fraudTabs)[number];
export type FraudSearch = ListSearch & { tab?: FraudTab };

export function fraudSearchOf(search: Record<string, unknown>): FraudSearch {
  const { tab = 'activity' } = oneOf('tab', fraudTabs, search);
  if (tab === 'sessions' || tab === 'rules') return { tab };
  const { list } = tab === 'activity' ? readActivities : readBlocks;
  return { ...(tab === 'activity' ? {} : { tab }), ...listSearchOf(list)(search) };
}

/** The suspensions, or what the rules found of several accounts of one person. */
export type MultiAccountSearch = ListSearch & { tab?: 'detections' };

export function multiAccountSearchOf(search: Record<string, unknown>): MultiAccountSearch {
  if (search.tab !== 'detections') return listSearchOf(readSuspensions.list)(search);
  return { tab: 'detections', ...listSearchOf(readDetections.list)(search) };
}
