import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatPoints } from '#web/client/format.ts';
import { type SupportTab, supportTabs } from '#web/client/support-search.ts';
import styles from './desk.module.css';
import { useTicketFigures } from './use-ticket-figures.tsx';

const PATH = '/management-panel-x7k9w/support';

/** The tabs of the support desk: tickets, with the number of those that wait, and broadcast e-mail. */
export function DeskTabs({ current }: { current: SupportTab }) {
  const { t } = useTranslation();
  const { data: figures } = useTicketFigures();
  const counts: Partial<Record<SupportTab, number | undefined>> = { tickets: figures?.waiting };
  return (
    <nav className={styles.tabs} aria-label={t('tickets.tabs.label')}>
      {supportTabs.map((tab) => {
        const count = counts[tab];
        return (
          <Link
            key={tab}
            to={PATH}
            search={tab === 'tickets' ? {} : { tab }}
            replace
            data-current={tab === current || undefined}
            aria-current={tab === current ? 'page' : undefined}
          >
            {t(`tickets.tabs.${tab}`)}
            {tab in counts && <span className="num">{count === undefined ? ' ' : formatPoints(count)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

/** A tab that is no list, below its head. */
export function DeskFrame({ tab, children }: { tab: SupportTab; children: ReactNode }) {
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <div className={styles.head} data-alone>
        <DeskTitle tab={tab} />
      </div>
      <div className={styles.alone}>{children}</div>
    </main>
  );
}

/** The head of a tab that is no list. */
export function DeskTitle({ tab, children }: { tab: SupportTab; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={styles.title}>
      <h1>{t('tickets.title')}</h1>
      <DeskTabs current={tab} />
      {children}
    </div>
  );
}
