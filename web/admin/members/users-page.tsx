import { useTranslation } from 'react-i18next';
import { fullNameOf } from '#contract/full-name.ts';
import { type Account, readUserStats, readUsers } from '#contract/members-accounts.ts';
import { Age } from '#web/admin/kit/age.tsx';
import type { Column, ListScreen, Total } from '#web/admin/kit/list-screen.ts';
import { totalOf } from '#web/admin/kit/list-totals.tsx';
import { OperatorList } from '#web/admin/kit/operator-list.tsx';
import { type SortOf, useListWords } from '#web/admin/kit/use-list-words.ts';
import { useOperatorList } from '#web/admin/kit/use-operator-list.ts';
import { formatAge, formatAmount, formatDollars, formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { AccountBadge } from './account-badge.tsx';
import { AccountSheet } from './account-sheet.tsx';
import { balanceText } from './balance-text.ts';

/** The operators' list of members: find one, see the account, delete it. */

const POLL_MS = 30_000;

/** No act takes several members at once. */
const isSelectable = () => false;

export function UsersPage() {
  const { t, i18n } = useTranslation();
  const state = useOperatorList<Account>(readUsers, { pollMs: POLL_MS });
  const screen: ListScreen<Account> = {
    state,
    ...useListWords(readUsers, 'users', {}),
    totals: useTotals(),
    lead: {
      heading: t('users.columns.member'),
      title: fullNameOf,
      note: ({ email }) => email,
    },
    columns: useColumns(),
    card: (row) => ({
      figure: <span className="num">{balanceText(row.balance)}</span>,
      note: <span className="num">{row.id}</span>,
      time: formatAge(row.createdAt, i18n.language),
      badge: <AccountBadge account={row} />,
    }),
    isWaiting: isSelectable,
    sheet: (row) => <AccountSheet key={row.id} account={row} />,
  };
  return <OperatorList screen={screen} />;
}

function useColumns(): Column<Account, SortOf<typeof readUsers>>[] {
  const { t } = useTranslation();
  return [
    { key: 'state', heading: t('users.columns.state'), cell: (row) => <AccountBadge account={row} /> },
    {
      key: 'role',
      heading: t('users.columns.role'),
      cell: ({ role }) => t(`users.choices.role.${role}`),
      defaultVisibility: 'wide',
    },
    {
      key: 'id',
      heading: t('users.columns.id'),
      cell: ({ id }) => id,
      isFigure: true,
      defaultVisibility: 'medium',
    },
    {
      key: 'balance',
      heading: t('users.columns.balance'),
      cell: ({ balance }) => balanceText(balance),
      isFigure: true,
    },
    {
      key: 'earned',
      heading: t('users.columns.earned'),
      cell: ({ totalEarned }) => formatAmount(totalEarned),
      isFigure: true,
      defaultVisibility: 'wide',
    },
    {
      key: 'lastLogin',
      heading: t('users.columns.lastLogin'),
      cell: ({ lastLoginAt }) => (lastLoginAt === null ? '–' : <Age at={lastLoginAt} />),
      isFigure: true,
      defaultVisibility: 'medium',
    },
    {
      key: 'joined',
      heading: t('users.columns.joined'),
      cell: ({ createdAt }) => <Age at={createdAt} />,
      sort: 'createdAt',
      isFigure: true,
    },
  ];
}

function useTotals(): Total[] {
  const { t } = useTranslation();
  const stats = useRead(readUserStats, undefined, { refetchInterval: POLL_MS });
  const count = (value: number) => t('users.count', { count: value, number: formatPoints(value) });
  return [
    {
      key: 'total',
      label: t('users.totals.total'),
      value: totalOf(stats, ({ totalUsers }) => count(totalUsers)),
    },
    {
      key: 'active',
      label: t('users.totals.active'),
      value: totalOf(stats, ({ activeUsers }) => count(activeUsers)),
    },
    {
      key: 'today',
      label: t('users.totals.today'),
      value: totalOf(stats, ({ todaySignups }) => count(todaySignups)),
    },
    {
      key: 'paid',
      label: t('users.totals.paid'),
      value: totalOf(stats, ({ totalPaidOut }) => formatAmount(totalPaidOut)),
      note: totalOf(stats, ({ totalPaidOut }) => formatDollars(totalPaidOut)),
    },
  ];
}
