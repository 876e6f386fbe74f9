import { readAbsences, readAppeals, readMadeDecisions } from '#contract/decisions.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';

/** What the URL of the screen about decisions names: the appeals, all decisions, or the members who are away. */
export type DecisionSearch = ListSearch & { tab?: 'made' | 'absences' };

export function decisionSearchOf(search: Record<string, unknown>): DecisionSearch {
  if (search.tab === 'absences') return { tab: 'absences', ...listSearchOf(readAbsences.list)(search) };
  if (search.tab !== 'made') return listSearchOf(readAppeals.list)(search);
  return { tab: 'made', ...listSearchOf(readMadeDecisions.list)(search) };
}
