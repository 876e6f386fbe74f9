import { useTranslation } from 'react-i18next';
import { type ListedDecision, readMadeDecisions } from '#contract/decisions.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatTime } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { MadeSheet } from './made-sheet.tsx';
import { useDecisionViews } from './use-decision-views.ts';

/** All decisions: about whom or what, by whom, until when and what lifts each. */

const POLL_MS = 30_000;

export function MadeList() {
  const { t, i18n } = useTranslation();
  const screen: ListScreen<ListedDecision> = {
    state: useOperatorList<ListedDecision>(readMadeDecisions, { pollMs: POLL_MS }),
    ...useListWords(readMadeDecisions, 'made', {}),
    views: useDecisionViews('made'),
    notice: <p className="dim small">{t('made.newest')}</p>,
    lead: {
      heading: t('made.columns.about'),
      title: ({ userName, about }) => userName ?? about,
      note: ({ userName, about }) => (userName === null ? '' : about),
    },
    columns: useColumns(),
    card: (row) => ({
      note: `${t(`made.kinds.${row.kind}`)} ${row.reason}`,
      time: formatTime(row.createdAt, i18n.language),
      badge: <MadeBadge row={row} />,
    }),
    isWaiting: () => false,
    sheet: (row, position) => <MadeSheet key={row.id} row={row} onClose={position.close} />,
  };
  return <OperatorList screen={screen} />;
}

function MadeBadge({ row: { kind, isActive } }: { row: ListedDecision }) {
  const { t } = useTranslation();
  if (isActive) return <StatusBadge tone="warn">{t('made.active')}</StatusBadge>;
  const isRejected =
    kind === 'earning_rejected' || kind === 'withdrawal_rejected' || kind === 'registration_refused';
  return <StatusBadge tone="plain">{t(isRejected ? 'made.rejected' : 'made.ended')}</StatusBadge>;
}

function useColumns(): Column<ListedDecision, SortOf<typeof readMadeDecisions>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return [
    { key: 'kind', heading: t('made.columns.kind'), cell: ({ kind }) => t(`made.kinds.${kind}`) },
    {
      key: 'reason',
      heading: t('made.columns.reason'),
      cell: ({ reason }) => reason,
      defaultVisibility: 'wide',
    },
    { key: 'state', heading: t('made.columns.state'), cell: (row) => <MadeBadge row={row} /> },
    {
      key: 'by',
      heading: t('made.columns.by'),
      cell: ({ decidedByEmail }) => decidedByEmail ?? '',
      defaultVisibility: 'wide',
    },
    {
      key: 'until',
      heading: t('made.columns.until'),
      cell: ({ isActive, expiresAt }) => {
        if (!isActive) return '';
        return expiresAt === null ? t('made.never') : formatTime(expiresAt, language);
      },
      defaultVisibility: 'medium',
    },
    {
      key: 'made',
      heading: t('made.columns.made'),
      cell: ({ createdAt }) => formatTime(createdAt, language),
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}
