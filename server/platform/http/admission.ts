import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { type Caller, sessionCookieName } from './caller.ts';
import type { Limit } from './limits.ts';
import { isCrossSite } from './same-origin.ts';

/**
 * Who may call an endpoint: its `access`, the rule of the same origin, and the limits on calls. Webhooks are exempt
 * from the last two: they carry a signature, and a provider may send thousands of postbacks a minute from one address.
 */

/** Counted in the process before the session is looked up, so that a flood costs no work of the database. */
export const callsOfSource: Limit = {
  name: 'source-calls',
  max: 6_000,
  perS: 60,
  scaledIn: 'live-and-sandbox',
  isPerProcess: true,
};
/** Per member, or per source that is signed out. */
export const callsOfCaller: Limit = { name: 'calls', max: 600, perS: 60, scaledIn: 'live-and-sandbox' };

/** By what a caller's calls count: the member, or the address of somebody who is signed out. */
export const callerKey = (caller: Caller | undefined, address: string): string =>
  caller === undefined ? address : memberKey(caller.id);

export const memberKey = (memberId: number): string => `member:${memberId}`;

/**
 * The caller of a request, where there is one.
 * @throws Refusal `rate-limited`, `cross-site`, `unauthenticated`, `forbidden`
 */
export async function admit(
  platform: Platform,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (endpoint.access === 'webhook') return undefined;
  const { limits } = platform;
  await limits.count(callsOfSource, request.ip);
  if (endpoint.method !== 'GET' && isCrossSite(request.headers, platform.config)) throw refuse('cross-site');
  const token = request.cookies[sessionCookieName(platform.config.publicUrl)];
  const caller = token === undefined ? undefined : await platform.authenticate(token, freshnessFor(endpoint));
  await limits.count(callsOfCaller, callerKey(caller, request.ip));
  if (endpoint.access === 'public') return caller;
  if (caller === undefined) throw refuse('unauthenticated');
  if (endpoint.access === 'operator' && caller.role !== 'admin') throw refuse('forbidden');
  return caller;
}

/** Operators' calls and changes read the session from the database, unless the contract says otherwise. */
function freshnessFor({ access, method, acceptsCachedSession }: Endpoint): 'cached' | 'fresh' {
  if (access === 'operator') return 'fresh';
  return method === 'GET' || acceptsCachedSession === true ? 'cached' : 'fresh';
}

/**
 * Runs after the shape was checked, because the contract reports a wrong shape first. Public calls and those marked
 * `whileSuspended` stay open to suspended members.
 */
export function refuseSuspended(endpoint: Endpoint, caller: Caller | undefined): void {
  if (endpoint.access === 'public' || endpoint.whileSuspended === true) return;
  if (caller?.isSuspended === true) throw refuse('account-suspended');
}
