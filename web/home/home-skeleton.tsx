import clsx from 'clsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BigFigurePlace } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { Bar, CardHeadSkeleton, CardSkeleton } from '#web/ui/skeleton-parts.tsx';
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
          <Bar width={200} height={20} />
        </div>
      </div>
      <div className={home.grid}>
        <div className={home.column}>
          <BalanceSkeleton />
          <div className="card">
            <CardHeadSkeleton />
            <RowShapes count={5} />
          </div>
          <CardSkeleton heights={[164, 96, 96]} lines={1} />
        </div>
        <div className={home.column}>
          <CardSkeleton heights={[200, 214, 214]}>
            <CardHeadSkeleton />
            <div className="card-body">
              <div className={styles.days} />
              <Bar width="100%" height={44} />
            </div>
          </CardSkeleton>
          <CardSkeleton
            heights={[
              [516, 522],
              [520, 526],
              [520, 526],
            ]}
            lines={7}
          />
          <CardSkeleton heights={[254, 266, 266]} lines={4} />
        </div>
      </div>
    </>
  );
}

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
