import { useTranslation } from 'react-i18next';
import { type FreeBalance, type QueuedWithdrawal, readWithdrawalStats } from '#contract/withdrawals.ts';
import type { MethodTotals as Totals } from '#contract/withdrawals-bulk.ts';
import { sumOf } from '#web/admin/kit/sums.ts';
import { formatAmount, formatDollars, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
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
  /** What the accounts hold, where the act pays from them; empty if that is not known, null until it was read. */
  wallets: readonly FreeBalance[] | null;
};

/** The totals of an approval of selected requests, beside what the accounts hold now. */
export function SelectedTotals({ totals }: { totals: readonly Totals[] }) {
  const { data, isError } = useRead(readWithdrawalStats);
  return <MethodTotals totals={totals} wallets={data?.balances ?? (isError ? [] : null)} />;
}

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
  const walletOf = (method: string) => wallets?.find((wallet) => wallet.method === method);
  const hasWallets = wallets === null || wallets.length > 0;
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
          {hasWallets && <th scope="col">{t('queue.bulk.walletAfter')}</th>}
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
            {hasWallets && (
              <td>
                {wallets === null ? '…' : <LeftInWallet points={one.points} wallet={walletOf(one.method)} />}
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
            {hasWallets && <td />}
          </tr>
        </tfoot>
      )}
    </table>
  );
}
