import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ListedChargeback,
  MANUAL_PROVIDER,
  readAllChargebacks,
  readChargebackStats,
} from '#contract/earning-chargebacks.ts';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, formatTime } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { ChargebackDialog } from './chargeback-dialog.tsx';
import { ChargebackNotice } from './chargeback-notice.tsx';
import { ChargebackSheet } from './chargeback-sheet.tsx';
import { useProviderLabel } from './use-provider-label.ts';

/** All chargebacks, where providers send theirs, and the forms that take points back. */

const POLL_MS = 30_000;

export function ChargebacksPage() {
  const { t, i18n } = useTranslation();
  const { from: member, away } = useSearch({ from: '/operator/management-panel-x7k9w/chargebacks' });
  const navigate = useNavigate({ from: '/management-panel-x7k9w/chargebacks' });
  const [form, setForm] = useState<'manual' | 'test' | null>(null);
  const stats = useRead(readChargebackStats, undefined, { refetchInterval: POLL_MS });
  const labelOf = useProviderLabel();
  const screen: ListScreen<ListedChargeback> = {
    state: useOperatorList<ListedChargeback>(readAllChargebacks, { pollMs: POLL_MS }),
    ...useListWords(readAllChargebacks, 'chargebackList', { provider: useProviderOptions() }),
    notice: <ChargebackNotice hasNoStats={stats.isError} onTest={() => setForm('test')} />,
    totals: useTotals(stats),
    lead: {
      heading: t('chargebackList.columns.member'),
      title: ({ userFirstName }) => userFirstName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <Amount points={row.amount} signed />,
      note: `${labelOf(row)}, ${t(`chargebackList.reasons.${row.reason}`)}`,
      time: formatAge(row.createdAt, i18n.language),
    }),
    isWaiting: () => false,
    begin: { label: t('chargebackList.begin'), act: () => setForm('manual') },
    sheet: (row, position) => <ChargebackSheet key={row.id} row={row} onClose={position.close} />,
  };
  const close = () => {
    setForm(null);
    // A link from the member's page opened the form.
    if (member !== undefined)
      void navigate({ search: ({ from: _, away: __, ...rest }) => rest, replace: true });
  };
  return (
    <>
      <OperatorList screen={screen} />
      <ChargebackDialog
        kind={form ?? (member === undefined ? null : 'manual')}
        member={member ?? ''}
        {...(away === undefined
          ? {}
          : { begun: { amount: away, reason: t('chargebackList.awayReason'), seenBalance: away } })}
        onClose={close}
      />
    </>
  );
}

function useProviderOptions() {
  const { t } = useTranslation();
  const { data } = useSiteConfig();
  return [
    { value: MANUAL_PROVIDER, label: t('chargebackList.providers.Manual') },
    ...(data?.providers ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
}

function useColumns(): Column<ListedChargeback, SortOf<typeof readAllChargebacks>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const labelOf = useProviderLabel();
  return [
    {
      key: 'amount',
      heading: t('chargebackList.columns.amount'),
      cell: ({ amount }) => <Amount points={amount} signed />,
      isFigure: true,
    },
    { key: 'provider', heading: t('chargebackList.columns.provider'), cell: labelOf },
    {
      key: 'reason',
      heading: t('chargebackList.columns.reason'),
      cell: ({ reason }) => t(`chargebackList.reasons.${reason}`),
      defaultVisibility: 'medium',
    },
    {
      key: 'transaction',
      heading: t('chargebackList.columns.transaction'),
      cell: ({ txId }) => <span className="mono">{txId ?? '–'}</span>,
      defaultVisibility: 'wide',
    },
    {
      key: 'date',
      heading: t('chargebackList.columns.date'),
      cell: ({ createdAt }) => (
        <span className="dim" title={formatTime(createdAt, language)}>
          {formatTime(createdAt, language)}
        </span>
      ),
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

function useTotals(stats: Parameters<typeof totalOf<StatsReply>>[0]): Total[] {
  const { t } = useTranslation();
  const count = (value: number) => t('chargebackList.count', { count: value });
  return [
    {
      key: 'total',
      label: t('chargebackList.totals.count'),
      value: totalOf(stats, ({ totalChargebacks }) => count(totalChargebacks)),
    },
    {
      key: 'amount',
      label: t('chargebackList.totals.amount'),
      value: totalOf(stats, ({ totalAmount }) => formatAmount(totalAmount)),
    },
    {
      key: 'today',
      label: t('chargebackList.totals.today'),
      value: totalOf(stats, ({ todayChargebacks }) => count(todayChargebacks)),
    },
    {
      key: 'todayAmount',
      label: t('chargebackList.totals.todayAmount'),
      value: totalOf(stats, ({ todayAmount }) => formatAmount(todayAmount)),
    },
  ];
}

type StatsReply = NonNullable<ReturnType<typeof useRead<typeof readChargebackStats>>['data']>;
