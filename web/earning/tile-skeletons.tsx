import { useTranslation } from 'react-i18next';
import { useDelayed } from '#web/ui/use-delayed.ts';
import pageStyles from './earn-page.module.css';
import styles from './tile-skeletons.module.css';

const groups = [
  { kind: 'survey', tiles: ['a', 'b', 'c'] },
  { kind: 'offerwall', tiles: ['a', 'b', 'c', 'd'] },
];

/** Placeholders of the tiles' size. */
export function TileSkeletons() {
  const { t } = useTranslation();
  const isShown = useDelayed(150);
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      <div aria-hidden="true" style={{ visibility: isShown ? 'visible' : 'hidden' }}>
        <TileShapes />
      </div>
    </div>
  );
}

function TileShapes() {
  return groups.map(({ kind, tiles }) => (
    <div key={kind} className={pageStyles.section}>
      <div className={styles.heading} />
      <div className={pageStyles.tiles} data-kind={kind}>
        {tiles.map((tile) => (
          <div key={tile} className={`card ${styles.tile}`}>
            <span style={{ width: 132, height: 44 }} />
            <span style={{ width: '52%', height: 16, marginTop: 'var(--e-space-24)' }} />
            <span style={{ width: '78%', height: 12, marginTop: 'var(--e-space-12)' }} />
            <span style={{ width: '100%', height: 34, marginTop: 'var(--e-space-section)' }} />
          </div>
        ))}
      </div>
    </div>
  ));
}
