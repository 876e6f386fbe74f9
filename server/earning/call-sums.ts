import type { Database } from '#platform/database.ts';
import * as queries from './call-sum-queries.ts';

/**
 * How many calls of each provider had which verdict, by site day, for operators. A node counts in memory and adds its
 * counts once a second, so a call pays nothing for this. What a killed node had not added is missing.
 */
export type CallSums = {
  /** `points` count for credits that were booked. */
  add(call: { provider: string; verdict: string; points: string | null }): void;
  /** Stores what was counted. Never runs twice at the same time. */
  flush(): Promise<void>;
};

const DELETED_EVERY_MS = 3_600_000;

export function createCallSums(database: Database): CallSums {
  let counted = new Map<string, queries.CallSum>();
  let deletedAtMs = Number.NEGATIVE_INFINITY;
  const add = ({ provider, verdict, calls, points }: queries.CallSum) => {
    const key = `${provider} ${verdict}`;
    const known = counted.get(key) ?? { provider, verdict, calls: 0n, points: 0n };
    counted.set(key, { ...known, calls: known.calls + calls, points: known.points + points });
  };
  return {
    add: ({ provider, verdict, points }) =>
      add({
        provider,
        verdict,
        calls: 1n,
        points: verdict === 'credited' && points !== null ? BigInt(points) : 0n,
      }),
    flush: async () => {
      if (performance.now() - deletedAtMs > DELETED_EVERY_MS) {
        await queries.deleteOldSums(database);
        deletedAtMs = performance.now();
      }
      if (counted.size === 0) return;
      const storing = [...counted.values()];
      counted = new Map();
      try {
        await queries.addSums(database, storing);
      } catch (error) {
        for (const sum of storing) add(sum);
        throw error;
      }
    },
  };
}
