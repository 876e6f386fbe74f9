import { useTranslation } from 'react-i18next';
import { readReferralStats } from '#contract/referrals.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './referral-stats.module.css';

/** The number of friends, the points they brought and the pending points. */
export function ReferralStats() {
  const { t } = useTranslation();
  const {
    data: stats,
    isError,
    error,
    refetch,
  } = useRead(readReferralStats, {}, { refetchOnMount: 'always' });
  const blank = <span className={styles.bar} aria-hidden="true" />;
  const figures = [
    {
      label: t('referrals.stats.friends'),
      value: stats && formatPoints(stats.totalReferrals),
      note: t('referrals.stats.friendsNote'),
    },
    {
      label: t('referrals.stats.rewards'),
      value: stats && formatAmount(stats.totalRewards),
      note: t('referrals.stats.rewardsNote'),
    },
    {
      label: t('referrals.stats.pending'),
      value: stats && formatAmount(stats.pendingRewards),
      note: t('referrals.stats.pendingNote'),
    },
  ];
  return (
    <section className={`card ${styles.card}`} aria-label={t('referrals.stats.label')}>
      {isError && stats === undefined ? (
        <ErrorState
          title={t('referrals.stats.failedTitle')}
          text={t('referrals.stats.failedText')}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
        />
      ) : (
        <dl aria-busy={stats === undefined || undefined}>
          {figures.map(({ label, value, note }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className="num">{value ?? blank}</dd>
              <dd className="caption dimmer">{note}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
