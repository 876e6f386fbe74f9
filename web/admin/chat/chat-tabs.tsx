import { Link, useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readBannedWords, readBans, readReports } from '#contract/chat-moderation.ts';
import { useKeys } from '#web/admin/kit/keys.ts';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';
import { type ChatTab, chatTabs } from '#web/client/chat-search.ts';
import { formatPoints } from '#web/client/format.ts';
import styles from './chat.module.css';

const POLL_MS = 30_000;
const PATH = '/management-panel-x7k9w/chat-moderation';
const searchOf = (tab: ChatTab) => (tab === 'reports' ? {} : { tab });

/** How many there are: reports that wait, words, and bans that are active. */
export function useCounts() {
  const reads = {
    reports: useFirstRow(readReports, { state: 'open' }, POLL_MS),
    words: useFirstRow(readBannedWords, {}, POLL_MS),
    bans: useFirstRow(readBans, { state: 'active' }, POLL_MS),
  };
  return (tab: ChatTab): string | undefined => {
    const { data } = reads[tab];
    return data && `${formatPoints(data.totalCount)}${data.isCapped ? '+' : ''}`;
  };
}

export function ChatTabs({ current }: { current: ChatTab }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const countOf = useCounts();
  useKeys(
    chatTabs.map((tab, index) => ({
      hotkey: String(index + 1),
      act: () => void navigate({ to: PATH, search: searchOf(tab), replace: true }),
    })),
    {
      title: t('chatModeration.keys.title'),
      lines: [{ label: t('chatModeration.keys.tab'), caps: [`1–${chatTabs.length}`] }],
    },
  );
  return (
    <nav className={styles.tabs} aria-label={t('chatModeration.title')}>
      {chatTabs.map((tab) => (
        <Link
          key={tab}
          to={PATH}
          search={searchOf(tab)}
          replace
          data-current={tab === current || undefined}
          aria-current={tab === current ? 'page' : undefined}
        >
          {t(`chatModeration.tabs.${tab}`)} <span className="num">{countOf(tab)}</span>
        </Link>
      ))}
    </nav>
  );
}
