import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type QueuedWithdrawal, readWithdrawalQueue, readWithdrawalStats } from '#contract/withdrawals.ts';
import { CHOSEN_MAX } from '#contract/withdrawals-bulk.ts';
import type { Rate } from '#contract/withdrawals-rates.ts';
import type { ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { PauseDialog } from '#web/admin/kit/pause-dialog.tsx';
import { sumText } from '#web/admin/kit/sums.ts';
import { useListWords } from '#web/admin/kit/use-list-words.ts';
import { type OperatorListState, useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { useUndoKey } from '#web/admin/kit/use-undo-key.ts';
import { formatAge, formatAmount, formatDollars } from '#web/client/format.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { useAllActs, useSelectedActs } from './bulk-acts.tsx';
import { useBulkNotices } from './bulk-notices.tsx';
import { isToLookAt } from './left-out.tsx';
import { CardMethod, useQueueColumns } from './queue-columns.tsx';
import { useQueueNotices } from './queue-notices.tsx';
import { RequestSheet } from './request-sheet.tsx';
import { useFlagOptions } from './use-flag-options.ts';
import { useMethodOptions } from './use-method-options.ts';
import { useQueueViews } from './use-queue-views.ts';
import { ConfirmRateDialog } from './waiting-rate.tsx';
import { WithdrawalFlags } from './withdrawal-flags.tsx';

/**
 * The operators' withdrawal requests: open, decide, next. The server decides the effect of an act. This screen fetches
 * the list every three seconds.
 */

const POLL_MS = 3_000;
const OLDEST_POLL_MS = 30_000;

/** A view of other states has few requests that are pending, behind many that are not. */
const selectMaxOf = ({ status }: Readonly<Record<string, string>>) =>
  status === 'pending' ? CHOSEN_MAX : undefined;

const isPending = ({ status }: QueuedWithdrawal) => status === 'pending';

export function QueuePage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<QueuedWithdrawal>(readWithdrawalQueue, {
    pollMs: POLL_MS,
    defaultFilters: { status: 'pending' },
    defaultSortFor: ({ status }) => (status === 'pending' ? 'createdAt' : '-createdAt'),
  });
  const statsRead = useRead(readWithdrawalStats, undefined, {
    refetchInterval: usePollMs(POLL_MS, readWithdrawalStats.topic),
  });
  const { data: stats } = statsRead;
  const [rate, setRate] = useState<Rate | null>(null);
  const [isPausing, pausing] = useDisclosure(false);
  useUndoKey();
  const [actsOnSelected, actsOnAll] = [useSelectedActs(), useAllActs()];
  const bulk = useBulkNotices();
  // The acts on all requests ignore filters and the search, so they are hidden while either is set.
  const canDecideAll =
    state.q === '' &&
    state.filters.status === 'pending' &&
    Object.keys(state.filters).length === 1 &&
    stats?.pendingWithdrawals !== 0;

  const oldest = useOldest(state);

  const screen: ListScreen<QueuedWithdrawal> = {
    state,
    ...useListWords(readWithdrawalQueue, 'queue', { method: useMethodOptions(), flag: useFlagOptions() }),
    notices: [...useQueueNotices({ onConfirm: setRate, onResume: pausing.open }), ...bulk.notices],
    totals: useTotals(statsRead, oldest),
    foundTotals: { more: state.filters.status === 'pending' ? [oldest] : [] },
    views: useQueueViews(state.filters, stats),
    lead: {
      heading: t('queue.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useQueueColumns(state.openId !== null && state.isBeside),
    card: (row) => ({
      figure: <Amount points={row.amount} />,
      note: <CardMethod row={row} />,
      time: formatAge(row.createdAt, i18n.language),
      badge: <WithdrawalFlags row={row} />,
    }),
    isWaiting: isPending,
    // What can't be rejected can't be approved either.
    findBulkObstacle: ({ rejectionObstacle }) =>
      rejectionObstacle === null ? undefined : t(`queue.flags.${rejectionObstacle}`),
    selectMax: selectMaxOf(state.filters),
    sumOf: (rows) => {
      const flagged = rows.filter(({ flags }) => flags.some(isToLookAt)).length;
      const sum = sumText(rows);
      return flagged === 0 ? sum : `${sum} · ${t('queue.bulk.flagged', { count: flagged })}`;
    },
    bulkActs: actsOnSelected,
    headActs: canDecideAll ? actsOnAll : [],
    shownAct: bulk.shown,
    sheet: (row, position) => (
      <RequestSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return (
    <>
      <OperatorList screen={screen} />
      <ConfirmRateDialog rate={rate} onClose={() => setRate(null)} />
      <PauseDialog isOpen={isPausing} onClose={pausing.close} />
    </>
  );
}

type Stats = { pendingWithdrawals: number; pendingAmount: string; totalWithdrawals: number };

/** The age of the oldest request of those that the list finds. */
function useOldest({ found }: OperatorListState<QueuedWithdrawal>): Total {
  const { t, i18n } = useTranslation();
  const { sort: _, ...filters } = found;
  const oldest = useFirstRow<QueuedWithdrawal>(
    readWithdrawalQueue,
    { ...filters, sort: 'createdAt' },
    OLDEST_POLL_MS,
  );
  return {
    key: 'oldest',
    label: t('queue.totals.oldest'),
    value: totalOf(oldest, ({ rows: [row] }) =>
      row === undefined ? t('queue.totals.none') : formatAge(row.createdAt, i18n.language),
    ),
  };
}

/** The number and sum of the waiting requests, and the number of all. */
function useTotals(stats: { data: Stats | undefined; isError: boolean }, oldest: Total): Total[] {
  const { t } = useTranslation();
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
    oldest,
    {
      key: 'all',
      label: t('queue.totals.all'),
      value: totalOf(stats, ({ totalWithdrawals }) => count(totalWithdrawals)),
    },
  ];
}
