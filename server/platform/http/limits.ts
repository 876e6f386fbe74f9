import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { RateLimiterMemory, RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { Redis } from '../bus.ts';
import type { Config } from '../config.ts';
import { Refusal } from '../refusal.ts';

/**
 * Limits by address, member or account. Of an IPv6 address the first 64 bits count: the rest is one line's to choose.
 * One node counts in memory; several count together in Redis. A refused call says when to come back.
 */
export type Limits = {
  /** 600 calls a minute per address or member. */
  countCall(who: string): Promise<void>;
  /** 10 registrations an hour per address. */
  countRegistration(ip: string): Promise<void>;
  /**
   * Runs a try to sign in, which answers undefined where it failed. After 10 that failed within 15 minutes an account's
   * tries are refused, until they are forgotten. A node runs the tries of one account one after the other, because
   * those under way together would all pass before the first is counted.
   */
  trySignIn<T>(account: string, attempt: () => Promise<T | undefined>): Promise<T | undefined>;
  /** 10 wrong gate keys per address in 15 minutes. */
  countGateTry(ip: string): Promise<void>;
  /** 5 codes an hour per member, and per number. */
  countPhoneCode(who: string): Promise<void>;
  /** 10 copies of one's data an hour: each reads all that there is. */
  countExport(memberId: number): Promise<void>;
  /** 5 mails an hour that anybody can ask for, per mailbox, and 20 per address that asks. */
  countMail(mailbox: string, ip: string): Promise<void>;
  /** 120 fingerprints of devices an hour per address or member: each may be stored. */
  countFingerprint(who: string): Promise<void>;
  /** Whether a refused call of a webhook is one of the 60 a minute that are kept of an address; never refuses. */
  mayKeepRefused(ip: string): Promise<boolean>;
  /** Forgets the failed tries of an account whose owner has proven themselves in another way. */
  forgiveSignIns(account: string): Promise<void>;
};

const callsPerMinute = 600;
const registrationsPerHour = 10;
const failedSignInsPerQuarter = 10;
const gateTriesPerQuarter = 10;
const phoneCodesPerHour = 5;
const exportsPerHour = 10;
const mailsPerHour = 5;
const mailsPerHourAndAddress = 20;
const fingerprintsPerHour = 120;
const refusedKeptPerMinute = 60;

/**
 * The factor multiplies calls and registrations. The other limits guard what a text message, a mail, the database or
 * the disk costs, so that a live site keeps them whatever the factor; in the sandbox they follow it too, because
 * nothing costs there. How often a secret can be tried follows nothing.
 */
export function createLimits(
  { mode, limitFactor }: Pick<Config, 'mode' | 'limitFactor'>,
  redis: Redis | null,
): Limits {
  const limiter = (keyPrefix: string, points: number, duration: number) =>
    redis === null
      ? new RateLimiterMemory({ keyPrefix, points, duration })
      : new RateLimiterRedis({ storeClient: redis, useRedisPackage: true, keyPrefix, points, duration });
  const scaled = (points: number) => Math.max(1, Math.trunc(points * limitFactor));
  const scaledInSandbox = (points: number) => (mode === 'live' ? points : scaled(points));
  const calls = limiter('calls', scaled(callsPerMinute), 60);
  const registrations = limiter('registrations', scaled(registrationsPerHour), 3600);
  const signIns = limiter('sign-ins', failedSignInsPerQuarter, 900);
  const gate = limiter('gate', gateTriesPerQuarter, 900);
  const codes = limiter('codes', scaledInSandbox(phoneCodesPerHour), 3600);
  const exports = limiter('exports', scaledInSandbox(exportsPerHour), 3600);
  const mails = limiter('mails', scaledInSandbox(mailsPerHour), 3600);
  const mailAddresses = limiter('mail-addresses', scaledInSandbox(mailsPerHourAndAddress), 3600);
  const fingerprints = limiter('fingerprints', scaledInSandbox(fingerprintsPerHour), 3600);
  const refused = limiter('refused', scaledInSandbox(refusedKeptPerMinute), 60);

  const inTurn = turns();

  const consume = async (from: ReturnType<typeof limiter>, key: string) => {
    try {
      await from.consume(key);
    } catch (rejection) {
      if (rejection instanceof Error) throw rejection;
      throw limited(rejection as RateLimiterRes);
    }
  };
  return {
    countCall: (who) => consume(calls, lineOf(who)),
    countRegistration: (ip) => consume(registrations, lineOf(ip)),
    countGateTry: (ip) => consume(gate, lineOf(ip)),
    countPhoneCode: (who) => consume(codes, who),
    countExport: (memberId) => consume(exports, String(memberId)),
    countMail: async (mailbox, ip) => {
      await consume(mailAddresses, lineOf(ip));
      await consume(mails, mailbox);
    },
    countFingerprint: (who) => consume(fingerprints, lineOf(who)),
    mayKeepRefused: async (ip) => {
      try {
        await refused.consume(lineOf(ip));
        return true;
      } catch (rejection) {
        if (rejection instanceof Error) throw rejection;
        return false;
      }
    },
    forgiveSignIns: async (account) => void (await signIns.delete(account)),
    trySignIn: (account, attempt) =>
      inTurn(account, async () => {
        const state = await signIns.get(account);
        if (state !== null && state.consumedPoints >= failedSignInsPerQuarter) throw limited(state);
        const result = await attempt();
        if (result === undefined) await signIns.penalty(account);
        else await signIns.delete(account);
        return result;
      }),
  };
}

/** The line behind an address; whatever is no IPv6 address is its own. */
function lineOf(who: string): string {
  if (!isIPv6(who)) return who;
  const address = ipaddr.process(who);
  return address instanceof ipaddr.IPv6 ? `${address.parts.slice(0, 4).join(':')}/64` : address.toString();
}

/** Runs what has the same key one after the other, in the order of the calls. */
function turns(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const lastByKey = new Map<string, Promise<void>>();
  return async (key, work) => {
    const mine = (lastByKey.get(key) ?? Promise.resolve()).then(work);
    // Whoever comes next waits for the end alone; how it ended is its own caller's.
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
