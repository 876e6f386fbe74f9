import clsx from 'clsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import figure from '#web/ui/big-figure.module.css';
import button from '#web/ui/plain-button.module.css';
import summary from './balance-summary.module.css';
import home from './dashboard-page.module.css';
import styles from './home-skeleton.module.css';

/** The skeleton of Home, shown before the app has loaded: the balance card and empty cards. */
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
          <div className={clsx('card', styles.activity)} />
          <div className={clsx('card', styles.card)} />
        </div>
        <div className={home.column}>
          <div className={clsx('card', styles.card)} />
          <div className={clsx('card', styles.card)} />
          <div className={clsx('card', styles.card)} />
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
      <p className={figure.figure}>
        <span className={styles.figure} />
        <template data-balance>
          <span data-points />
          <span className={figure.unit}>{'\u00a0P'}</span>
        </template>
      </p>
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
