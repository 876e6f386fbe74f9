import clsx from 'clsx';
import { Bar, PlaceSkeleton } from '#web/ui/skeleton-parts.tsx';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import skeleton from './frame-skeleton.module.css';
import { TICKETS_PATH } from './navigation.ts';
import frame from './operator-frame.module.css';
import styles from './operator-skeleton.module.css';

/**
 * The skeleton of an operators' list in its frame, without words. Anyone with a session cookie gets it at the
 * operators' URLs, so it has nothing that the public code of the frame does not have.
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
        {['withdrawals', 'tickets'].map((link) => (
          <span key={link} className={styles.link} />
        ))}
      </div>
      <main className={styles.main}>
        <PlaceSkeleton heights={[path === TICKETS_PATH ? 216 : 237, 150, 150]}>
          <div className={styles.part}>
            <Bar width={128} height={20} />
            <div className={styles.totals}>
              {['waiting', 'sum', 'oldest'].map((total) => (
                <Bar key={total} width={72} height={16} />
              ))}
            </div>
          </div>
        </PlaceSkeleton>
        <div className={styles.filters}>
          {['status', 'order', 'columns'].map((chip) => (
            <span key={chip} className={styles.chip} />
          ))}
        </div>
        <div className={styles.rows}>
          <RowShapes count={5} />
        </div>
      </main>
    </div>
  );
}
