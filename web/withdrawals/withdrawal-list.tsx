import { keepPreviousData } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { readWithdrawals } from '#contract/withdrawals.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { PageBeyond } from '#web/ui/page-beyond.tsx';
import { Pager } from '#web/ui/pager.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { WAITING_POLL_MS } from './waiting.ts';
import styles from './withdrawal-list.module.css';
import { WithdrawalRow } from './withdrawal-row.tsx';

const SKELETONS = 5;

type PageQuery = {
  page: number;
  limit: number;
  /** The id of a withdrawal whose page is shown instead of `page`. */
  containing?: string | undefined;
};
type WithdrawalListProps = PageQuery & { onPage: (page: number) => void };

/** The input of the call for a page. The same input shares one answer. */
export const pageInput = ({ page, limit, containing }: PageQuery) => ({
  query: {
    page: String(page),
    limit: String(limit),
    ...(containing === undefined ? {} : { containing }),
  },
});

/** The member's withdrawals, newest first. The caller holds the page number and keeps it in the URL. */
export function WithdrawalList({ onPage, ...page }: WithdrawalListProps) {
  const { t } = useTranslation();
  const list = useRead(readWithdrawals, pageInput(page), {
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.data.some(({ waitsFor, payoutState }) => waitsFor !== null || payoutState === 'queued')
        ? WAITING_POLL_MS
        : false,
  });

  if (list.isPending) return <SkeletonRows count={SKELETONS} />;
  // A list that is shown stays when it can't be read again.
  if (list.data === undefined) {
    return (
      <ErrorState
        title={t('withdrawals.failedTitle')}
        text={t('withdrawals.failedText')}
        requestId={requestIdOf(list.error)}
        onRetry={() => void list.refetch()}
      />
    );
  }
  const { data, pagination } = list.data;
  if (data.length === 0 && pagination.totalCount > 0) return <PageBeyond onFirst={() => onPage(1)} />;
  if (data.length === 0)
    return <EmptyState title={t('withdrawals.emptyTitle')} text={t('withdrawals.emptyText')} />;
  return (
    <>
      <ul className={styles.list} aria-busy={list.isPlaceholderData || undefined}>
        {data.map((entry) => (
          <WithdrawalRow key={entry.id} entry={entry} />
        ))}
      </ul>
      <Pager
        page={page.containing === undefined ? page.page : pagination.page}
        totalPages={pagination.totalPages}
        onPage={onPage}
        label={t('withdrawals.pages')}
      />
    </>
  );
}
