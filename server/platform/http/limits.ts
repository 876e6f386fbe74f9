import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '../bus.ts';
import { Refusal } from '../refusal.ts';

/**
 * Limits by address, member or account. One node counts in memory; several count together in Redis. A refused
 * call says when to come back.
 */
export type Limits = {
  /** 600 calls a minute per address or member. */
  countCall(who: string): Promise<void>;
  /** 10 registrations an hour per address. */
  countRegistration(ip: string): Promise<void>;
  /** Refuses where an account had 10 failed sign-ins within 15 minutes. */
  checkSignIn(account: string): Promise<void>;
  countFailedSignIn(account: string): Promise<void>;
  forgiveSignIns(account: string): Promise<void>;
  /** 10 wrong gate keys per address in 15 minutes. */
  countGateTry(ip: string): Promise<void>;
  /** 5 codes an hour per member, and per number. */
  countPhoneCode(who: string): Promise<void>;
};

const callsPerMinute = 600;
const registrationsPerHour = 10;
const failedSignInsPerQuarter = 10;
const gateTriesPerQuarter = 10;
const phoneCodesPerHour = 5;

export function createLimits(limitFactor: number, redis: Redis | null): Limits {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    redis === null
      ? new RateLimiterMemory({ keyPrefix, points, duration })
      : new RateLimiterRedis({ storeClient: redis, useRedisPackage: true, keyPrefix, points, duration });
  const scaled = (points: number) => Math.max(1, Math.trunc(points * limitFactor));
  const calls = limiter('calls', scaled(callsPerMinute), 60);
  const registrations = limiter('registrations', scaled(registrationsPerHour), 3600);
  const signIns = limiter('sign-ins', failedSignInsPerQuarter, 900);
  const gate = limiter('gate', gateTriesPerQuarter, 900);
  const codes = limiter('codes', scaled(phoneCodesPerHour), 3600);

  const consume = async (from: ReturnType<typeof limiter>, key: string) => {
    try {
      await from.consume(key);
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      throw limited(rejection as RateLimiterRes);
    }
  };
  return {
    countCall: (who) => consume(calls, who),
    countRegistration: (ip) => consume(registrations, ip),
    countGateTry: (ip) => consume(gate, ip),
    countPhoneCode: (who) => consume(codes, who),
    checkSignIn: async (account) => {
      const state = await signIns.get(account);
      if (state !== null && state.consumedPoints >= failedSignInsPerQuarter) throw limited(state);
    },
    countFailedSignIn: async (account) => {
      await signIns.penalty(account);
    },
    forgiveSignIns: async (account) => {
      await signIns.delete(account);
    },
  };
}

const limited = (state: RateLimiterRes) =>
  new Refusal('rate-limited', undefined, {}, Math.max(1, Math.ceil(state.msBeforeNext / 1000)));
