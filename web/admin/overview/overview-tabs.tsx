import { Tabs } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readHealth } from '#contract/health.ts';
import { type Account, readUserStats, readUsers } from '#contract/members-accounts.ts';
import { readOverview, type Wait } from '#contract/overview.ts';
import type { Screen } from '#contract/screens.ts';
import { readWithdrawalStats } from '#contract/withdrawals.ts';
import { useHealthNames } from '#web/admin/kit/health-names.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { useFirstRow } from '#web/admin/kit/use-operator-list.ts';
import { formatAmount, formatPoints, formatTimeInFull } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Wallets } from './held-card.tsx';
import styles from './overview-tabs.module.css';
import { useOverviewDays } from './use-overview-days.ts';

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

type Card =
  | 'config'
  | 'withdrawals'
  | 'approvals'
  | 'users'
  | 'manual-rewards'
  | 'payouts'
  | 'books'
  | 'audit'
  | 'support';

/** The screens of a subject, as cards. */
function LinkCards({ names }: { names: readonly Card[] }) {
  const { t } = useTranslation();
  return (
    <ul className={styles.cards}>
      {names.map((name) => (
        <li key={name}>
          <Link to={`${PANEL}/${name}` satisfies Screen} className="card">
            <b>{t(`overview.links.${name}.title`)}</b>
            <span>{t(`overview.links.${name}.text`)}</span>
          </Link>
        </li>
      ))}
    </ul>
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

/** How many wait of this kind; 0 if the overview does not name it. */
const countOf = (kind: Wait['kind'], waits: readonly Wait[]) =>
  formatPoints(waits.find((wait) => wait.kind === kind)?.count ?? 0);

const totalText = ({ totalCount, isCapped }: { totalCount: number; isCapped: boolean }) =>
  `${formatPoints(totalCount)}${isCapped ? '+' : ''}`;

/** What is known of abuse: blocked and banned members, and calls of providers that were not booked. */
function SecurityTab() {
  const { t } = useTranslation();
  const blocked = useFirstRow<Account>(readUsers, { state: 'blocked' }, POLL_MS);
  const banned = useFirstRow<Account>(readUsers, { role: 'banned' }, POLL_MS);
  const overview = useRead(readOverview, undefined, { refetchInterval: POLL_MS });
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'blocked',
            label: t('overview.security.blocked'),
            value: totalOf(blocked, totalText),
          },
          { key: 'banned', label: t('overview.security.banned'), value: totalOf(banned, totalText) },
          {
            key: 'quarantine',
            label: t('overview.waiting.kinds.quarantine'),
            value: totalOf(overview, ({ waits }) => countOf('quarantine', waits)),
          },
        ]}
      />
      <LinkCards names={['users', 'audit']} />
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
            value: totalOf(overview, ({ waits }) => countOf('tickets', waits)),
          },
        ]}
      />
      <LinkCards names={['support']} />
    </>
  );
}

/** Whether the server is well, and what its jobs and audits found. */
function SystemTab() {
  const { t, i18n } = useTranslation();
  const nameOf = useHealthNames();
  const health = useRead(readHealth, undefined, { refetchInterval: POLL_MS });
  const overview = useRead(readOverview, undefined, { refetchInterval: POLL_MS });
  const troubles = health.data?.troubles ?? [];
  return (
    <>
      <ListTotals
        totals={[
          {
            key: 'troubles',
            label: t('overview.system.troubles'),
            value: totalOf(health, (read) => formatPoints(read.troubles.length)),
          },
          ...(['failedJobs', 'auditFindings'] as const).map((kind) => ({
            key: kind,
            label: t(`overview.waiting.kinds.${kind}`),
            value: totalOf(overview, ({ waits }) => countOf(kind, waits)),
          })),
        ]}
      />
      {health.data !== undefined && troubles.length === 0 && (
        <p>
          <StatusBadge tone="ok">{t('overview.system.well')}</StatusBadge>
        </p>
      )}
      {troubles.length > 0 && (
        <ul className={`card ${styles.troubles}`}>
          {troubles.map(({ name, trouble, since }) => (
            <li key={name}>
              <b>
                {nameOf(name)} <code className={styles.code}>{name}</code>
              </b>
              <ServerSentence text={trouble} />
              <small>{t('overview.system.since', { time: formatTimeInFull(since, i18n.language) })}</small>
            </li>
          ))}
        </ul>
      )}
      <LinkCards names={['books', 'audit']} />
    </>
  );
}
