import { useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { OperatorPage } from '#web/admin/kit/operator-page.tsx';
import type { ChatSearch } from '#web/client/chat-search.ts';
import { BansTab } from './bans-tab.tsx';
import styles from './chat.module.css';
import { ChatSwitches } from './chat-switches.tsx';
import { ChatTabs } from './chat-tabs.tsx';
import { ReportsTab } from './reports-tab.tsx';
import { WordsTab } from './words-tab.tsx';

/** The moderation of the chat: what members report, the banned words, and the bans. The tab is in the URL. */

const contents = { reports: ReportsTab, words: WordsTab, bans: BansTab } as const;

export function ChatModerationPage() {
  const { t } = useTranslation();
  const { tab = 'reports' } = useSearch({ strict: false }) as ChatSearch;
  const Content = contents[tab];
  return (
    <OperatorPage
      label={t(`chatModeration.tabs.${tab}`)}
      head={
        <>
          <div className={styles.title}>
            <h1>{t('chatModeration.title')}</h1>
            <ChatSwitches />
          </div>
          <ChatTabs current={tab} />
        </>
      }
    >
      <Content />
    </OperatorPage>
  );
}
