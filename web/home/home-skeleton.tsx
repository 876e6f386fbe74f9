import clsx from 'clsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BigFigurePlace } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import summary from './balance-summary.module.css';
import home from './dashboard-page.module.css';
import styles from './home-skeleton.module.css';

/** The skeleton of Home, shown before the app has loaded: the balance card and cards without words. */
export function HomeSkeleton() {
  return (
    <>
      <div className={home.hello}>
        <div className={styles.greeting}>
          <span className={styles.bar} />
        </div>
      </div>
      <div className={home.grid}>
        <div className={home.column}>
          <BalanceSkeleton />
          <div className="card">
            {head}
            <RowShapes count={5} />
          </div>
          <CardSkeleton className={styles.card} />
        </div>
        <div className={home.column}>
          <div className="card">
            {head}
            <div className="card-body">
              <div className={styles.days} />
              <span className={clsx(styles.bar, styles.line)} style={{ margin: 0 }} />
            </div>
          </div>
          <CardSkeleton className={styles.flip} />
          <CardSkeleton className={styles.card} />
        </div>
      </div>
    </>
  );
}

const head = (
  <div className="card-head">
    <span className={clsx(styles.bar, styles.name)} />
  </div>
);

/** A card's heading and two lines of its content. */
const CardSkeleton = ({ className }: { className: string | undefined }) => (
  <div className={clsx('card', className)}>
    {head}
    <div className="card-body">
      <span className={clsx(styles.bar, styles.line)} />
      <span className={clsx(styles.bar, styles.line)} />
    </div>
  </div>
);

/** Mirrors the elements of `BalanceSummary`, so that it has the same height. */
function BalanceSkeleton() {
  const bar = <span className={summary.bar} />;
  return (
    <BalanceCard className={summary.card}>
      <p className={summary.label}>{bar}</p>
      <BigFigurePlace />
      <p className={`num ${summary.dollars}`}>{'\u00a0'}</p>
      <div className={summary.possible} />
      <div className={summary.actions}>
        <span className={clsx(button.button, button.paper, styles.main)} />
        <span className={clsx(button.button, button.ghost, styles.button)} />
        <span className={clsx(button.button, button.ghost, styles.button)} />
      </div>
      <dl className={summary.sums}>
        {['earned', 'today', 'tasks'].map((sum) => (
          <div key={sum}>
            <dt>{'\u00a0'}</dt>
            <dd>{bar}</dd>
          </div>
        ))}
      </dl>
    </BalanceCard>
  );
}
