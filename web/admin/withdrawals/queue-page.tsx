import { useTranslation } from 'react-i18next';
import { type OperatorWithdrawal, readWithdrawalQueue, readWithdrawalStats } from '#contract/withdrawals.ts';
import type { FilterChip, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, formatDollars, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { useRails, useRailWords } from '#web/ui/rails.ts';
import { sumOf, useAllActs, useSelectedActs } from './bulk-acts.ts';
import { CardMethod, useQueueColumns } from './queue-columns.tsx';
import { RequestBadge } from './request-badge.tsx';
import { RequestSheet } from './request-sheet.tsx';

/**
 * The operators' withdrawal requests: open, decide, next. The server decides the effect of an act. This screen fetches
 * the list every three seconds.
 */

const POLL_MS = 3_000;
const OLDEST_POLL_MS = 30_000;

const isPending = ({ status }: OperatorWithdrawal) => status === 'pending';

export function QueuePage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<OperatorWithdrawal>(readWithdrawalQueue, {
    pollMs: POLL_MS,
    usualFilters: { status: 'pending' },
    usualSort: ({ status }) => (status === 'pending' ? 'createdAt' : '-createdAt'),
  });
  const statsRead = useRead(readWithdrawalStats, undefined, { refetchInterval: POLL_MS });
  const { data: stats } = statsRead;
  const [actsOnSelected, actsOnAll] = [useSelectedActs(), useAllActs()];
  // The acts on all requests ignore filters and the search, so they are hidden while either is set.
  const canDecideAll =
    state.q === '' &&
    state.filters.status === 'pending' &&
    Object.keys(state.filters).length === 1 &&
    stats?.pendingWithdrawals !== 0;

  const screen: ListScreen<OperatorWithdrawal> = {
    state,
    words: useQueueWords(),
    totals: useTotals(statsRead),
    lead: {
      heading: t('queue.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useQueueColumns(),
    filters: useFilters(),
    sorts: [
      { value: 'createdAt', label: t('queue.sorts.oldest') },
      { value: '-createdAt', label: t('queue.sorts.newest') },
      { value: '-amount', label: t('queue.sorts.largest') },
      { value: 'amount', label: t('queue.sorts.smallest') },
    ],
    card: (row) => ({
      figure: <Amount points={row.amount} />,
      note: <CardMethod row={row} />,
      time: formatAge(row.createdAt, i18n.language),
      badge: isPending(row) ? undefined : <RequestBadge row={row} />,
    }),
    isWaiting: isPending,
    sumOf: (rows) => `${formatAmount(sumOf(rows))} · ${formatDollars(sumOf(rows))}`,
    bulkActs: actsOnSelected,
    headActs: canDecideAll
      ? actsOnAll(stats && { count: stats.pendingWithdrawals, points: toPoints(stats.pendingAmount) })
      : [],
    sheet: (row, position) => (
      <RequestSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return <OperatorList screen={screen} />;
}

function useQueueWords(): ListScreen<OperatorWithdrawal>['words'] {
  const { t } = useTranslation();
  return {
    title: t('queue.title'),
    search: t('queue.search'),
    searchLabel: t('queue.searchLabel'),
    selectPage: t('queue.selectPage'),
    pages: t('queue.pages'),
    empty: { title: t('queue.empty.title'), text: t('queue.empty.text') },
    notFound: { title: t('queue.empty.searchTitle'), text: t('queue.empty.searchText') },
    failed: { title: t('queue.failed.title'), text: t('queue.failed.text') },
    sheet: {
      title: t('queue.sheet.title'),
      previous: t('queue.sheet.previous'),
      next: t('queue.sheet.next'),
      gone: t('queue.sheet.gone'),
    },
  };
}

const ages = [
  { value: '24', word: 'day' },
  { value: '48', word: 'twoDays' },
  { value: '72', word: 'threeDays' },
  { value: '168', word: 'week' },
] as const;

function useFilters(): FilterChip[] {
  const { t } = useTranslation();
  const { data: rails = [] } = useRails();
  const { nameOf } = useRailWords();
  const statuses = ['pending', 'approved', 'rejected'] as const;
  return [
    {
      kind: 'choice',
      name: 'status',
      label: t('queue.status'),
      options: statuses.map((status) => ({ value: status, label: t(`queue.statuses.${status}`) })),
    },
    {
      kind: 'choice',
      name: 'method',
      label: t('queue.columns.method'),
      options: rails.map(({ method }) => ({ value: method, label: nameOf(method) })),
    },
    { kind: 'points', from: 'minAmount', to: 'maxAmount', label: t('queue.columns.amount') },
    {
      kind: 'choice',
      name: 'olderThanHours',
      label: t('queue.age'),
      options: ages.map(({ value, word }) => ({ value, label: t(`queue.ages.${word}`) })),
    },
  ];
}

type Stats = { pendingWithdrawals: number; pendingAmount: string; totalWithdrawals: number };

/** The number and sum of the waiting requests, and the age of the oldest. */
function useTotals(stats: { data: Stats | undefined; isError: boolean }): Total[] {
  const { t, i18n } = useTranslation();
  const oldest = useFirstRow<OperatorWithdrawal>(
    readWithdrawalQueue,
    { status: 'pending', sort: 'createdAt' },
    OLDEST_POLL_MS,
  );
  const count = (value: number) => t('queue.count', { count: value });
  return [
    {
      key: 'pending',
      label: t('queue.totals.pending'),
      value: totalOf(stats, ({ pendingWithdrawals }) => count(pendingWithdrawals)),
    },
    {
      key: 'sum',
      label: t('queue.totals.sum'),
      value: totalOf(stats, ({ pendingAmount }) => formatAmount(pendingAmount)),
      note: totalOf(stats, ({ pendingAmount }) => formatDollars(pendingAmount)),
    },
    {
      key: 'oldest',
      label: t('queue.totals.oldest'),
      value: totalOf(oldest, ({ rows: [row] }) =>
        row === undefined ? t('queue.totals.none') : formatAge(row.createdAt, i18n.language),
      ),
    },
    {
      key: 'all',
      label: t('queue.totals.all'),
      value: totalOf(stats, ({ totalWithdrawals }) => count(totalWithdrawals)),
    },
  ];
}
