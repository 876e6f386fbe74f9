import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { type Caller, sessionCookieName } from './caller.ts';
import { isCrossSite } from './same-origin.ts';

/** Who may call an endpoint: its `access`, the rule of the same origin, and the limits on calls. */

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
  if (endpoint.method !== 'GET' && isCrossSite(request.headers, platform.config)) throw refuse('cross-site');
  const token = request.cookies[sessionCookieName(platform.config.publicUrl)];
  const caller = token === undefined ? undefined : await platform.authenticate(token, freshnessFor(endpoint));
  await platform.limits.countCall(caller === undefined ? request.ip : `member:${caller.id}`);
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
