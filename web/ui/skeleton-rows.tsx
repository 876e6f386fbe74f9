import { useTranslation } from 'react-i18next';
import rows from './rows.module.css';
import styles from './skeleton-rows.module.css';
import { useDelayed } from './use-delayed.ts';

const widths = ['78%', '62%', '70%', '54%', '66%'];

/** Skeleton rows in the number and size of the expected ones. They appear as `useDelayed` says and are not animated. */
export function SkeletonRows({ count }: { count: number }) {
  const { t } = useTranslation();
  const isShown = useDelayed(150);
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      <RowShapes count={count} visibility={isShown ? 'visible' : 'hidden'} />
    </div>
  );
}

/** The shapes alone, also for the skeleton of a document, which has no words. */
export function RowShapes({ count, visibility }: { count: number; visibility?: 'visible' | 'hidden' }) {
  return (
    <ul className={rows.rows} aria-hidden="true" style={{ visibility }}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are equal and never move.
        <li key={index}>
          <span className={styles.plate} />
          <div>
            <span className={styles.bar} style={{ width: widths[index % widths.length], height: 14 }} />
            <span
              className={styles.bar}
              style={{ width: '40%', height: 11, marginTop: 'var(--e-space-8)' }}
            />
          </div>
          <span className={styles.bar} style={{ width: 56, height: 14 }} />
        </li>
      ))}
    </ul>
  );
}
