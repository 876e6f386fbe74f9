import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Config } from '../config.ts';
import type { CountingClient } from '../redis.ts';
import { Refusal } from '../refusal.ts';
import { type Attempt, createAttempts } from './attempts.ts';

/**
 * Counts calls by address, member or account, for the limits that features declare. A source is an IPv4 address, the
 * /64 of an IPv6 address and, with ten times the limit, its /48. Counters are in memory or, if REDIS_URL is set, in
 * Redis, so that several nodes share them. While Redis does not answer, each node counts in memory. A refusal has a
 * `Retry-After`.
 */
export type Limit = {
  /** The prefix of its counters; unique. */
  name: string;
  max: number;
  perS: number;
  /**
   * The modes in which LIMIT_FACTOR multiplies it. `sandbox` is for limits on what costs money or resources in live
   * mode (text messages, mails, exports, disk space). `never` is for attempts at a secret.
   */
  scaledIn: 'live-and-sandbox' | 'sandbox' | 'never';
};

/** What a limit counts by: a text, of which an address stands for its sources; or an account at an address. */
export type Key = string | { account: string; address: string };

type Count = { limit: Limit; key: Key };

export type Limits = {
  /** Counts one call. @throws Refusal `rate-limited` */
  count(limit: Limit, key: Key): Promise<void>;
  /** Takes back one counted call. */
  giveBack(limit: Limit, key: Key): Promise<void>;
  /**
   * Counts one call in this process alone, without waiting: for the limit that every call counts by.
   * @throws Refusal `rate-limited`
   */
  countHere(limit: Limit, key: string): void;
  /**
   * Counts one call that is never given back: in Redis, or without waiting in this process if there is none. A limit
   * is counted by this alone or by `count` alone, because they keep separate counts.
   * @throws Refusal `rate-limited`
   */
  countCall(limit: Limit, key: string): Promise<void> | undefined;
  /** Counts one and returns whether it is within the limit, for work that is skipped instead of refused. */
  isWithin(limit: Limit, key: Key): Promise<boolean>;
  /** Counts nothing. @throws Refusal `rate-limited` if one more would exceed the limit */
  requireRoom(limit: Limit, key: Key): Promise<void>;
  attempt: Attempt<Count>;
  /** Resets a count after its owner proved their identity in another way. */
  forgive(limit: Limit, key: Key): Promise<void>;
};

/** The limit of a /48 divided by that of one /64. */
const SITE_FACTOR = 10;

type Counter = RateLimiterMemory | RateLimiterRedis;

export function createLimits(
  { mode, limitFactor }: Pick<Config, 'mode' | 'limitFactor'>,
  redis: CountingClient | null,
): Limits {
  const isScaled = ({ scaledIn }: Limit) =>
    scaledIn === 'live-and-sandbox' || (scaledIn === 'sandbox' && mode === 'sandbox');
  const maxOf = (limit: Limit) =>
    isScaled(limit) ? Math.max(1, Math.trunc(limit.max * limitFactor)) : limit.max;
  const counterOf = createCounters(maxOf, redis);
  /** Counts one; returns the counter's state if the limit is exceeded. */
  const consume = async (limit: Limit, key: Key): Promise<RateLimiterRes | undefined> => {
    try {
      for (const source of sourcesOf(key)) await counterOf(limit, source.factor).consume(source.key);
      return undefined;
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      return rejection as RateLimiterRes;
    }
  };
  const onEach = async (limit: Limit, key: Key, act: (counter: Counter, key: string) => Promise<unknown>) => {
    for (const source of sourcesOf(key)) await act(counterOf(limit, source.factor), source.key);
  };
  const count = async (limit: Limit, key: Key) => {
    const exceeded = await consume(limit, key);
    if (exceeded !== undefined) throw limited(exceeded.msBeforeNext);
  };
  const giveBack = (limit: Limit, key: Key) =>
    onEach(limit, key, (counter, source) => counter.reward(source));
  const forgive = (limit: Limit, key: Key) => onEach(limit, key, (counter, source) => counter.delete(source));
  const countInProcess = counterOfProcess();
  const countHere = (limit: Limit, key: string) => {
    if (!isIPv6(key)) countInProcess(limit, key, maxOf(limit));
    else
      for (const { key: source, factor } of sourcesOf(key))
        countInProcess(limit, source, maxOf(limit) * factor);
  };
  return {
    countHere,
    countCall: (limit, key) => (redis === null ? void countHere(limit, key) : count(limit, key)),
    count,
    giveBack,
    forgive,
    isWithin: async (limit, key) => (await consume(limit, key)) === undefined,
    requireRoom: (limit, key) => onEach(limit, key, requireRoom),
    attempt: createAttempts<Count>({
      count: (one) => count(one.limit, one.key),
      giveBack: (one) => giveBack(one.limit, one.key),
      reset: (one) => forgive(one.limit, one.key),
    }),
  };
}

/** Makes a function that gives the counter of a limit, made at its first use. `factor` multiplies the limit. */
function createCounters(
  maxOf: (limit: Limit) => number,
  redis: CountingClient | null,
): (limit: Limit, factor?: number) => Counter {
  const counters = new Map<string, Counter>();
  return (limit, factor = 1) => {
    const name = `${limit.name} ${factor}`;
    const made = counters.get(name);
    if (made !== undefined) return made;
    const options = { keyPrefix: limit.name, points: maxOf(limit) * factor, duration: limit.perS };
    const inProcess = new RateLimiterMemory(options);
    const counter =
      redis === null
        ? inProcess
        : new RateLimiterRedis({
            ...options,
            storeClient: redis,
            useRedisPackage: true,
            rejectIfRedisNotReady: true,
            insuranceLimiter: inProcess,
          });
    counters.set(name, counter);
    return counter;
  };
}

async function requireRoom(counter: Counter, key: string): Promise<void> {
  const state = await counter.get(key);
  if (state !== null && state.remainingPoints <= 0) throw limited(state.msBeforeNext);
}

const WINDOWS_MAX = 100_000;

/**
 * Makes a function that counts in memory. The window of a key begins with its first call. Of each limit, the keys that
 * called longest ago are dropped first, so that many addresses can't fill the memory.
 */
function counterOfProcess(): (limit: Limit, key: string, max: number) => void {
  const limits = new Map<string, LRUCache<string, { count: number; endsAtMs: number }>>();
  const windowsOf = (name: string) => {
    const known = limits.get(name);
    if (known !== undefined) return known;
    const made = new LRUCache<string, { count: number; endsAtMs: number }>({ max: WINDOWS_MAX });
    limits.set(name, made);
    return made;
  };
  return ({ name, perS }, key, max) => {
    const windows = windowsOf(name);
    const nowMs = performance.now();
    const open = windows.get(key);
    if (open === undefined || nowMs >= open.endsAtMs) {
      windows.set(key, { count: 1, endsAtMs: nowMs + perS * 1_000 });
      return;
    }
    open.count += 1;
    if (open.count > max) throw limited(open.endsAtMs - nowMs);
  };
}

/** What a key counts by, and the factor of the limit: the /64 and the /48 of an IPv6 address; any other key itself. */
function sourcesOf(given: Key): { key: string; factor: number }[] {
  if (typeof given !== 'string')
    return sourcesOf(given.address).map(({ key, factor }) => ({ key: `${given.account} ${key}`, factor }));
  const key = given;
  if (!isIPv6(key)) return [{ key, factor: 1 }];
  const address = ipaddr.process(key);
  // An IPv4 address written as IPv6.
  if (!(address instanceof ipaddr.IPv6)) return [{ key: address.toString(), factor: 1 }];
  return [
    { key: `${address.parts.slice(0, 4).join(':')}/64`, factor: 1 },
    { key: `${address.parts.slice(0, 3).join(':')}/48`, factor: SITE_FACTOR },
  ];
}

const limited = (waitMs: number) =>
  new Refusal('rate-limited', undefined, {}, Math.max(1, Math.ceil(waitMs / 1000)));
