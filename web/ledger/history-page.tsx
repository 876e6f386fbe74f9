import { Button, Tabs } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { readHistory } from '#contract/ledger.ts';
import { useFileLink } from '#web/ui/use-file-link.ts';
import { HistoryLinks } from './history-links.tsx';
import styles from './history-page.module.css';
import { PointsHistory } from './points-history.tsx';

const WITHDRAWALS_PER_PAGE = 10;

/** Draws one page of the withdrawals tab. */
export type WithdrawalsTab = (page: {
  page: number;
  limit: number;
  onPage: (next: number) => void;
}) => ReactNode;

/**
 * The history page, with one tab for movements and one for withdrawals, which the caller draws. Tab and page are in
 * the URL.
 */
export function HistoryPage({ withdrawals }: { withdrawals: WithdrawalsTab }) {
  const { t } = useTranslation();
  const search = useSearch({ from: '/member/history' });
  const tab = search.tab ?? 'points';
  const page = search.page ?? 1;
  const navigate = useNavigate({ from: '/history' });
  const toPage = (next: number) => {
    void navigate({ search: { ...search, page: next } });
    window.scrollTo({ top: 0 });
  };
  return (
    <>
      <h1>{t('history.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('history.lead')}</p>
      <section className="card" aria-label={t('history.title')}>
        <Tabs
          value={tab}
          onChange={(value) =>
            void navigate({ search: value === 'withdrawals' ? { tab: 'withdrawals' } : {} })
          }
          keepMounted={false}
          className={styles.tabs}
        >
          <Tabs.List aria-label={t('history.tabs')}>
            <Tabs.Tab value="points">{t('history.points')}</Tabs.Tab>
            <Tabs.Tab value="withdrawals">{t('history.withdrawals')}</Tabs.Tab>
          </Tabs.List>
          <Tabs.Panel value="points">
            <Tools />
            <PointsHistory page={page} onPage={toPage} />
          </Tabs.Panel>
          <Tabs.Panel value="withdrawals">
            {withdrawals({ page, limit: WITHDRAWALS_PER_PAGE, onPage: toPage })}
          </Tabs.Panel>
        </Tabs>
      </section>
      <HistoryLinks />
    </>
  );
}

/** Links to the reversed earnings and to the CSV export. */
function Tools() {
  const { t } = useTranslation();
  const file = useFileLink(readHistory, { query: { format: 'csv' } });
  return (
    <div className={styles.tools}>
      <Link to="/chargeback-history" className="link">
        {t('history.chargebacks')}
      </Link>
      <Button
        component="a"
        {...file}
        variant="default"
        size="sm"
        leftSection={<IconDownload size={16} stroke={2} aria-hidden="true" />}
      >
        {t('history.export')}
      </Button>
    </div>
  );
}
