import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatAge, formatAmount, formatDollars } from '#web/client/format.ts';
import styles from './queue-page.module.css';
import type { Queue } from './use-queue.ts';

/** What waits, in figures, before anything is done about it. */
export function QueueTotals({ queue }: { queue: Queue }) {
  const { t, i18n } = useTranslation();
  const { stats, oldest } = queue;
  const count = (value: number) => t('queue.count', { count: value });
  return (
    <dl className={`num ${styles.totals}`} aria-label={t('queue.totals.label')}>
      <Total label={t('queue.totals.pending')}>{stats && count(stats.pendingWithdrawals)}</Total>
      <Total label={t('queue.totals.sum')}>
        {stats && (
          <>
            {formatAmount(stats.pendingAmount)}
            <small>{formatDollars(stats.pendingAmount)}</small>
          </>
        )}
      </Total>
      <Total label={t('queue.totals.oldest')}>
        {oldest === undefined ? t('queue.totals.none') : formatAge(oldest.createdAt, i18n.language)}
      </Total>
      <Total label={t('queue.totals.all')}>{stats && count(stats.totalWithdrawals)}</Total>
    </dl>
  );
}

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
