import { useTranslation } from 'react-i18next';
import skeleton from '#web/ui/skeleton-rows.module.css';
import { useDelayed } from '#web/ui/use-delayed.ts';
import page from './catalogue-page.module.css';
import styles from './listing-list.module.css';

const widths = ['46%', '38%', '52%', '34%', '44%', '40%', '48%', '36%'];

/** Placeholders in the usual number and size. They show as `useDelayed` says and are not animated. */
export function ListingSkeletons() {
  const { t } = useTranslation();
  const isShown = useDelayed(150);
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      <div aria-hidden="true" style={{ visibility: isShown ? 'visible' : 'hidden' }}>
        <div className={page.count}>
          <span className={skeleton.bar} style={{ width: 64, height: 12 }} />
        </div>
        <ul className={styles.list}>
          {widths.map((width) => (
            <li key={width}>
              <span className={skeleton.plate} />
              <div className={styles.words}>
                <span className={skeleton.bar} style={{ width, height: 14 }} />
                <span
                  className={skeleton.bar}
                  style={{ width: '64%', height: 12, marginTop: 'var(--e-space-8)' }}
                />
                <span
                  className={skeleton.bar}
                  style={{ width: '30%', height: 11, marginTop: 'var(--e-space-8)' }}
                />
              </div>
              <span className={`${skeleton.bar} ${styles.minutes}`} style={{ width: 48, height: 12 }} />
              <span className={`${skeleton.bar} ${styles.reward}`} style={{ width: 64, height: 14 }} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
