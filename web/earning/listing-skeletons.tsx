import { useMediaQuery } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import row from '#web/ui/listing-row.module.css';
import { below } from '#web/ui/sizes.ts';
import skeleton from '#web/ui/skeleton-rows.module.css';
import { useDelayed } from '#web/ui/use-delayed.ts';
import page from './catalogue-page.module.css';
import styles from './listing-skeletons.module.css';

const widths = ['46%', '38%', '52%', '34%', '44%', '40%', '48%', '36%'];

/** Placeholders in the usual number and size. They show as `useDelayed` says and are not animated. */
export function ListingSkeletons() {
  const { t } = useTranslation();
  const isNarrow = useMediaQuery(below('tablet'), false, { getInitialValueInEffect: false });
  const isShown = useDelayed(150);
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      <div aria-hidden="true" style={{ visibility: isShown ? 'visible' : 'hidden' }}>
        <div className={page.count}>
          <span className={skeleton.bar} style={{ width: 64, height: 12 }} />
        </div>
        <ul>
          {widths.map((width) => (
            <li key={width} className={row.row} data-narrow={isNarrow || undefined}>
              <span className={`${skeleton.bar} ${row.artwork} ${styles.artwork}`} />
              <div className={row.words}>
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
              <span className={`${skeleton.bar} ${row.minutes}`} style={{ width: 48, height: 12 }} />
              <span className={`${skeleton.bar} ${row.reward}`} style={{ width: 64, height: 14 }} />
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
