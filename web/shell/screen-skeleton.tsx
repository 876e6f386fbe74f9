import clsx from 'clsx';
import { TileShapes } from '#web/earning/tile-skeletons.tsx';
import { BalanceCard } from '#web/ui/balance-card.tsx';
import { BigFigurePlace } from '#web/ui/big-figure.tsx';
import button from '#web/ui/plain-button.module.css';
import { RowShapes } from '#web/ui/skeleton-rows.tsx';
import withdrawal from '#web/withdrawals/withdrawal-page.module.css';
import styles from './screen-skeleton.module.css';

/** The rows of a list's first page. */
const ROWS = 10;

/** The screens of a list, each with the lines of the introduction below its heading. */
const leadLines: Record<string, 'one' | 'two' | 'two-on-phones'> = {
  '/history': 'one',
  '/tasks': 'two',
  '/surveys': 'two-on-phones',
  '/referrals': 'two-on-phones',
  '/chargeback-history': 'one',
};

const bar = <span className={styles.bar} />;

/**
 * The skeleton of every screen but Home: provider tiles, the balance card of a withdrawal, a list, or else an empty
 * card. It has the place and size of what follows, and no words.
 */
export function ScreenSkeleton({ path }: { path: string }) {
  if (path === '/earn') {
    return (
      <>
        <Heading lines="two" />
        <div className={styles.sums} />
        <TileShapes />
      </>
    );
  }
  if (path === '/withdrawal') return <WithdrawalSkeleton />;
  const lines = leadLines[path];
  if (lines === undefined) {
    return (
      <>
        <Heading lines="one" />
        <div className={clsx('card', styles.card)} />
      </>
    );
  }
  return (
    <>
      <Heading lines={lines} />
      <div className="card">
        {path === '/history' && <div className={styles.tabs}>{bar}</div>}
        <RowShapes count={ROWS} />
      </div>
    </>
  );
}

function Heading({ lines }: { lines: 'one' | 'two' | 'two-on-phones' }) {
  const second = clsx(styles.bar, styles.second, lines === 'two-on-phones' && styles.narrow);
  return (
    <>
      <div className={styles.title}>{bar}</div>
      <p className={styles.lead}>
        {bar}
        {lines !== 'one' && <span className={second} />}
      </p>
    </>
  );
}

/** Mirrors the elements of `WithdrawalPage`, so that it has the same heights. */
function WithdrawalSkeleton() {
  const fact = <span className={clsx(styles.bar, styles.fact)} />;
  return (
    <>
      <div className={clsx(styles.title, withdrawal.title)}>{bar}</div>
      <div className={withdrawal.top}>
        <BalanceCard className={withdrawal.card}>
          <p className={withdrawal.label}>{'\u00a0'}</p>
          <BigFigurePlace />
          <div className={withdrawal.goal} />
          <div className={withdrawal.ask}>
            <span className={clsx(button.button, button.paper, styles.button)} />
            <div className={withdrawal.enough} />
          </div>
        </BalanceCard>
        <div className={clsx('card', withdrawal.info)}>
          <dl>
            {['smallest', 'each day', 'takes', 'approval', 'fee', 'network'].map((name) => (
              <div key={name}>
                <dt>{fact}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
      <div className="card">
        <div className="card-head">{bar}</div>
        <RowShapes count={3} />
      </div>
    </>
  );
}
