import { useTranslation } from 'react-i18next';
import {
  approveEarning,
  holdReasons,
  type PendingEarning,
  readApprovalStats,
  readPendingEarnings,
  rejectEarning,
} from '#contract/earning.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { RowOutcome } from '#web/admin/kit/bulk-outcome.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { sumOf, sumsOf, sumText } from '#web/admin/kit/sums.ts';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useFirstRow, useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { type ApiError, call } from '#web/client/call.ts';
import { formatAge, formatAmount, formatDollars } from '#web/client/format.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { ApprovalSheet } from './approval-sheet.tsx';
import { WaitBadges } from './hold-reason-badge.tsx';
import { useNoteWords } from './note-words.ts';

/** The credits that wait for an operator: open, decide, next. The server decides the effect of an act. */

const POLL_MS = 10_000;

export function ApprovalsPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<PendingEarning>(readPendingEarnings, {
    pollMs: POLL_MS,
    defaultSortFor: () => 'createdAt',
  });
  const screen: ListScreen<PendingEarning> = {
    state,
    ...useListWords(readPendingEarnings, 'approvals', {
      holdReason: holdReasons.map((value) => ({ value, label: t(`approvals.holdReason.${value}`) })),
    }),
    totals: useTotals(),
    lead: {
      heading: t('approvals.columns.member'),
      title: ({ userFirstName }) => userFirstName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <Amount points={row.amount} />,
      note: row.description,
      time: formatAge(row.createdAt, i18n.language),
      badge:
        row.holdReason === 'amount' && row.firstApprovedBy === null ? undefined : <WaitBadges row={row} />,
    }),
    isWaiting: () => true,
    sumOf: sumText,
    bulkActs: useBulkActs(),
    sheet: (row, position) => (
      <ApprovalSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<PendingEarning, SortOf<typeof readPendingEarnings>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'earning',
      heading: t('approvals.columns.earning'),
      cell: ({ description }) => description,
      defaultVisibility: 'medium',
    },
    {
      key: 'amount',
      heading: t('approvals.columns.amount'),
      cell: ({ amount }) => <b>{formatAmount(amount)}</b>,
      sort: 'amount',
      isFigure: true,
    },
    {
      key: 'dollars',
      heading: t('approvals.columns.dollars'),
      cell: ({ amount }) => <span className="dim">{formatDollars(amount)}</span>,
      isFigure: true,
      defaultVisibility: 'wide',
    },
    {
      key: 'reason',
      heading: t('approvals.columns.reason'),
      cell: (row) => <WaitBadges row={row} />,
    },
    {
      key: 'source',
      heading: t('approvals.columns.source'),
      cell: ({ source }) => source,
      defaultVisibility: 'hidden',
    },
    {
      key: 'transaction',
      heading: t('approvals.columns.transaction'),
      cell: ({ txId }) => <span className="mono">{txId}</span>,
      defaultVisibility: 'hidden',
    },
    {
      key: 'received',
      heading: t('approvals.columns.received'),
      cell: ({ createdAt }) => <Age at={createdAt} isQuiet />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

/** The number and sum of the waiting credits, the age of the oldest, and the decisions so far. */
function useTotals(): Total[] {
  const { t, i18n } = useTranslation();
  const stats = useRead(readApprovalStats, undefined, {
    refetchInterval: usePollMs(POLL_MS, readApprovalStats.topic),
  });
  const oldest = useFirstRow<PendingEarning>(readPendingEarnings, { sort: 'createdAt' }, POLL_MS);
  const count = (value: number) => t('approvals.count', { count: value });
  return [
    {
      key: 'pending',
      label: t('approvals.totals.pending'),
      value: totalOf(stats, ({ pendingCount }) => count(pendingCount)),
    },
    {
      key: 'sum',
      label: t('approvals.totals.sum'),
      value: totalOf(stats, ({ pendingAmount }) => formatAmount(pendingAmount)),
      note: totalOf(stats, ({ pendingAmount }) => formatDollars(pendingAmount)),
    },
    {
      key: 'oldest',
      label: t('approvals.totals.oldest'),
      value: totalOf(oldest, ({ rows: [row] }) =>
        row === undefined ? t('approvals.totals.none') : formatAge(row.createdAt, i18n.language),
      ),
    },
    {
      key: 'approved',
      label: t('approvals.totals.approved'),
      value: totalOf(stats, ({ approvedCount }) => count(approvedCount)),
    },
    {
      key: 'rejected',
      label: t('approvals.totals.rejected'),
      value: totalOf(stats, ({ rejectedCount }) => count(rejectedCount)),
    },
  ];
}

/** The acts on the selected credits. */
function useBulkActs() {
  const { t } = useTranslation();
  const note = useNoteWords();
  const outcomeOf = (error: ApiError): RowOutcome | undefined =>
    isFirstApproval(error) ? { kind: 'part', text: t('approvals.bulk.firstApproved') } : undefined;
  const nameOf = (row: PendingEarning) =>
    `${row.userFirstName} · ${formatAmount(row.amount)} · ${row.source}`;
  return (rows: PendingEarning[]): BulkAct<PendingEarning>[] => {
    const count = rows.length;
    const sums = { count, ...sumsOf(sumOf(rows)) };
    return [
      {
        key: 'reject',
        label: t('approvals.bulk.reject', { count }),
        title: t('approvals.bulk.rejectTitle', { count }),
        text: t('approvals.bulk.rejectText', sums),
        submit: t('approvals.bulk.rejectSubmit', sums),
        tone: 'danger',
        count,
        reason: note,
        done: (done) => t('approvals.bulk.resultRejected', { count: done }),
        run: {
          rows,
          nameOf,
          act: ({ id }, reviewNote) => call(rejectEarning, { params: { id }, body: { reviewNote } }),
        },
      },
      {
        key: 'approve',
        label: t('approvals.bulk.approve', { count }),
        title: t('approvals.bulk.approveTitle', { count }),
        text: t('approvals.bulk.approveText', sums),
        submit: t('approvals.bulk.approveSubmit', sums),
        tone: 'money',
        isMain: true,
        count,
        done: (done) => t('approvals.bulk.resultApproved', { count: done }),
        part: (part) => t('approvals.bulk.resultFirst', { count: part }),
        run: { rows, nameOf, outcomeOf, act: ({ id }) => call(approveEarning, { params: { id } }) },
      },
    ];
  };
}
