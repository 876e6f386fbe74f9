import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import styles from './bulk-bar.module.css';
import { type Selection, sumOf } from './use-queue.ts';

type BulkBarProps = { selection: Selection; onDecide: (decision: 'approved' | 'rejected') => void };

/** What is chosen, with its sum, and what can be done with it. */
export function BulkBar({ selection, onDecide }: BulkBarProps) {
  const { t } = useTranslation();
  const count = selection.chosen.length;
  if (count === 0) return null;
  const sum = sumOf(selection.chosen);
  return (
    <section className={styles.bar} aria-label={t('queue.bulk.selected', { count })}>
      <p className="num" role="status">
        {t('queue.bulk.selected', { count })}{' '}
        <span>
          {formatAmount(sum)} · {formatDollars(sum)}
        </span>
      </p>
      <Button variant="subtle" size="sm" onClick={selection.clear}>
        {t('queue.bulk.clear')}
      </Button>
      <Button variant="default" size="sm" onClick={() => onDecide('rejected')}>
        {t('queue.bulk.reject', { count })}
      </Button>
      <Button size="sm" onClick={() => onDecide('approved')}>
        {t('queue.bulk.approve', { count })}
      </Button>
    </section>
  );
}
