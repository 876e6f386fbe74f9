import { readAppeals, readMadeDecisions } from '#contract/decisions.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';

/** What the URL of the screen about decisions names: the appeals, or all decisions. */
export type DecisionSearch = ListSearch & { tab?: 'made' };

export function decisionSearchOf(search: Record<string, unknown>): DecisionSearch {
  if (search.tab !== 'made') return listSearchOf(readAppeals.list)(search);
  return { tab: 'made', ...listSearchOf(readMadeDecisions.list)(search) };
}
