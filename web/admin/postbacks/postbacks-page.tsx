import { useTranslation } from 'react-i18next';
import {
  type Postback,
  type PostbackStats,
  readPostbackStats,
  readPostbacks,
} from '#contract/earning-postbacks.ts';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, formatPoints, formatTime } from '#web/client/format.ts';
import { useSiteConfig } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { CallAmount } from './call-amount.tsx';
import { PostbackSheet } from './postback-sheet.tsx';
import { useSignatureNotices } from './signature-notice.tsx';
import { usePostbackViews } from './use-postback-views.ts';
import { VerdictBadge } from './verdict-badge.tsx';

/** Every call of a provider, with its steps, and its replay. */

const POLL_MS = 15_000;

export function PostbacksPage() {
  const { t, i18n } = useTranslation();
  const stats = useRead(readPostbackStats, undefined, { refetchInterval: POLL_MS });
  const { data: site } = useSiteConfig();
  const providers = (site?.providers ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const state = useOperatorList<Postback>(readPostbacks, { pollMs: POLL_MS });
  const screen: ListScreen<Postback> = {
    state,
    ...useListWords(readPostbacks, 'postbacks', { provider: providers }),
    notices: useSignatureNotices(stats.data?.wronglySigned ?? [], (provider) =>
      state.filter({ outcome: 'refused', provider }),
    ),
    totals: useTotals(stats),
    views: usePostbackViews(stats.data, state.filters.outcome ?? 'all'),
    lead: {
      heading: t('postbacks.columns.provider'),
      title: ({ providerName }) => providerName,
      note: ({ txId }) => txId ?? t('postbacks.noTransaction'),
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <CallAmount row={row} />,
      note: row.memberName ?? row.memberId ?? t('postbacks.noMember'),
      time: formatAge(row.at, i18n.language),
      badge: <VerdictBadge row={row} />,
    }),
    isWaiting: () => false,
    sheetWidth: 'wide',
    sheet: (row, position) => <PostbackSheet key={row.id} row={row} onClose={position.close} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<Postback, SortOf<typeof readPostbacks>>[] {
  const { t, i18n } = useTranslation();
  return [
    {
      key: 'time',
      heading: t('postbacks.columns.time'),
      cell: ({ at }) => <span title={formatTime(at, i18n.language)}>{formatTime(at, i18n.language)}</span>,
      sort: 'at',
      defaultVisibility: 'medium',
    },
    {
      key: 'member',
      heading: t('postbacks.columns.member'),
      cell: ({ memberName, memberId }) =>
        memberName ??
        (memberId === null ? (
          <span className="dimmer">{t('postbacks.noMember')}</span>
        ) : (
          t('postbacks.unknownMember', { id: memberId })
        )),
      // Beside the open sheet, which names the member, there is no room for it.
      defaultVisibility: 'medium',
    },
    {
      key: 'points',
      heading: t('postbacks.columns.points'),
      cell: (row) => <CallAmount row={row} />,
      isFigure: true,
    },
    {
      key: 'verdict',
      heading: t('postbacks.columns.verdict'),
      cell: (row) => <VerdictBadge row={row} />,
    },
    {
      key: 'address',
      heading: t('postbacks.columns.address'),
      cell: ({ address }) => <span className="mono">{address}</span>,
      defaultVisibility: 'hidden',
    },
  ];
}

function useTotals(stats: Parameters<typeof totalOf<PostbackStats>>[0]): Total[] {
  const { t, i18n } = useTranslation();
  return [
    {
      key: 'today',
      label: t('postbacks.totals.today'),
      value: totalOf(stats, ({ today }) => formatPoints(today)),
    },
    {
      key: 'booked',
      label: t('postbacks.totals.booked'),
      value: totalOf(stats, ({ booked }) => formatPoints(booked)),
      note: totalOf(stats, ({ bookedAmount }) => formatAmount(bookedAmount)),
    },
    {
      key: 'refused',
      label: t('postbacks.totals.refused'),
      value: totalOf(stats, ({ refused }) => formatPoints(refused)),
    },
    {
      key: 'last',
      label: t('postbacks.totals.last'),
      value: totalOf(stats, ({ lastAt }) =>
        lastAt === null ? t('postbacks.totals.none') : formatAge(lastAt, i18n.language),
      ),
    },
  ];
}
