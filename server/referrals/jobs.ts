import type { Platform } from '#platform/platform.ts';
import { pause, repeat } from '#platform/repeat.ts';
import { rewardDueAmong, sweepReferrals } from './referrals.ts';

/**
 * Pays due referral rewards in the background, in two ways. First, a member's `balance` event may come from their first
 * earning. Members with such events are collected for 300 ms and looked up together, so that a reward normally arrives
 * within a second and booking a credit does no extra work. Second, events can be lost, so each node also sweeps all
 * open referrals in chunks. If two nodes find the same referral, it is paid once.
 */
export type ReferralRewards = {
  /** Rewards all due referrals now. */
  sweep: () => Promise<void>;
  close: () => Promise<void>;
};

type RewardingPlatform = Pick<Platform, 'database' | 'bus' | 'log' | 'health'>;

const GATHERED_MS = 300;
const GATHERED_MAX = 2_000;
const CHUNK_ROWS = 500;
const CHUNK_INTERVAL_MS = 2_000;

export function startReferralRewards(
  platform: RewardingPlatform,
  { chunkRows = CHUNK_ROWS, chunkIntervalMs = CHUNK_INTERVAL_MS } = {},
): ReferralRewards {
  const closing = new AbortController();
  const news = rewardByNews(platform, closing.signal);
  let reached = 0;
  const loop = repeat(platform, closing.signal, {
    name: 'referrals',
    everyMs: chunkIntervalMs,
    work: async () => {
      reached = (await sweepReferrals(platform, reached, chunkRows)) ?? 0;
    },
  });
  return {
    sweep: async () => {
      let after: number | null = 0;
      while (after !== null && !closing.signal.aborted)
        after = await sweepReferrals(platform, after, chunkRows);
    },
    close: async () => {
      closing.abort();
      await Promise.all([loop, news.close()]);
    },
  };
}

/** Collects the members whose balance changed, and rewards those due together. */
function rewardByNews(platform: RewardingPlatform, signal: AbortSignal): { close: () => Promise<void> } {
  const gathered = new Set<number>();
  let looking: Promise<void> | undefined;
  const look = async () => {
    while (gathered.size > 0) {
      // Closing ends the pause, and the remaining members are looked up at once.
      await pause(GATHERED_MS, signal);
      const memberIds = [...gathered].slice(0, GATHERED_MAX);
      for (const memberId of memberIds) gathered.delete(memberId);
      try {
        await rewardDueAmong(platform, memberIds);
      } catch (error) {
        platform.log.warn({ error }, 'referrals were not looked at; the sweep will');
      }
    }
  };
  platform.bus.onNews(({ memberId, event }) => {
    if (event.type !== 'balance' || signal.aborted) return;
    gathered.add(memberId);
    looking ??= look().finally(() => {
      looking = undefined;
    });
  });
  return { close: async () => looking };
}
