import { useTranslation } from 'react-i18next';
import { type Detection, readDetections } from '#contract/risk-signals.ts';
import type { Column, ListScreen, ListViews } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatTime } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { DetectionBadge } from './detection-badge.tsx';
import { DetectionSheet } from './detection-sheet.tsx';
import { ScoreBadge } from './score-badge.tsx';

/** Accounts that may be one person's. An operator confirms or dismisses each; nobody is suspended by it. */

const POLL_MS = 30_000;

export function DetectionsPage({ views }: { views: ListViews }) {
  const { t, i18n } = useTranslation();
  const noteOf = ({ relatedUserIds }: Detection) => t('detections.others', { count: relatedUserIds.length });
  const screen: ListScreen<Detection> = {
    state: useOperatorList<Detection>(readDetections, {
      pollMs: POLL_MS,
      defaultFilters: { status: 'open' },
    }),
    ...useListWords(readDetections, 'detections', {}),
    views,
    lead: {
      heading: t('detections.columns.member'),
      title: ({ primaryName }) => primaryName,
      note: noteOf,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <ScoreBadge score={row.riskScore} />,
      note: t(`fraud.rules.${row.detectionMethod}`),
      time: formatAge(row.createdAt, i18n.language),
      badge: <DetectionBadge status={row.status} />,
    }),
    isWaiting: () => false,
    sheet: (row, position) => <DetectionSheet key={row.id} row={row} onClose={position.close} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<Detection, SortOf<typeof readDetections>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return [
    {
      key: 'method',
      heading: t('detections.columns.method'),
      cell: ({ detectionMethod }) => t(`fraud.rules.${detectionMethod}`),
    },
    {
      key: 'score',
      heading: t('detections.columns.score'),
      cell: ({ riskScore }) => <ScoreBadge score={riskScore} />,
      sort: 'riskScore',
    },
    {
      key: 'confidence',
      heading: t('detections.columns.confidence'),
      cell: ({ confidence }) => t(`detections.choices.confidence.${confidence}`),
      defaultVisibility: 'medium',
    },
    {
      key: 'status',
      heading: t('detections.columns.status'),
      cell: ({ status, isHousehold }) => (
        <>
          <DetectionBadge status={status} />{' '}
          {isHousehold && <StatusBadge tone="plain">{t('detections.household')}</StatusBadge>}
        </>
      ),
    },
    {
      key: 'found',
      heading: t('detections.columns.found'),
      cell: ({ createdAt }) => (
        <span className="dim" title={formatTime(createdAt, language)}>
          {formatAge(createdAt, language)}
        </span>
      ),
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}
