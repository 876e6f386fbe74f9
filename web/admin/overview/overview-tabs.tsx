import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readUserStats } from '#contract/members-accounts.ts';
import { readOverview } from '#contract/overview.ts';
import { type FraudStats, readFraudStats } from '#contract/risk-signals.ts';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Wallets } from './held-card.tsx';
import { LinkCards } from './link-cards.tsx';
import styles from './overview-tabs.module.css';
import { SystemTab } from './system-tab.tsx';
import { useOverviewDays } from './use-overview-days.ts';
import { waitCountOf } from './wait-count.ts';

/** The specified tabs of the first page. Each has its figures and leads to the screens of its subject. */

const POLL_MS = 30_000;
const PANEL = '/management-panel-x7k9w';

const tabs = ['withdrawals', 'users', 'wallet', 'security', 'settings', 'support', 'system'] as const;
type Tab = (typeof tabs)[number];

const contents: Record<Tab, () => ReactNode> = {
  withdrawals: WithdrawalsTab,
  users: UsersTab,
  wallet: WalletTab,
  security: SecurityTab,
  settings: SettingsTab,
  support: SupportTab,
  system: SystemTab,
};

/** `children` is the overview itself, the tab that is open first. */
export function OverviewTabs({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { tab } = useSearch({ from: '/operator/management-panel-x7k9w' });
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  // On a phone the open tab may be beyond the edge of the line.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const opened = list.current?.querySelector('[aria-selected="true"]');
    opened?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [tab]);
  const open = (value: string | null) => {
    const chosen = tabs.find((one) => one === value);
    void navigate({ to: PANEL, search: chosen === undefined ? {} : { tab: chosen }, replace: true });
  };
  return (
    <Tabs value={tab ?? 'overview'} onChange={open} keepMounted={false} className={styles.tabs}>
      <Tabs.List ref={list} className={styles.list}>
        {(['overview', ...tabs] as const).map((name) => (
          <Tabs.Tab key={name} value={name}>
            {t(`overview.tabs.${name}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="overview">{children}</Tabs.Panel>
      {tabs.map((name) => {
        const Content = contents[name];
        return (
          <Tabs.Panel key={name} value={name} className={styles.panel}>
            <Content />
          </Tabs.Panel>
        );
      })}
    </Tabs>
  );
}

function WithdrawalsTab() {
  const { t } = useTranslation();
  const stats = useRead(readWithdrawalStats, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'pending',
            label: t('overview.figures.pending'),
            value: totalOf(stats, ({ pendingWithdrawals }) => formatPoints(pendingWithdrawals)),
            note: totalOf(stats, ({ pendingAmount }) => formatAmount(pendingAmount)),
          },
          {
            key: 'all',
            label: t('overview.figures.withdrawals'),
            value: totalOf(stats, ({ totalWithdrawals }) => formatPoints(totalWithdrawals)),
          },
        ]}
      />
      <LinkCards names={['withdrawals', 'approvals', 'payouts']} />
    </>
  );
}

function UsersTab() {
  const { t } = useTranslation();
  const stats = useRead(readUserStats, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'members',
            label: t('overview.figures.members'),
            value: totalOf(stats, ({ totalUsers }) => formatPoints(totalUsers)),
          },
          {
            key: 'active',
            label: t('overview.figures.active'),
            value: totalOf(stats, ({ activeUsers }) => formatPoints(activeUsers)),
          },
          {
            key: 'today',
            label: t('overview.figures.today'),
            value: totalOf(stats, ({ todaySignups }) => formatPoints(todaySignups)),
          },
        ]}
      />
      <LinkCards names={['users', 'manual-rewards']} />
    </>
  );
}

function WalletTab() {
  const { data } = useOverviewDays();
  return (
    <>
      {data !== undefined && (
        <div className={`card ${styles.wallets}`}>
          <Wallets wallets={data.wallets} />
        </div>
      )}
      <LinkCards names={['payouts', 'books']} />
    </>
  );
}

const fraudFigures = [
  'suspiciousActivities',
  'blockedUsers',
  'highRiskSessions',
  'deviceDuplicates',
  'duplicateWallets',
] as const satisfies readonly (keyof FraudStats)[];
/** The server counts no further. */
const FRAUD_COUNT_MAX = 10_000;

/** The summary of fraud. */
function SecurityTab() {
  const { t } = useTranslation();
  const stats = useRead(readFraudStats, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={fraudFigures.map((figure) => ({
          key: figure,
          label: t(`overview.security.${figure}`),
          value: totalOf(
            stats,
            (data) => `${formatPoints(data[figure])}${data[figure] >= FRAUD_COUNT_MAX ? '+' : ''}`,
          ),
        }))}
      />
      <LinkCards names={['fraud', 'multi-account', 'audit']} />
    </>
  );
}

function SettingsTab() {
  return <LinkCards names={['config', 'audit']} />;
}

function SupportTab() {
  const { t } = useTranslation();
  const overview = useRead(readOverview, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'tickets',
            label: t('overview.support.open'),
            value: totalOf(overview, ({ waits }) => waitCountOf('tickets', waits)),
          },
        ]}
      />
      <LinkCards names={['support']} />
    </>
  );
}
