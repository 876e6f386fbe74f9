import { Bar, CardHeadSkeleton, CardSkeleton } from '#web/ui/skeleton-parts.tsx';
import styles from './week-chart.module.css';

const heights = [28, 52, 40, 64, 36, 72, 48];

/** The bars of the chart without figures, in a document and while the figures load. */
export const WeekChartShapes = () => (
  <div className={styles.bars} aria-hidden="true">
    {heights.map((height) => (
      <div key={height}>
        <Bar width="64%" height={height} />
      </div>
    ))}
  </div>
);

/** The chart's card without words. */
export const WeekChartSkeleton = () => (
  <CardSkeleton heights={[254, 266, 266]}>
    <div className={styles.chart}>
      <CardHeadSkeleton />
      <div className={`card-body ${styles.body}`}>
        <WeekChartShapes />
        <div className={styles.days} />
      </div>
    </div>
  </CardSkeleton>
);
