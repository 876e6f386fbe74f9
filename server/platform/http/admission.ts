import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { type Caller, sessionCookieName } from './caller.ts';
import type { Limit, Limits } from './limits.ts';
import { isCrossSite } from './same-origin.ts';
import { forData } from './security-headers.ts';

/**
 * Decides whether a caller may call an endpoint: by its `access`, the same-origin rule and the limits on calls.
 * Webhooks do not come here: `hooks.ts` of a feature binds them, because they are signed and a provider may send
 * thousands of calls a minute from one address.
 */

/** Calls per source. Counted in the process before the session is read, so that a flood does not reach the database. */
export const callsOfSource: Limit = {
  name: 'source-calls',
  max: 6_000,
  perS: 60,
  scaledIn: 'live-and-sandbox',
};
/** Calls per member; signed-out calls per source. */
export const callsOfCaller: Limit = { name: 'calls', max: 600, perS: 60, scaledIn: 'live-and-sandbox' };

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route's calls do not count by source. */
    isUncounted?: true;
  }
}

/** The configuration of routes whose calls do not count by source: webhooks and health. */
export const uncounted = { isUncounted: true } as const;

/**
 * Counts every call by its source before anything else is done for it: also documents, files, the upgrade to a socket
 * and URLs that do not exist.
 */
export function countSources(app: FastifyInstance, limits: Limits): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config?.isUncounted !== true) limits.countHere(callsOfSource, request.ip);
    done();
  });
}

/** Refuses every call of a blocked source, but of webhooks and health. Who opens a page gets one that says it. */
export function refuseBlocked(
  app: FastifyInstance,
  isBlocked: (address: string) => boolean,
  readPage: () => Promise<string>,
): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config?.isUncounted === true || !isBlocked(request.ip)) return done();
    if (request.headers.accept?.includes('text/html') !== true) throw refuse('address-blocked');
    readPage().then(
      (page) => reply.code(403).headers(forData).type('text/html; charset=utf-8').send(page),
      (error: Error) => done(error),
    );
  });
}

/** The key that a caller's calls count by: the member, or the address of a signed-out caller. */
export const callerKey = (caller: Caller | undefined, address: string): string =>
  caller === undefined ? address : memberKey(caller.id);

export const memberKey = (memberId: number): string => `member:${memberId}`;

/**
 * Admits a request and returns its caller; undefined for a signed-out caller.
 * @throws Refusal `rate-limited`, `cross-site`, `unauthenticated`, `forbidden`; `wrong-key` for an operator's session
 * that has not passed the gate
 */
export async function admit(
  platform: Platform,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  const { limits } = platform;
  const isExempt = endpoint.method === 'GET' || endpoint.fromAnywhere === true;
  if (!isExempt && isCrossSite(request.headers, platform.config)) throw refuse('cross-site');
  const token = request.cookies[sessionCookieName(platform.config.publicUrl)];
  const found = token === undefined ? undefined : platform.authenticate(token, freshnessFor(endpoint));
  // A kept session and a count in this process are there at once: waiting for them would cost a tenth of a call.
  const caller = found instanceof Promise ? await found : found;
  const counting = limits.countCall(callsOfCaller, callerKey(caller, request.ip));
  if (counting !== undefined) await counting;
  if (endpoint.access === 'public') return caller;
  if (caller === undefined) throw refuse('unauthenticated');
  if (endpoint.access !== 'operator') return caller;
  if (caller.role !== 'admin') throw refuse('forbidden');
  if (platform.config.adminGateKey !== null && !caller.hasPassedGate)
    throw refuse('wrong-key', 'This session has not passed the operators’ gate.');
  return caller;
}

/** Changes and all operators' calls read the session from the database, except if the endpoint accepts a cached one. */
function freshnessFor({ access, method, acceptsCachedSession }: Endpoint): 'cached' | 'fresh' {
  if (access === 'operator') return 'fresh';
  return method === 'GET' || acceptsCachedSession === true ? 'cached' : 'fresh';
}

/**
 * Refuses suspended members. Public endpoints and those with `whileSuspended` stay open to them. Runs after the check
 * of the shape, because the contract reports a wrong shape first.
 */
export function refuseSuspended(endpoint: Endpoint, caller: Caller | undefined): void {
  if (endpoint.access === 'public' || endpoint.whileSuspended === true) return;
  if (caller?.isSuspended === true) throw refuse('account-suspended');
}
