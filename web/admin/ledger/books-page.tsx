import { Button } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { type Audit, type Books, readAccountDays, readBooks, startAudit } from '#contract/ledger-books.ts';
import { type OverviewDays, readOverviewDays } from '#contract/overview.ts';
import type { Total } from '#web/admin/kit/list-screen.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatDollars, formatTime } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { toast } from '#web/ui/toast.tsx';
import { useFileLink } from '#web/ui/use-file-link.ts';
import { AccountSheet } from './account-sheet.tsx';
import { AuditSheet } from './audit-sheet.tsx';
import { AuditsCard } from './audits-card.tsx';
import styles from './books-page.module.css';
import { PayoutsCard } from './payouts-card.tsx';
import { ReceivablesCard } from './receivables-card.tsx';
import { TrialBalance } from './trial-balance.tsx';
import { WalletsCard } from './wallets-card.tsx';

/**
 * The books: the trial balance, the paying accounts against what they list, what providers owe, and what the audits
 * found. The server adds up once a minute, and audits each night and after each start. The open account or audit is in
 * the URL.
 */

const POLL_MS = 5_000;
const DAYS_POLL_MS = 60_000;

export function BooksPage() {
  const { t, i18n } = useTranslation();
  const { account, month, audit } = useSearch({ from: '/operator/management-panel-x7k9w/books' });
  const navigate = useNavigate({ from: '/management-panel-x7k9w/books' });
  const books = useRead(readBooks, undefined, { refetchInterval: POLL_MS });
  const days = useRead(readOverviewDays, undefined, { refetchInterval: DAYS_POLL_MS });
  const close = () => void navigate({ search: {} });
  const takenAt = books.data?.takenAt ?? null;
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <div className={styles.head}>
        <h1>{t('books.title')}</h1>
        <div className={styles.acts}>
          <MonthFile />
          <StartAudit audits={books.data?.audits ?? []} />
        </div>
      </div>
      <ListTotals totals={useTotals(books, days)} />
      {books.data !== undefined && (
        <>
          <p className={styles.asOf}>
            {takenAt === null
              ? t('books.notCounted')
              : t('books.asOf', { time: formatTime(takenAt, i18n.language) })}
          </p>
          <div className={styles.parts}>
            <div className={styles.column}>
              <TrialBalance books={books.data} />
              <PayoutsCard />
            </div>
            <div className={styles.column}>
              <WalletsCard days={days} audit={books.data.lastAudit} />
              <ReceivablesCard receivables={books.data.receivables} />
              <AuditsCard books={books.data} />
            </div>
          </div>
        </>
      )}
      {books.data === undefined && books.isError && (
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${books.error.code}`)}
          requestId={requestIdOf(books.error)}
          onRetry={() => void books.refetch()}
        />
      )}
      {books.isPending && <SkeletonRows count={8} />}
      {account !== undefined && (
        <AccountSheet
          account={account}
          month={month}
          onMonth={(next) => void navigate({ search: { account, month: next } })}
          onClose={close}
        />
      )}
      {audit !== undefined && <AuditSheet id={audit} onClose={close} />}
    </main>
  );
}

type Read<Data> = { data: Data | undefined; isError: boolean };

/** What members are owed, what the paying accounts hold, what providers owe, and whether the last audit agreed. */
function useTotals(books: Read<Books>, days: Read<OverviewDays>): Total[] {
  const { t } = useTranslation();
  /** The last day is today. */
  const heldText = ({ held }: Pick<OverviewDays, 'held'>) => {
    const points = held.at(-1) ?? null;
    return points === null ? '–' : formatDollars(points);
  };
  return [
    {
      key: 'owed',
      label: t('books.owed'),
      value: totalOf(books, (data) => formatAmount(data.owed.sum)),
      note: totalOf(books, (data) => formatDollars(data.owed.sum)),
    },
    { key: 'held', label: t('books.held'), value: totalOf(days, heldText) },
    { key: 'due', label: t('books.due'), value: totalOf(books, (data) => formatDollars(data.due)) },
    {
      key: 'audit',
      label: t('books.lastAudit'),
      value: totalOf(books, ({ lastAudit }) =>
        lastAudit === null
          ? t('books.never')
          : lastAudit.findings === 0
            ? t('books.noDifference')
            : t('books.differences', { count: lastAudit.findings }),
      ),
    },
  ];
}

/** The movements of this month by day and account. */
function MonthFile() {
  const { t } = useTranslation();
  const link = useFileLink(readAccountDays, { query: { format: 'csv' } });
  return (
    <Button
      component="a"
      variant="subtle"
      leftSection={<IconDownload size={18} stroke={1.75} aria-hidden="true" />}
      {...link}
    >
      {t('books.monthFile')}
    </Button>
  );
}

/** Starts an audit. While one waits or runs, the button says so. */
function StartAudit({ audits }: { audits: readonly Audit[] }) {
  const { t } = useTranslation();
  const start = useAct(startAudit);
  const isRunning = audits.some(
    ({ cause, startedAt, finishedAt }) => finishedAt === null && (cause === 'operator' || startedAt !== null),
  );
  return (
    <Button
      variant="default"
      disabled={isRunning}
      loading={start.isPending}
      onClick={() =>
        start.mutate(
          {},
          { onError: (error) => toast.bad(t(`refusals.${error.code}`), t('books.notStarted')) },
        )
      }
    >
      {t(isRunning ? 'books.running' : 'books.start')}
    </Button>
  );
}
