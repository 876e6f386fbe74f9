import type { ReplyOf } from '#contract/endpoint.ts';
import type { readWithdrawalStats as endpoint } from '#contract/withdrawals.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import { readFreeBalances } from './days.ts';
import { countKinds } from './flag-queries.ts';
import { readTotals } from './queries.ts';

/**
 * The figures above the operators' queue. The totals are read at each call. What needs a look at each pending request
 * is kept by a node for all operators, for half a minute while the totals stay. It is not read in a long queue, and left
 * out for as long if reading it failed, because the totals are needed most while the database is slow.
 */
const KEPT_MS = 30_000;
const PENDING_MAX = 1_000;

type Parts = Pick<Platform, 'database' | 'config' | 'log'>;
type Stats = Omit<ReplyOf<typeof endpoint>, 'kinds' | 'balances'>;
type Figures = Pick<ReplyOf<typeof endpoint>, 'kinds' | 'balances'>;

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
): () => Promise<ReplyOf<typeof endpoint>> {
  let kept: { readAt: number; totals: string; figures: Promise<Figures> } | undefined;
  const readKinds = async () => {
    const { database, config, log } = platform;
    try {
      return await countKinds(database, boundsOf(await readSettings(database, config.mode)));
    } catch (error) {
      log.warn({ error }, 'the kinds of pending withdrawals were not counted');
      return null;
    }
  };
  const read = async (pendingCount: number): Promise<Figures> => ({
    balances: await readFreeBalances(platform.database),
    kinds: pendingCount > PENDING_MAX ? null : await readKinds(),
  });
  return async () => {
    const stats = await readWithdrawalStats(platform);
    const totals = JSON.stringify(stats);
    if (kept?.totals !== totals || now() - kept.readAt >= KEPT_MS) {
      const begun = { readAt: now(), totals, figures: read(stats.pendingWithdrawals) };
      kept = begun;
      // A failure is not kept. The calls that wait for it are answered with it.
      begun.figures.catch(() => {
        if (kept === begun) kept = undefined;
      });
    }
    return { ...stats, ...(await kept.figures) };
  };
}
