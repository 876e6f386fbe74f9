import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatPoints, formatWorth } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './profile-page.module.css';

/** The member's totals, the balance first. A negative amount shows as 0. */
export function StatCards() {
  const { t } = useTranslation();
  const stats = useRead(readStats);
  if (stats.isError)
    return (
      <section className="card">
        <ErrorState
          title={t('profile.figuresFailed')}
          text={t('profile.figuresFailedText')}
          requestId={requestIdOf(stats.error)}
          onRetry={() => void stats.refetch()}
        />
      </section>
    );
  const { data } = stats;
  return (
    <section className={`card ${styles.stats}`} aria-label={t('profile.figures')} aria-busy={stats.isPending}>
      <dl>
        <Stat
          label={t('profile.balance')}
          value={data && formatAmount(data.balance)}
          worth={data && formatWorth(data.balance)}
        />
        <Stat
          label={t('profile.totalEarned')}
          value={data && formatAmount(data.totalEarned)}
          worth={data && formatWorth(data.totalEarned)}
        />
        <Stat label={t('profile.todayEarned')} value={data && formatAmount(data.todayEarned)} />
        <Stat label={t('profile.completedTasks')} value={data && formatPoints(data.completedTasks)} />
      </dl>
    </section>
  );
}

type StatProps = { label: string; value: string | undefined; worth?: string | undefined };

function Stat({ label, value, worth }: StatProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="num">
        {value ?? <span className={styles.bar} aria-hidden="true" />}
        {worth !== undefined && <small>{worth}</small>}
      </dd>
    </div>
  );
}
