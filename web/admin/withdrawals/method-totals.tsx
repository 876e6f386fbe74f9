import { useTranslation } from 'react-i18next';
import type { QueuedWithdrawal } from '#contract/withdrawals.ts';
import type { FreeBalance, MethodTotals as Totals } from '#contract/withdrawals-bulk.ts';
import { sumOf } from '#web/admin/kit/sums.ts';
import { formatAmount, formatDollars, toPoints } from '#web/client/format.ts';
import { RailIcon } from '#web/ui/rail-icon.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import styles from './method-totals.module.css';

/** The totals of requests by method, the most points first. */
export function methodTotalsOf(rows: readonly QueuedWithdrawal[]): Totals[] {
  const byMethod = Object.entries(Object.groupBy(rows, ({ method }) => method));
  return byMethod
    .map(([method, own = []]) => ({ method, count: own.length, points: String(sumOf(own)) }))
    .sort((one, other) => (toPoints(one.points) < toPoints(other.points) ? 1 : -1));
}

type MethodTotalsProps = {
  totals: readonly Totals[];
  /** What the accounts hold, where the act pays from them; empty if that is not known. */
  wallets: readonly FreeBalance[];
};

/** What is left in an account after it has paid so much. */
function LeftInWallet({ points, wallet }: { points: string; wallet: FreeBalance | undefined }) {
  if (wallet === undefined) return '–';
  const after = toPoints(wallet.points) - toPoints(points);
  if (after >= 0n) return formatDollars(after);
  return <span className={styles.short}>−{formatDollars(-after)}</span>;
}

/** What an act on many requests decides, by method: read before anything is confirmed. */
export function MethodTotals({ totals, wallets }: MethodTotalsProps) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  if (totals.length === 0) return null;
  const walletOf = (method: string) => wallets.find((wallet) => wallet.method === method);
  const count = totals.reduce((sum, one) => sum + one.count, 0);
  const points = totals.reduce((sum, one) => sum + toPoints(one.points), 0n);
  return (
    <table className={styles.totals} aria-label={t('queue.bulk.totals')}>
      <thead>
        <tr>
          <th scope="col">{t('queue.bulk.method')}</th>
          <th scope="col">{t('queue.bulk.requests')}</th>
          <th scope="col">{t('queue.bulk.points')}</th>
          <th scope="col">{t('queue.bulk.dollars')}</th>
          {wallets.length > 0 && <th scope="col">{t('queue.bulk.walletAfter')}</th>}
        </tr>
      </thead>
      <tbody>
        {totals.map((one) => (
          <tr key={one.method}>
            <th scope="row">
              <span className={styles.method}>
                <RailIcon method={one.method} size={16} stroke={2} />
                {nameOf(one.method)}
              </span>
            </th>
            <td>{one.count}</td>
            <td>{formatAmount(one.points)}</td>
            <td>{formatDollars(one.points)}</td>
            {wallets.length > 0 && (
              <td>
                <LeftInWallet points={one.points} wallet={walletOf(one.method)} />
              </td>
            )}
          </tr>
        ))}
      </tbody>
      {totals.length > 1 && (
        <tfoot>
          <tr>
            <th scope="row">{t('queue.bulk.sum')}</th>
            <td>{count}</td>
            <td>{formatAmount(points)}</td>
            <td>{formatDollars(String(points))}</td>
            {wallets.length > 0 && <td />}
          </tr>
        </tfoot>
      )}
    </table>
  );
}
