import { useTranslation } from 'react-i18next';
import { readBannedWords, readBans, readReports } from '#contract/chat-moderation.ts';
import { countOf, PageTabs } from '#web/admin/kit/page-tabs.tsx';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';
import { type ChatTab, chatTabs } from '#web/client/chat-search.ts';

const POLL_MS = 30_000;

/** How many there are: reports that wait, words, and bans that are active. */
export function useCounts() {
  const reads = {
    reports: useFirstRow(readReports, { state: 'open' }, POLL_MS),
    words: useFirstRow(readBannedWords, {}, POLL_MS),
    bans: useFirstRow(readBans, { state: 'active' }, POLL_MS),
  };
  return (tab: ChatTab): string | undefined => countOf(reads[tab]);
}

export function ChatTabs({ current }: { current: ChatTab }) {
  const { t } = useTranslation();
  const counts = useCounts();
  return (
    <PageTabs
      label={t('chatModeration.title')}
      path="/management-panel-x7k9w/chat-moderation"
      tabs={chatTabs.map((tab) => ({
        name: tab,
        label: t(`chatModeration.tabs.${tab}`),
        count: counts(tab),
        search: tab === 'reports' ? {} : { tab },
      }))}
      current={current}
      keys={{ title: t('chatModeration.keys.title'), line: t('chatModeration.keys.tab') }}
    />
  );
}
