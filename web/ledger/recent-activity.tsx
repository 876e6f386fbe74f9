import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readHistory } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import rows from '#web/ui/rows.module.css';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { HistoryRow } from './history-row.tsx';
import { useNewRows } from './use-new-rows.ts';

const ROWS = 5;

/** The newest five movements. */
export function RecentActivity() {
  const { t } = useTranslation();
  const history = useRead(readHistory, { query: { page: '1', limit: String(ROWS) } });
  const marked = useNewRows(history.data?.data.map((entry) => entry.id));
  return (
    <section className="card" aria-labelledby="recent">
      <div className="card-head">
        <h2 id="recent" tabIndex={-1}>
          {t('recent.title')}
        </h2>
        <Link to="/history" className="link small">
          {t('recent.all')}
        </Link>
      </div>
      {history.isPending && <SkeletonRows count={ROWS} />}
      {history.isError && (
        <ErrorState
          title={t('history.failedTitle')}
          text={t('history.failedText')}
          requestId={requestIdOf(history.error)}
          onRetry={() => void history.refetch()}
        />
      )}
      {history.data?.data.length === 0 && (
        <EmptyState
          title={t('history.emptyTitle')}
          text={t('history.emptyText')}
          action={
            <Button component={Link} to="/earn">
              {t('history.emptyAction')}
            </Button>
          }
        />
      )}
      {history.data !== undefined && history.data.data.length > 0 && (
        <ul className={rows.rows}>
          {history.data.data.map((entry) => (
            <HistoryRow key={entry.id} entry={entry} isNew={marked.has(entry.id)} />
          ))}
        </ul>
      )}
    </section>
  );
}
