import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ListedPayout,
  type PayoutTotals,
  readPayouts,
  readPayoutTotals,
} from '#contract/withdrawals-payouts.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { PauseDialog } from '#web/admin/kit/pause-dialog.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, shortenMiddle } from '#web/client/format.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import { findRail, useRails, useRailWords } from '#web/ui/rails.ts';
import { PayoutBadge } from './payout-badge.tsx';
import { PayoutSheet } from './payout-sheet.tsx';
import { usePayoutReason } from './payout-trouble.tsx';
import styles from './payouts.module.css';
import { usePayoutNotices } from './queue-notices.tsx';
import { useMethodOptions } from './use-method-options.ts';
import { useArePayoutsPaused } from './use-paused.ts';
import { usePayoutViews } from './use-payout-views.ts';

/** Every payout: its state, why it is not done, how old it is, who works on it, and what can be done about it. */

const POLL_MS = 5_000;
const defaultFilters = { state: 'unfinished' };
const isSelectable = () => false;

export function PayoutsPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<ListedPayout>(readPayouts, { pollMs: POLL_MS, defaultFilters });
  const totalsRead = useRead(readPayoutTotals, undefined, {
    refetchInterval: usePollMs(POLL_MS, readPayoutTotals.topic),
  });
  const [isPausing, pausing] = useDisclosure(false);
  const { method } = state.filters;
  const isShown = (total: PayoutTotals[number]) => method === undefined || total.method === method;
  const totals = { data: totalsRead.data?.filter(isShown), isError: totalsRead.isError };
  const coinText = useCoinText();
  const reasonOf = usePayoutReason();
  const arePaused = useArePayoutsPaused();
  const screen: ListScreen<ListedPayout> = {
    state,
    ...useListWords(readPayouts, 'payouts', { method: useMethodOptions() }),
    notices: usePayoutNotices(pausing.open),
    otherActs: [
      {
        key: 'pause',
        label: t(arePaused ? 'queue.paused.resume' : 'queue.paused.pause'),
        act: pausing.open,
      },
    ],
    totals: useTotals(totals, arePaused),
    // They are by state, and of the chosen method.
    foundTotals: { followed: ['state', 'method'] },
    views: usePayoutViews(totals.data, { current: state.filters.state ?? 'all', method }),
    lead: {
      heading: t('payouts.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(coinText, reasonOf),
    card: (row) => ({
      figure: <span className={`num ${styles.coin}`}>{coinText(row)}</span>,
      note: formatAmount(row.amount),
      time: formatAge(row.queuedAt, i18n.language),
      badge: <PayoutBadge payout={row} />,
      sentence: reasonOf(row),
    }),
    isWaiting: isSelectable,
    sheet: (row, position) => <PayoutSheet key={row.id} row={row} onClose={position.close} />,
  };
  return (
    <>
      <OperatorList screen={screen} />
      <PauseDialog isOpen={isPausing} onClose={pausing.close} />
    </>
  );
}

/** The amount of a payout with its currency. */
function useCoinText(): (row: ListedPayout) => string {
  const { data: rails } = useRails();
  return ({ coinAmount, method }) => `${coinAmount} ${findRail(rails, method)?.currency ?? ''}`.trim();
}

function useColumns(
  coinText: (row: ListedPayout) => string,
  reasonOf: (row: ListedPayout) => ReactNode,
): Column<ListedPayout, SortOf<typeof readPayouts>>[] {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  return [
    {
      key: 'coin',
      heading: t('payouts.columns.coin'),
      cell: (row) => <span className={styles.coin}>{coinText(row)}</span>,
      isFigure: true,
    },
    {
      key: 'amount',
      heading: t('payouts.columns.amount'),
      cell: ({ amount }) => <span className="dim">{formatAmount(amount)}</span>,
      isFigure: true,
      defaultVisibility: 'wide',
    },
    { key: 'state', heading: t('payouts.columns.state'), cell: (row) => <PayoutBadge payout={row} /> },
    {
      key: 'reason',
      heading: t('payouts.columns.reason'),
      cell: (row) => <span className={styles.reason}>{reasonOf(row) ?? '–'}</span>,
      defaultVisibility: 'medium',
    },
    {
      key: 'method',
      heading: t('payouts.columns.method'),
      cell: ({ method }) => nameOf(method),
      defaultVisibility: 'hidden',
    },
    {
      key: 'holder',
      heading: t('payouts.columns.holder'),
      cell: ({ holder }) => <span className="dim">{holder?.host ?? '–'}</span>,
      defaultVisibility: 'hidden',
    },
    {
      key: 'transaction',
      heading: t('payouts.columns.transaction'),
      cell: ({ txId }) =>
        txId === null ? (
          '–'
        ) : (
          <span className="mono" title={txId}>
            {shortenMiddle(txId)}
          </span>
        ),
      defaultVisibility: 'hidden',
    },
    {
      key: 'queued',
      heading: t('payouts.columns.queued'),
      cell: ({ queuedAt }) => <Age at={queuedAt} isQuiet />,
      sort: 'queuedAt',
      isFigure: true,
    },
  ];
}

/** The states whose points belong together. */
const groups = {
  underWay: ['queued', 'signed', 'broadcast'],
  parked: ['parked'],
  paid: ['confirmed'],
  failed: ['failed'],
} as const;

/** The points of payouts, and their number. During a pause those that are not done wait. */
function useTotals(read: { data: PayoutTotals | undefined; isError: boolean }, arePaused: boolean): Total[] {
  const { t } = useTranslation();
  return Object.entries(groups).map(([key, states]) => {
    const within = (totals: PayoutTotals) =>
      totals.filter(({ state }) => (states as readonly string[]).includes(state));
    return {
      key,
      label: t(
        `payouts.totals.${key === 'underWay' && arePaused ? 'waiting' : (key as keyof typeof groups)}`,
      ),
      value: totalOf(read, (totals) =>
        formatAmount(within(totals).reduce((sum, { points }) => sum + BigInt(points), 0n)),
      ),
      note: totalOf(read, (totals) =>
        t('payouts.count', { count: within(totals).reduce((sum, { count }) => sum + count, 0) }),
      ),
    };
  });
}
