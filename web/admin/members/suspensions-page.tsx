import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedSuspension, readSuspensions } from '#contract/members-suspensions.ts';
import type { Column, ListScreen, ListViews } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatTime } from '#web/client/format.ts';
import { SuspendDialog } from './suspend-dialog.tsx';
import { SuspensionBadge } from './suspension-badge.tsx';
import { SuspensionSheet } from './suspension-sheet.tsx';

/** The suspensions of members: a form for a new one, and lifting. */

const POLL_MS = 30_000;

export function SuspensionsPage({ views }: { views: ListViews }) {
  const { t, i18n } = useTranslation();
  const [isSuspending, setSuspending] = useState(false);
  const screen: ListScreen<ListedSuspension> = {
    state: useOperatorList<ListedSuspension>(readSuspensions, { pollMs: POLL_MS }),
    ...useListWords(readSuspensions, 'suspensions', {}),
    views,
    lead: {
      heading: t('suspensions.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      note: `${t(`member.suspensionTypes.${row.suspensionType}`)}: ${row.reason}`,
      time: formatAge(row.createdAt, i18n.language),
      badge: <SuspensionBadge row={row} />,
    }),
    isWaiting: () => false,
    begin: { label: t('suspensions.begin'), act: () => setSuspending(true) },
    sheet: (row, position) => <SuspensionSheet key={row.id} row={row} onClose={position.close} />,
  };
  return (
    <>
      <OperatorList screen={screen} />
      <SuspendDialog isOpen={isSuspending} onClose={() => setSuspending(false)} />
    </>
  );
}

function useColumns(): Column<ListedSuspension, SortOf<typeof readSuspensions>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return [
    {
      key: 'type',
      heading: t('suspensions.columns.type'),
      cell: ({ suspensionType }) => t(`member.suspensionTypes.${suspensionType}`),
    },
    {
      key: 'severity',
      heading: t('suspensions.columns.severity'),
      cell: ({ severity }) => t(`suspensions.choices.severity.${severity}`),
      defaultVisibility: 'medium',
    },
    {
      key: 'reason',
      heading: t('suspensions.columns.reason'),
      cell: ({ reason }) => reason,
      defaultVisibility: 'wide',
    },
    {
      key: 'until',
      heading: t('suspensions.columns.until'),
      cell: ({ expiresAt }) =>
        expiresAt === null ? t('member.untilLifted') : formatTime(expiresAt, language),
      defaultVisibility: 'medium',
    },
    {
      key: 'state',
      heading: t('suspensions.columns.state'),
      cell: (row) => <SuspensionBadge row={row} />,
    },
    {
      key: 'begun',
      heading: t('suspensions.columns.begun'),
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
