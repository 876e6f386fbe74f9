import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '../bus.ts';
import type { Config } from '../config.ts';
import { Refusal } from '../refusal.ts';

/**
 * Counts by address, member or account, for the limits that features declare. A source is an IPv4 address, the /64 of
 * an IPv6 address and, with ten times the limit, its /48. One node counts in memory; several nodes count in Redis. A
 * refusal says when to come back.
 */
export type Limit = {
  /** The prefix of its counters; no two limits share one. */
  name: string;
  max: number;
  perS: number;
  /**
   * Where LIMIT_FACTOR multiplies it. `sandbox` is for what costs a text message, a mail, a read of everything or disk
   * space, because nothing costs there; `never` for tries at a secret.
   */
  scaledIn: 'live-and-sandbox' | 'sandbox' | 'never';
  /** Each node counts for itself, so that counting needs no call to Redis. */
  isPerProcess?: true;
};

export type Limits = {
  /** Counts one. @throws Refusal `rate-limited` */
  count(limit: Limit, key: string): Promise<void>;
  /** Counts one and says whether it is within the limit, for what is left out beyond it without a refusal. */
  isWithin(limit: Limit, key: string): Promise<boolean>;
  /**
   * Runs a try at a secret, which answers undefined where it failed. Only failures count, and a success forgets them.
   * A node runs the tries of one account in turn: tries at once would all pass before the first failure is counted.
   * @throws Refusal `rate-limited`
   */
  attempt<T>(limit: Limit, account: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  /** Forgets the failed tries of an account whose owner has proven themselves in another way. */
  forgive(limit: Limit, account: string): Promise<void>;
};

/** How much more a /48 may do than one /64 in it. */
const SITE_FACTOR = 10;

type Counter = RateLimiterMemory | RateLimiterRedis;

export function createLimits(
  { mode, limitFactor }: Pick<Config, 'mode' | 'limitFactor'>,
  redis: Redis | null,
): Limits {
  const counters = new Map<string, Counter>();
  const isScaled = ({ scaledIn }: Limit) =>
    scaledIn === 'live-and-sandbox' || (scaledIn === 'sandbox' && mode === 'sandbox');
  const maxOf = (limit: Limit) =>
    isScaled(limit) ? Math.max(1, Math.trunc(limit.max * limitFactor)) : limit.max;

  /** The counter of a limit; `times` widens it for a /48. */
  const counterOf = (limit: Limit, keyPrefix: string, times: number): Counter => {
    const made = counters.get(keyPrefix);
    if (made !== undefined) return made;
    const options = { keyPrefix, points: maxOf(limit) * times, duration: limit.perS };
    const counter =
      redis === null || limit.isPerProcess === true
        ? new RateLimiterMemory(options)
        : new RateLimiterRedis({ ...options, storeClient: redis, useRedisPackage: true });
    counters.set(keyPrefix, counter);
    return counter;
  };
  /** Counts one. @returns how long to wait, where it is over the limit */
  const consume = async (limit: Limit, key: string): Promise<RateLimiterRes | undefined> => {
    try {
      const source = sourceOf(key);
      await counterOf(limit, limit.name, 1).consume(source?.line ?? key);
      if (source !== undefined) await counterOf(limit, `${limit.name}/48`, SITE_FACTOR).consume(source.site);
      return undefined;
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      return rejection as RateLimiterRes;
    }
  };
  const inTurn = turns();
  return {
    count: async (limit, key) => {
      const exceeded = await consume(limit, key);
      if (exceeded !== undefined) throw limited(exceeded);
    },
    isWithin: async (limit, key) => (await consume(limit, key)) === undefined,
    forgive: async (limit, account) => void (await counterOf(limit, limit.name, 1).delete(account)),
    attempt: (limit, account, attempt) =>
      inTurn(account, async () => {
        const failures = counterOf(limit, limit.name, 1);
        const state = await failures.get(account);
        if (state !== null && state.consumedPoints >= maxOf(limit)) throw limited(state);
        const result = await attempt();
        if (result === undefined) await failures.penalty(account);
        else await failures.delete(account);
        return result;
      }),
  };
}

/** The /64 and the /48 of an IPv6 address; undefined for any other key, which counts as it is. */
function sourceOf(key: string): { line: string; site: string } | undefined {
  if (!isIPv6(key)) return undefined;
  const address = ipaddr.process(key);
  // An IPv4 address in the form of IPv6.
  if (!(address instanceof ipaddr.IPv6)) return { line: address.toString(), site: address.toString() };
  return {
    line: `${address.parts.slice(0, 4).join(':')}/64`,
    site: `${address.parts.slice(0, 3).join(':')}/48`,
  };
}

/** Runs what has the same key one after the other, in the order of the calls. */
function turns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<void>>();
  return async (key, work) => {
    const mine = (lastByKey.get(key) ?? Promise.resolve()).then(work);
    // The next one waits for the end alone. How it ended is its own caller's.
    const end = mine.then(
      () => undefined,
      () => undefined,
    );
    lastByKey.set(key, end);
    try {
      return await mine;
    } finally {
      if (lastByKey.get(key) === end) lastByKey.delete(key);
    }
  };
}

const limited = (state: RateLimiterRes) =>
  new Refusal('rate-limited', undefined, {}, Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
