import { IconPlayerPause } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readHealth } from '#contract/health.ts';
import { readUserStats } from '#contract/members-accounts.ts';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { KeyStrip } from '#web/admin/kit/key-strip.tsx';
import { useKeys } from '#web/admin/kit/keys.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { formatAmount, formatDollars, formatPoints, formatToday } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { HeldCard } from './held-card.tsx';
import styles from './overview-page.module.css';
import { OverviewTabs } from './overview-tabs.tsx';
import { Plots } from './plots.tsx';
import { WaitingCard } from './waiting-card.tsx';

/** The operators' first page: the site's figures, what waits for an operator, and the site day by day. */

const POLL_MS = 10_000;
const HEALTH_POLL_MS = 30_000;

export function OverviewPage() {
  const { t, i18n } = useTranslation();
  // The list and each plot listen for their keys themselves.
  useKeys([], {
    title: t('overview.keys.title'),
    lines: [
      { label: t('overview.keys.move'), caps: ['J', 'K'], isOnStrip: true },
      { label: t('overview.keys.view'), caps: ['T'], isOnStrip: true },
    ],
  });
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <div className={styles.head}>
        <h1>{t('overview.title')}</h1>
        <p className={styles.today}>{formatToday(i18n.language)}</p>
        <HealthLine />
      </div>
      <Figures />
      <OverviewTabs>
        <div className={styles.halves}>
          <WaitingCard />
          <HeldCard />
        </div>
        <Plots />
      </OverviewTabs>
      <div className={styles.foot}>
        <KeyStrip />
      </div>
    </main>
  );
}

/** Whether the server that answers is well, or its payouts are paused; leads to what is not. */
function HealthLine() {
  const { t } = useTranslation();
  const { data } = useRead(readHealth, undefined, { refetchInterval: HEALTH_POLL_MS });
  if (data === undefined) return <span className={styles.health} />;
  const count = data.troubles.length;
  const isPaused = count === 0 && data.stops.length > 0;
  return (
    <Link to="/management-panel-x7k9w" search={{ tab: 'system' }} className={styles.health}>
      {isPaused ? (
        <StatusBadge tone="wait" icon={IconPlayerPause}>
          {t('overview.system.paused')}
        </StatusBadge>
      ) : (
        <StatusBadge tone={count === 0 ? 'ok' : 'warn'}>
          {count === 0 ? t('overview.system.well') : t('overview.system.notWell', { count })}
        </StatusBadge>
      )}
    </Link>
  );
}

/** The specified figures of withdrawals and members. */
function Figures() {
  const { t } = useTranslation();
  const withdrawals = useRead(readWithdrawalStats, undefined, { refetchInterval: POLL_MS });
  const users = useRead(readUserStats, undefined, { refetchInterval: POLL_MS });
  const total = (
    key: 'members' | 'active' | 'today',
    read: (stats: NonNullable<typeof users.data>) => number,
  ) => ({
    key,
    label: t(`overview.figures.${key}`),
    value: totalOf(users, (stats) => formatPoints(read(stats))),
  });
  return (
    <ListTotals
      totals={[
        {
          key: 'pending',
          label: t('overview.figures.pending'),
          value: totalOf(withdrawals, ({ pendingWithdrawals }) => formatPoints(pendingWithdrawals)),
          note: totalOf(withdrawals, ({ pendingAmount }) => formatAmount(pendingAmount)),
        },
        {
          key: 'withdrawals',
          label: t('overview.figures.withdrawals'),
          value: totalOf(withdrawals, ({ totalWithdrawals }) => formatPoints(totalWithdrawals)),
        },
        {
          key: 'paid',
          label: t('overview.figures.paid'),
          value: totalOf(users, ({ totalPaidOut }) => formatAmount(totalPaidOut)),
          note: totalOf(users, ({ totalPaidOut }) => formatDollars(totalPaidOut)),
        },
        total('members', ({ totalUsers }) => totalUsers),
        total('active', ({ activeUsers }) => activeUsers),
        total('today', ({ todaySignups }) => todaySignups),
      ]}
    />
  );
}
