import {
  IconAlertTriangle,
  IconCircleCheck,
  IconClock,
  IconHistory,
  IconUsers,
  IconWallet,
} from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { readStats, type Stats } from '#contract/ledger.ts';
import { WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import { formatAmount, formatPoints, formatTime, formatWorth, toPoints } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BalanceFailed } from '#web/ui/balance-failed.tsx';
import { BigFigure } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { useRestrictions } from '#web/withdrawals/waiting.ts';
import styles from './balance-summary.module.css';

/** Sums with more digits are set smaller, so that they fit a phone. */
const LONG_DIGITS = 7;

/** The balance card of Home: the balance, its worth, the next possible act, and the sums below a rule. */
export function BalanceSummary({ onWithdraw }: { onWithdraw: () => void }) {
  const { t } = useTranslation();
  const stats = useRead(readStats);
  const restrictions = useRestrictions();
  const isEnough = stats.data !== undefined && toPoints(stats.data.balance) >= WITHDRAWAL_POINTS_MIN;
  const canWithdraw = isEnough && (restrictions?.stop ?? null) === null;
  return (
    <BalanceCard className={styles.card} labelledBy="balance" busy={stats.isPending}>
      <h2 id="balance" className={styles.label}>
        {t('dashboard.balance')}
      </h2>
      <BigFigure text={formatPoints(stats.data?.balance)} unit="P" isLoading={stats.data === undefined} />
      <p className={`num ${styles.dollars}`}>
        {stats.data === undefined ? '\u00a0' : formatWorth(stats.data.balance)}
      </p>
      <Possible stats={stats.data} failed={stats.isError} onRetry={() => void stats.refetch()} />
      <div className={styles.actions}>
        <button
          type="button"
          className={clsx(button.button, button.paper)}
          disabled={!canWithdraw}
          aria-describedby="possible"
          onClick={onWithdraw}
        >
          <IconWallet size={20} stroke={1.75} aria-hidden="true" />
          {t('dashboard.withdraw')}
        </button>
        <Link to="/history" className={clsx(button.button, button.ghost)}>
          <IconHistory size={20} stroke={1.75} aria-hidden="true" />
          {t('dashboard.history')}
        </Link>
        <Link to="/referrals" className={clsx(button.button, button.ghost)}>
          <IconUsers size={20} stroke={1.75} aria-hidden="true" />
          {t('dashboard.invite')}
        </Link>
      </div>
      <Sums stats={stats.data} />
    </BalanceCard>
  );
}

type PossibleProps = { stats: Stats | undefined; failed: boolean; onRetry: () => void };

/**
 * One sentence on the next possible act: pay off a debt, read why withdrawals are stopped, earn up to the minimum,
 * verify the phone, or withdraw. It promises no withdrawal before it is known that none is stopped.
 */
function Possible({ stats, failed, onRetry }: PossibleProps) {
  const { t, i18n } = useTranslation();
  const { phoneVerified } = useMember();
  const restrictions = useRestrictions();
  if (stats === undefined) {
    return (
      <div className={styles.possible} id="possible">
        {failed && <BalanceFailed onRetry={onRetry} />}
      </div>
    );
  }
  const balance = toPoints(stats.balance);
  if (toPoints(stats.debt) > 0n) {
    const link = { to: '/chargeback-history', text: t('dashboard.why') } as const;
    const text = t('dashboard.debt', { amount: formatAmount(stats.debt) });
    return <Sentence icon={IconAlertTriangle} text={text} link={link} />;
  }
  const stop = restrictions?.stop ?? null;
  if (stop !== null) {
    const link = { to: '/withdrawal', text: t('dashboard.why') } as const;
    const text =
      stop.until === null
        ? t('dashboard.stopped')
        : t('dashboard.stoppedUntil', { until: formatTime(stop.until, i18n.language) });
    return <Sentence icon={IconAlertTriangle} text={text} link={link} />;
  }
  if (balance < WITHDRAWAL_POINTS_MIN) return <Missing balance={balance} />;
  if (!phoneVerified) {
    const link = { to: '/settings', text: t('dashboard.verifyLink') } as const;
    return <Sentence icon={IconAlertTriangle} text={t('dashboard.verify')} link={link} />;
  }
  if (restrictions === undefined) return <div className={styles.possible} id="possible" />;
  const minimum = formatAmount(WITHDRAWAL_POINTS_MIN);
  const { securityHoldUntil } = restrictions;
  if (securityHoldUntil !== null) {
    const until = formatTime(securityHoldUntil, i18n.language);
    return <Sentence icon={IconClock} text={t('dashboard.held', { minimum, until })} />;
  }
  return <Sentence icon={IconCircleCheck} text={t('dashboard.ready', { minimum })} />;
}

type SentenceProps = {
  icon: typeof IconClock;
  text: string;
  link?: { to: '/chargeback-history' | '/settings' | '/withdrawal'; text: string };
};

function Sentence({ icon: Icon, text, link }: SentenceProps) {
  return (
    <div className={styles.possible} id="possible">
      <Icon size={16} stroke={2} aria-hidden="true" />
      <p>
        {text}
        {link !== undefined && (
          <>
            {' '}
            <Link to={link.to} className={styles.link}>
              {link.text}
            </Link>
          </>
        )}
      </p>
    </div>
  );
}

/** The points that are missing to the smallest withdrawal. */
function Missing({ balance }: { balance: bigint }) {
  const { t } = useTranslation();
  const missing = formatAmount(WITHDRAWAL_POINTS_MIN - balance);
  return (
    <div className={styles.progress}>
      <ProgressBar
        value={Number(balance)}
        max={Number(WITHDRAWAL_POINTS_MIN)}
        label={t('dashboard.toNext', { amount: missing })}
      />
      <p className="num">
        <span id="possible">{t('dashboard.need', { amount: missing })}</span>
        <span>{formatAmount(WITHDRAWAL_POINTS_MIN)}</span>
      </p>
    </div>
  );
}

function Sums({ stats }: { stats: Stats | undefined }) {
  const { t } = useTranslation();
  const figure = (text: string | undefined) => text ?? <span className={styles.bar} aria-hidden="true" />;
  const isLong = (points: string | undefined) => (points?.length ?? 0) > LONG_DIGITS || undefined;
  return (
    <dl className={styles.sums}>
      <div>
        <dt>{t('dashboard.totalEarned')}</dt>
        <dd className="num" data-long={isLong(stats?.totalEarned)}>
          {figure(stats && formatAmount(stats.totalEarned))}
          {stats !== undefined && <small> {formatWorth(stats.totalEarned)}</small>}
        </dd>
      </div>
      <div>
        <dt>{t('dashboard.today')}</dt>
        <dd className="num" data-long={isLong(stats?.todayEarned)}>
          {figure(
            stats && `${toPoints(stats.todayEarned) > 0n ? '+' : ''}${formatAmount(stats.todayEarned)}`,
          )}
        </dd>
      </div>
      <div>
        <dt>{t('dashboard.tasks')}</dt>
        <dd className="num">{figure(stats && formatPoints(stats.completedTasks))}</dd>
      </div>
    </dl>
  );
}
