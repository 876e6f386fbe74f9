import { readAtScrape } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { readOldestPending, readPayoutCounts } from './queries.ts';
import type { RailStates } from './rails/rail.ts';
import { readPayoutRates } from './rates.ts';

/** The metrics of withdrawals: what waits and since when, and the balances to pay from. */
export function observeWithdrawals(
  { database, config, log, metrics }: Pick<Platform, 'database' | 'config' | 'log' | 'metrics'>,
  railStates: () => RailStates,
): void {
  const of = (state: string, method: string) => ({ method, state });
  readAtScrape({ registry: metrics.registry, log }, [
    {
      name: 'earnest_withdrawal_pending_age_seconds',
      read: async () => [{ value: (await readOldestPending(database))?.ageS ?? 0 }],
    },
    {
      name: 'earnest_payouts',
      read: async () =>
        (await readPayoutCounts(database)).map(({ method, state, count }) => ({
          labels: of(state, method),
          value: Number(count),
        })),
    },
    {
      name: 'earnest_payout_age_seconds',
      read: async () =>
        (await readPayoutCounts(database)).map(({ method, state, oldestS }) => ({
          labels: of(state, method),
          value: oldestS,
        })),
    },
    {
      name: 'earnest_rate_age_seconds',
      read: async () =>
        (await readPayoutRates({ database, config })).flatMap(({ currency, ageSeconds }) =>
          ageSeconds === null ? [] : [{ labels: { currency }, value: ageSeconds }],
        ),
    },
    {
      name: 'earnest_rate_usd',
      read: async () =>
        (await readPayoutRates({ database, config })).flatMap(({ currency, usd }) =>
          usd === null ? [] : [{ labels: { currency }, value: Number(usd) }],
        ),
    },
    {
      name: 'earnest_rail_balance',
      read: async () =>
        [...railStates()].flatMap(([method, state]) =>
          state.kind === 'ready' ? [{ labels: { method }, value: Number(state.balance) }] : [],
        ),
    },
  ]);
}
