import clsx from 'clsx';
import { DailyBonusSkeleton } from '#web/bonus/daily-bonus-skeleton.tsx';
import { CoinFlipSkeleton } from '#web/coinflip/coin-flip-skeleton.tsx';
import { WeekChartSkeleton } from '#web/ledger/week-chart-shapes.tsx';
import { InviteSkeleton } from '#web/referrals/invite-skeleton.tsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BigFigurePlace } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { Bar, CardHeadSkeleton } from '#web/ui/skeleton-parts.tsx';
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
          <InviteSkeleton />
        </div>
        <div className={home.column}>
          <DailyBonusSkeleton />
          <CoinFlipSkeleton />
          <WeekChartSkeleton />
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
