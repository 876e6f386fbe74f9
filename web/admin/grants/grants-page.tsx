import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Grant, readGrantStats, readGrants } from '#contract/grants.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { sumText } from '#web/admin/kit/sums.ts';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount } from '#web/client/format.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { GiveDialog } from './give-dialog.tsx';
import { GrantBadge } from './grant-badge.tsx';
import { GrantSheet } from './grant-sheet.tsx';
import styles from './grants.module.css';
import { useBulkActs } from './use-bulk-acts.ts';

/** The points that operators gave: a form for a new grant, and the confirmation of another operator's. */

const POLL_MS = 10_000;

export function GrantsPage() {
  const { t, i18n } = useTranslation();
  const [isGiving, setGiving] = useState(false);
  const state = useOperatorList<Grant>(readGrants, { pollMs: POLL_MS });
  const screen: ListScreen<Grant> = {
    state,
    ...useListWords(readGrants, 'grants', {}),
    totals: useTotals(),
    lead: {
      heading: t('grants.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <Amount points={row.amount} />,
      note: row.reason,
      time: formatAge(row.createdAt, i18n.language),
      badge: row.status === 'completed' ? undefined : <GrantBadge status={row.status} />,
    }),
    isWaiting: ({ status }) => status === 'pending',
    sumOf: sumText,
    bulkActs: useBulkActs(),
    begin: { label: t('grants.begin'), act: () => setGiving(true) },
    sheet: (row, position) => (
      <GrantSheet key={row.id} row={row} position={position} refresh={() => void state.refresh()} />
    ),
  };
  return (
    <>
      <OperatorList screen={screen} />
      <GiveDialog isOpen={isGiving} onClose={() => setGiving(false)} />
    </>
  );
}

function useColumns(): Column<Grant, SortOf<typeof readGrants>>[] {
  const { t } = useTranslation();
  return [
    {
      key: 'amount',
      heading: t('grants.columns.amount'),
      cell: ({ amount }) => <b>{formatAmount(amount)}</b>,
      sort: 'amount',
      isFigure: true,
    },
    {
      key: 'reason',
      heading: t('grants.columns.reason'),
      cell: ({ reason }) => <span className={styles.reason}>{reason}</span>,
      defaultVisibility: 'medium',
    },
    {
      key: 'state',
      heading: t('grants.columns.state'),
      cell: ({ status }) => <GrantBadge status={status} />,
    },
    {
      key: 'operator',
      heading: t('grants.columns.operator'),
      cell: ({ adminEmail }) => adminEmail ?? t('grants.commandLine'),
      defaultVisibility: 'wide',
    },
    {
      key: 'given',
      heading: t('grants.columns.given'),
      cell: ({ createdAt }) => <Age at={createdAt} isQuiet />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

/** The waiting grants, all that were booked, and what this operator gave alone today. */
function useTotals(): Total[] {
  const { t } = useTranslation();
  const stats = useRead(readGrantStats, undefined, {
    refetchInterval: usePollMs(POLL_MS, readGrantStats.topic),
  });
  const count = (value: number) => t('grants.count', { count: value });
  return [
    {
      key: 'pending',
      label: t('grants.totals.pending'),
      value: totalOf(stats, ({ pendingCount }) => count(pendingCount)),
      note: totalOf(stats, ({ pendingAmount }) => formatAmount(pendingAmount)),
    },
    {
      key: 'completed',
      label: t('grants.totals.completed'),
      value: totalOf(stats, ({ completedCount }) => count(completedCount)),
      note: totalOf(stats, ({ completedAmount }) => formatAmount(completedAmount)),
    },
    {
      key: 'today',
      label: t('grants.totals.today'),
      value: totalOf(stats, ({ givenToday }) => formatAmount(givenToday)),
      note: totalOf(stats, ({ secondPersonFrom }) =>
        secondPersonFrom === null ? '' : t('grants.totals.of', { points: formatAmount(secondPersonFrom) }),
      ),
    },
  ];
}
