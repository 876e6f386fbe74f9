import type { ReplyOf } from '#contract/endpoint.ts';
import type { readWithdrawalStats as endpoint } from '#contract/withdrawals.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import { readFreeBalances } from './days.ts';
import { countKinds } from './flag-queries.ts';
import { readTotals } from './queries.ts';

/**
 * The figures above the operators' queue. The totals are read at each call. A node keeps the rest for half a minute
 * while the totals stay: the balances once, the kinds of pending requests for each operator, because what stands
 * against an approval depends on who approves. The kinds are not read in a long queue, and left out for as long if
 * reading them failed, because the totals are needed most while the database is slow.
 */
const KEPT_MS = 30_000;
const PENDING_MAX = 1_000;

type Parts = Pick<Platform, 'database' | 'config' | 'log'>;
type Stats = Omit<ReplyOf<typeof endpoint>, 'kinds' | 'balances'>;
type Figures = Pick<ReplyOf<typeof endpoint>, 'kinds' | 'balances'>;
type Kept = {
  readAt: number;
  totals: string;
  balances: Promise<Figures['balances']>;
  kindsByOperator: Map<number, Promise<Figures['kinds']>>;
};

/** Reads count and points of pending withdrawals, and the count of all. */
export async function readWithdrawalStats({ database }: Pick<Platform, 'database'>): Promise<Stats> {
  const totals = await readTotals(database);
  return {
    pendingWithdrawals: Number(totals.pendingCount),
    pendingAmount: totals.pendingPoints,
    totalWithdrawals: Number(totals.pendingCount + totals.approvedCount + totals.rejectedCount),
  };
}

export function queueFigures(
  platform: Parts,
  now: () => number = () => performance.now(),
): (operatorId: number) => Promise<ReplyOf<typeof endpoint>> {
  let kept: Kept | undefined;
  const { database, config, log } = platform;
  const readKinds = async (operatorId: number): Promise<Figures['kinds']> => {
    try {
      return await countKinds(database, operatorId, boundsOf(await readSettings(database, config.mode)));
    } catch (error) {
      log.warn({ error }, 'the kinds of pending withdrawals were not counted');
      return null;
    }
  };
  const begin = (totals: string): Kept => {
    const begun = { readAt: now(), totals, balances: readFreeBalances(database), kindsByOperator: new Map() };
    // A failure is not kept. The calls that wait for it are answered with it.
    begun.balances.catch(() => {
      if (kept === begun) kept = undefined;
    });
    return begun;
  };
  return async (operatorId) => {
    const stats = await readWithdrawalStats(platform);
    const totals = JSON.stringify(stats);
    if (kept?.totals !== totals || now() - kept.readAt >= KEPT_MS) kept = begin(totals);
    const { balances, kindsByOperator } = kept;
    const isLong = stats.pendingWithdrawals > PENDING_MAX;
    const kinds = isLong ? null : (kindsByOperator.get(operatorId) ?? readKinds(operatorId));
    if (kinds !== null) kindsByOperator.set(operatorId, kinds);
    return { ...stats, balances: await balances, kinds: await kinds };
  };
}
