import { Bar, CardHeadSkeleton, CardSkeleton } from '#web/ui/skeleton-parts.tsx';
import styles from './daily-bonus-skeleton.module.css';

/** The daily bonus card without words, in a document and while the card's code loads. */
export const DailyBonusSkeleton = () => (
  <CardSkeleton heights={[200, 214, 214]}>
    <CardHeadSkeleton />
    <div className="card-body">
      <div className={styles.days} />
      <Bar width="100%" height={44} />
    </div>
  </CardSkeleton>
);
