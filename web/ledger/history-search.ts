import { pageOf } from '#web/client/search-params.ts';

/** What the URL of the history names: the tab of withdrawals, and the page. */
export type HistorySearch = { tab?: 'withdrawals'; page?: number };

export const historySearchOf = (search: Record<string, unknown>): HistorySearch => ({
  ...(search.tab === 'withdrawals' ? { tab: 'withdrawals' } : {}),
  ...pageOf(search.page),
});
