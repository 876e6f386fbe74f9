import { useTranslation } from 'react-i18next';
import { readPostbackStats } from '#contract/earning-postbacks.ts';
import { type Quarantined, readQuarantine } from '#contract/earning-quarantine.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { QuarantineSheet } from './quarantine-sheet.tsx';
import { usePostbackViews } from './use-postback-views.ts';
import { useQuarantineReason } from './use-resolution.ts';

/** The calls that nobody could book: who is meant, then book or dismiss. */

const POLL_MS = 15_000;

export function QuarantinePage() {
  const { t, i18n } = useTranslation();
  const stats = useRead(readPostbackStats, undefined, { refetchInterval: POLL_MS });
  const { data: site } = useSiteConfig();
  const providers = (site?.providers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const nameOf = (id: string) => providers.find(({ value }) => value === id)?.label ?? id;
  const reasonOf = useQuarantineReason();
  const screen: ListScreen<Quarantined> = {
    state: useOperatorList<Quarantined>(readQuarantine, {
      pollMs: POLL_MS,
      defaultSortFor: () => 'at',
    }),
    ...useListWords(readQuarantine, 'quarantine', { provider: providers }),
    views: usePostbackViews(stats.data, 'quarantine'),
    lead: {
      heading: t('postbacks.columns.provider'),
      title: ({ provider }) => nameOf(provider),
      note: ({ txId }) => txId,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <CallSum row={row} />,
      note: row.memberId,
      time: formatAge(row.at, i18n.language),
      badge: <StatusBadge tone="warn">{reasonOf(row)}</StatusBadge>,
    }),
    isWaiting: () => false,
    sheetWidth: 'wide',
    sheet: (row, position) => (
      <QuarantineSheet key={row.id} row={row} position={position} providerName={nameOf(row.provider)} />
    ),
  };
  return <OperatorList screen={screen} />;
}

/** What the call names; a reversal without an amount takes the whole credit. */
function CallSum({ row: { amount, kind } }: { row: Quarantined }) {
  const { t } = useTranslation();
  if (amount === null) return <span className="dim">{t('quarantine.wholeCredit')}</span>;
  return <Amount points={kind === 'reversal' ? `-${amount}` : amount} signed={kind === 'reversal'} />;
}

function useColumns(): Column<Quarantined, SortOf<typeof readQuarantine>>[] {
  const { t } = useTranslation();
  const reasonOf = useQuarantineReason();
  return [
    {
      key: 'member',
      heading: t('quarantine.columns.member'),
      cell: ({ memberId }) => <span className="num">{memberId}</span>,
      defaultVisibility: 'medium',
    },
    {
      key: 'points',
      heading: t('postbacks.columns.points'),
      cell: (row) => <CallSum row={row} />,
      isFigure: true,
    },
    {
      key: 'reason',
      heading: t('quarantine.columns.reason'),
      cell: (row) => <StatusBadge tone="warn">{reasonOf(row)}</StatusBadge>,
    },
    {
      key: 'at',
      heading: t('quarantine.columns.received'),
      cell: ({ at }) => <Age at={at} isQuiet />,
      sort: 'at',
      isFigure: true,
    },
  ];
}
