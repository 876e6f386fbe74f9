import {
  type Icon,
  IconAdjustments,
  IconAlertTriangle,
  IconBook2,
  IconCoinOff,
  IconCoins,
  IconGavel,
  IconGift,
  IconHandStop,
  IconListCheck,
  IconMessage2,
  IconPackageOff,
  IconPlayerPause,
  IconSettingsX,
  IconUserQuestion,
  IconWallet,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { readOverview, type Wait } from '#contract/overview.ts';
import type { Screen } from '#contract/screens.ts';
import { useKeys } from '#web/admin/kit/keys.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAge, formatAmount, formatPoints, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import styles from './waiting-card.module.css';

/** What waits for an operator, the most urgent first. The server decides the order and what is late. */

const POLL_MS = 10_000;

const icons: Record<Wait['kind'], Icon> = {
  withdrawals: IconWallet,
  approvals: IconListCheck,
  tickets: IconMessage2,
  claims: IconCoinOff,
  appeals: IconGavel,
  registrations: IconUserQuestion,
  grants: IconGift,
  settings: IconAdjustments,
  quarantine: IconPackageOff,
  parkedPayouts: IconPlayerPause,
  lowWallets: IconCoins,
  failedJobs: IconSettingsX,
  auditFindings: IconBook2,
};

/** Where each is decided. */
const places = {
  withdrawals: '/management-panel-x7k9w/withdrawals',
  approvals: '/management-panel-x7k9w/approvals',
  tickets: '/management-panel-x7k9w/support',
  claims: '/management-panel-x7k9w/claims',
  appeals: '/management-panel-x7k9w/decisions',
  registrations: '/management-panel-x7k9w/registrations',
  grants: '/management-panel-x7k9w/manual-rewards',
  settings: '/management-panel-x7k9w/config',
  quarantine: '/management-panel-x7k9w/postbacks/quarantine',
  parkedPayouts: '/management-panel-x7k9w/payouts',
  auditFindings: '/management-panel-x7k9w/books',
} as const satisfies Partial<Record<Wait['kind'], Screen>>;

/** The filter or tab of the place. */
const searches: Partial<Record<Wait['kind'], Record<string, string>>> = {
  parkedPayouts: { state: 'parked' },
  settings: { tab: 'site' },
};

/** The tab of this page that says more about what has no screen. */
const tabs = { lowWallets: 'wallet', failedJobs: 'system' } as const;
const hasTab = (kind: Wait['kind']): kind is keyof typeof tabs => kind in tabs;

export function WaitingCard() {
  const { t } = useTranslation();
  const read = useRead(readOverview, undefined, { refetchInterval: POLL_MS });
  const list = useRef<HTMLUListElement>(null);
  const move = (step: 1 | -1) => () => {
    const links = [...(list.current?.querySelectorAll('a') ?? [])];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    links[at === -1 ? 0 : at + step]?.focus();
  };
  useKeys([
    { hotkey: 'J', act: move(1) },
    { hotkey: 'K', act: move(-1) },
  ]);
  return (
    <section className="card" aria-labelledby="waiting">
      <div className="card-head">
        <h2 id="waiting">{t('overview.waiting.title')}</h2>
        <p className={styles.order}>{t('overview.waiting.order')}</p>
      </div>
      {read.data !== undefined && read.data.waits.length === 0 && (
        <EmptyState title={t('overview.waiting.none')} text={t('overview.waiting.noneText')} />
      )}
      {read.data !== undefined && read.data.waits.length > 0 && (
        <ul ref={list} className={styles.list}>
          {read.data.waits.map((wait) => (
            <li key={wait.kind} data-urgency={wait.urgency}>
              <Line wait={wait} at={read.data.at} />
            </li>
          ))}
        </ul>
      )}
      {read.isError && read.data === undefined && (
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${read.error.code}`)}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      )}
      {read.isPending && (
        <div className={styles.waiting}>
          <SkeletonRows count={4} />
        </div>
      )}
    </section>
  );
}

function Line({ wait, at }: { wait: Wait; at: string }) {
  const { t } = useTranslation();
  const { kind, count, points } = wait;
  const Sign = icons[kind];
  const parts = (
    <>
      <span className={styles.plate}>
        <Sign size={20} stroke={1.75} aria-hidden="true" />
      </span>
      <span className={styles.what}>
        <b>{t(`overview.waiting.kinds.${kind}`)}</b>
        <small>{t(`overview.waiting.texts.${kind}`)}</small>
      </span>
      <span className={`num ${styles.count}`}>
        <b>{formatPoints(count)}</b>
        {points !== null && <small>{formatAmount(points)}</small>}
      </span>
      <Age wait={wait} now={new Date(at)} />
    </>
  );
  return <Frame kind={kind}>{parts}</Frame>;
}

function Frame({ kind, children }: { kind: Wait['kind']; children: ReactNode }) {
  if (hasTab(kind))
    return (
      <Link to="/management-panel-x7k9w" search={{ tab: tabs[kind] }} className={styles.line}>
        {children}
      </Link>
    );
  return (
    <Link to={places[kind]} search={searches[kind] ?? {}} className={styles.line}>
      {children}
    </Link>
  );
}

/** The age of the oldest, how much of the promised time is over, and when it is due. */
function Age({ wait: { oldestAt, dueAt, urgency }, now }: { wait: Wait; now: Date }) {
  const { t, i18n } = useTranslation();
  if (oldestAt === null) return <span className={styles.age} />;
  const Sign = { late: IconHandStop, soon: IconAlertTriangle, inTime: undefined }[urgency];
  return (
    <span className={styles.age}>
      <span className={styles.since}>
        {Sign !== undefined && <Sign size={14} stroke={2.25} aria-hidden="true" />}
        {formatAge(oldestAt, i18n.language, now)}
      </span>
      {dueAt !== null && (
        <span className={styles.meter} aria-hidden="true">
          <span style={{ width: `${shareOf(oldestAt, dueAt, now)}%` }} />
        </span>
      )}
      <small>
        {dueAt === null
          ? t('overview.waiting.noPromise')
          : t(urgency === 'late' ? 'overview.waiting.wasDue' : 'overview.waiting.due', {
              time: formatTime(dueAt, i18n.language, now),
            })}
      </small>
    </span>
  );
}

/** How much of the promised time is over, in percent. */
function shareOf(oldestAt: string, dueAt: string, now: Date): number {
  const from = Date.parse(oldestAt);
  const share = (now.getTime() - from) / Math.max(1, Date.parse(dueAt) - from);
  return Math.round(Math.min(1, Math.max(0, share)) * 100);
}
