import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readProviders } from '#contract/earning-providers.ts';
import { readUserStats } from '#contract/members-accounts.ts';
import { type FraudStats, readFraudStats } from '#contract/risk-signals.ts';
import { readTicketFigures } from '#contract/support.ts';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { readPaymentMethods } from '#contract/withdrawals-methods.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { formatAmount, formatPoints, formatSpan } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { DaysCard } from './days-card.tsx';
import { Wallets } from './held-card.tsx';
import { LinkCards } from './link-cards.tsx';
import page from './overview-page.module.css';
import styles from './overview-tabs.module.css';
import { ActiveMembers, PaidOut, SignUps } from './plots.tsx';
import { SystemTab } from './system-tab.tsx';

/** The specified tabs of the first page. Each has its figures and leads to the screens of its subject. */

const POLL_MS = 30_000;
const MINUTE_MS = 60_000;
/** There are fewer methods and fewer providers. */
const LIST_LIMIT = 100;
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
      <DaysCard title={t('overview.plots.paid')}>{(read) => <PaidOut read={read} />}</DaysCard>
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
      <DaysCard title={t('overview.plots.signUps')}>
        {(read) => (
          <div className={page.halves}>
            <SignUps read={read} />
            <ActiveMembers read={read} />
          </div>
        )}
      </DaysCard>
      <LinkCards names={['users', 'manual-rewards']} />
    </>
  );
}

function WalletTab() {
  const { t } = useTranslation();
  return (
    <>
      <DaysCard title={t('overview.tabs.wallet')}>
        {({ wallets }) => (
          <div className={`card ${styles.wallets}`}>
            <Wallets wallets={wallets} isWhole={true} />
          </div>
        )}
      </DaysCard>
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

const onesOn = (rows: readonly { isEnabled: boolean }[]): number =>
  rows.filter(({ isEnabled }) => isEnabled).length;

/** How much of the site is switched on. */
function SettingsTab() {
  const { t } = useTranslation();
  const query = { limit: LIST_LIMIT };
  const methods = useRead(readPaymentMethods, { query }, { refetchInterval: POLL_MS });
  const providers = useRead(readProviders, { query }, { refetchInterval: POLL_MS });
  const on = (rows: readonly { isEnabled: boolean }[]) =>
    t('overview.settings.on', { number: onesOn(rows), count: rows.length });
  return (
    <>
      <ListTotals
        totals={[
          { key: 'methods', label: t('overview.settings.methods'), value: totalOf(methods, on) },
          { key: 'providers', label: t('overview.settings.providers'), value: totalOf(providers, on) },
        ]}
      />
      <LinkCards names={['config', 'audit']} />
    </>
  );
}

function SupportTab() {
  const { t, i18n } = useTranslation();
  const figures = useRead(readTicketFigures, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'waiting',
            label: t('overview.support.waiting'),
            value: totalOf(figures, ({ waiting }) => formatPoints(waiting)),
          },
          {
            key: 'late',
            label: t('overview.support.late'),
            value: totalOf(figures, ({ late }) => formatPoints(late)),
          },
          {
            key: 'firstAnswer',
            label: t('overview.support.firstAnswer'),
            value: totalOf(figures, ({ firstAnswerMedianMinutes: minutes }) =>
              minutes === null ? '–' : formatSpan(minutes * MINUTE_MS, i18n.language),
            ),
          },
        ]}
      />
      <LinkCards names={['support']} />
    </>
  );
}
