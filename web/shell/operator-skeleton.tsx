import clsx from 'clsx';
import { useTranslation } from 'react-i18next';
import { Bar } from '#web/ui/skeleton-parts.tsx';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import skeleton from './frame-skeleton.module.css';
import { PANEL_PATH } from './navigation.ts';
import frame from './operator-frame.module.css';
import styles from './operator-skeleton.module.css';

/** The widths of a list's filters. */
const chipWidths = { status: 146, method: 119, amount: 119, age: 96, order: 166, columns: 104 };

/**
 * The skeleton of an operators' list in its frame; the overview has rows without filters. Anyone with a session cookie
 * gets it at the operators' URLs, so it has only shapes, and no words or figures.
 */
export function OperatorSkeleton({ path }: { path: string }) {
  return (
    <div className={clsx(frame.frame, skeleton.frame)} aria-hidden="true" data-waiting>
      <header className={frame.top}>
        <span className={frame.opener}>
          <Bar width={18} height={14} />
        </span>
        <Bar width={132} height={18} />
      </header>
      <div className={frame.rail}>
        <div className={styles.name}>
          <span className={styles.mark} />
        </div>
        {['withdrawals', 'tickets', 'books'].map((link) => (
          <span key={link} className={styles.link} />
        ))}
      </div>
      <main className={styles.main}>
        <ListSkeleton path={path} />
      </main>
    </div>
  );
}

/** The skeleton of a list in the operators' frame, which is there already. */
export function OperatorMainSkeleton({ path }: { path: string }) {
  const { t } = useTranslation();
  return (
    <main id="main" tabIndex={-1} className={styles.main} aria-busy="true">
      <div role="status">
        <h1 className="visually-hidden">{t('common.loading')}</h1>
      </div>
      <div className={styles.list} aria-hidden="true">
        <ListSkeleton path={path} />
      </div>
    </main>
  );
}

function ListSkeleton({ path }: { path: string }) {
  return (
    <>
      <div className={styles.head}>
        <Bar width={128} height={20} />
        <div className={styles.totals}>
          {['waiting', 'sum', 'oldest'].map((total) => (
            <Bar key={total} width={72} height={16} />
          ))}
        </div>
      </div>
      {path !== PANEL_PATH && (
        <div className={styles.filters}>
          <div className={styles.chips}>
            {Object.entries(chipWidths).map(([chip, width]) => (
              <span key={chip} className={styles.chip} style={{ width }} />
            ))}
          </div>
          <span className={styles.search} />
        </div>
      )}
      <div className={styles.rows}>
        <RowShapes count={5} />
      </div>
    </>
  );
}
