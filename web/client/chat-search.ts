import { readBannedWords, readBans, readReports } from '#contract/chat-moderation.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';
import { oneOf } from './search-params.ts';

/** What the URL of the moderation of the chat names: the tab, and the search of its list. */

export const chatTabs = ['reports', 'words', 'bans'] as const;
export type ChatTab = (typeof chatTabs)[number];
export type ChatSearch = ListSearch & { tab?: ChatTab };

const lists = { reports: readReports.list, words: readBannedWords.list, bans: readBans.list } as const;

export function chatSearchOf(search: Record<string, unknown>): ChatSearch {
  const { tab = 'reports' } = oneOf('tab', chatTabs, search);
  return { ...(tab === 'reports' ? {} : { tab }), ...listSearchOf(lists[tab])(search) };
}
