import { Button } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readHistory } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageBeyond } from '#web/ui/page-beyond.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { OpenRow } from './open-row.tsx';
import { useNewRows } from './use-new-rows.ts';

const ROWS_PER_PAGE = 10;

type PointsHistoryProps = { page: number; onPage: (page: number) => void };

/** The movements of points, one page at a time. The caller keeps the page's number in the URL. */
export function PointsHistory({ page, onPage }: PointsHistoryProps) {
  const { t } = useTranslation();
  const query = { page: String(page), limit: String(ROWS_PER_PAGE) };
  const history = useRead(readHistory, { query }, { placeholderData: keepPreviousData });
  const marked = useNewRows(page === 1 ? history.data?.data.map((entry) => entry.id) : undefined);

  if (history.isPending) return <SkeletonRows count={ROWS_PER_PAGE} />;
  if (history.isError) {
    return (
      <ErrorState
        title={t('history.failedTitle')}
        text={t('history.failedText')}
        requestId={requestIdOf(history.error)}
        onRetry={() => void history.refetch()}
      />
    );
  }
  const { data, pagination } = history.data;
  if (data.length === 0 && pagination.totalCount > 0) {
    return <PageBeyond onFirst={() => onPage(1)} />;
  }
  if (data.length === 0) {
    return (
      <EmptyState
        title={t('history.emptyTitle')}
        text={t('history.emptyText')}
        action={
          <Button component={Link} to="/earn">
            {t('history.emptyAction')}
          </Button>
        }
      />
    );
  }
  return (
    <>
      <ul aria-busy={history.isPlaceholderData || undefined}>
        {data.map((entry) => (
          <OpenRow key={entry.id} entry={entry} isNew={marked.has(entry.id)} />
        ))}
      </ul>
      <Pager page={page} totalPages={pagination.totalPages} onPage={onPage} label={t('history.pages')} />
    </>
  );
}
