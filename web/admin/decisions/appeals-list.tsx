import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type ListedAppeal, readAppeals } from '#contract/decisions.ts';
import type { Column, ListScreen } from '#web/admin/kit/list-screen.ts';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatTime } from '#web/client/format.ts';
import { AppealBadge } from './appeal-badge.tsx';
import { AppealSheet } from './appeal-sheet.tsx';
import { useDecisionViews } from './use-decision-views.ts';

/** Members' appeals, the one that is due soonest on top. */

const POLL_MS = 10_000;

export function AppealsList() {
  const { t, i18n } = useTranslation();
  /** Unsent answers by appeal, so that looking at another one loses none. */
  const { current: drafts } = useRef(new Map<string, string>());
  const screen: ListScreen<ListedAppeal> = {
    state: useOperatorList<ListedAppeal>(readAppeals, {
      pollMs: POLL_MS,
      defaultFilters: { status: 'open' },
    }),
    ...useListWords(readAppeals, 'appeals', {}),
    views: useDecisionViews('appeals'),
    lead: {
      heading: t('appeals.columns.member'),
      title: ({ userName }) => userName,
      note: ({ userEmail }) => userEmail,
    },
    columns: useColumns(),
    card: (row) => ({
      note: `${t(`appeals.kinds.${row.kind}`)}: ${row.text}`,
      time: formatTime(row.answerBy, i18n.language),
      badge: <AppealBadge row={row} />,
    }),
    isWaiting: ({ status }) => status === 'open',
    sheet: (row, position) => <AppealSheet key={row.id} row={row} position={position} drafts={drafts} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<ListedAppeal, SortOf<typeof readAppeals>>[] {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return [
    {
      key: 'kind',
      heading: t('appeals.columns.kind'),
      cell: ({ kind }) => t(`appeals.kinds.${kind}`),
    },
    {
      key: 'text',
      heading: t('appeals.columns.text'),
      cell: ({ text }) => text,
      defaultVisibility: 'wide',
    },
    {
      key: 'state',
      heading: t('appeals.columns.state'),
      cell: (row) => <AppealBadge row={row} />,
    },
    {
      key: 'made',
      heading: t('appeals.columns.made'),
      cell: ({ createdAt }) => formatTime(createdAt, language),
      sort: 'createdAt',
      isFigure: true,
      defaultVisibility: 'medium',
    },
    {
      key: 'answerBy',
      heading: t('appeals.columns.answerBy'),
      cell: ({ answerBy }) => formatTime(answerBy, language),
      sort: 'answerBy',
      isFigure: true,
    },
  ];
}
