import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Problem } from '#contract/refusals.ts';
import { configureClock } from '#platform/clock.ts';
import { type Config, readConfig } from '#platform/config.ts';
import { type Database, sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { createLog, type Log } from '#platform/log.ts';
import { openNetworks } from '#platform/networks.ts';
import { ensureAccount } from '../server/access/access.ts';
import { hashPassword } from '../server/access/passwords.ts';
import { openSession } from '../server/access/sessions.ts';
import { type App, createApp } from '../server/app.ts';
import { registerMember, withFreshDraw } from '../server/members/members.ts';
import { type Sandbox, startSandbox } from '../server/sandbox/sandbox.ts';
import { verifyTimeline } from '../server/withdrawals/timelines.ts';
import { testDatabase } from './database.ts';
import { freePort } from './free-port.ts';

/** The whole site for one test file, listening on a free port, with the sandbox in the place of outside services. */
export type Site = {
  /** The site's origin for the browser: PUBLIC_URL. */
  origin: string;
  /** The address at which it listens: the same, unless the test sets another PUBLIC_URL. */
  address: string;
  config: Config;
  platform: App;
  sandbox: Sandbox;
  database: Database;
  owner: Database;
  /** The database to which the worker and locks connect. */
  urls: { appUrl: string; ownerUrl: string; workerUrl: string };
  /** A call with the right origin; `as` adds a member's session. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  /** Makes a member with a session row. */
  member(options?: {
    balancePoints?: bigint;
    isPhoneVerified?: boolean;
    role?: 'user' | 'admin';
  }): Promise<Person>;
};

export type Person = { id: number; email: string; cookie: string };
export type CallOptions = { as?: Person; body?: unknown; headers?: Record<string, string> };
// biome-ignore lint/suspicious/noExplicitAny: the test checks the answer's shape
export type Answer = { status: number; headers: Headers; body: any; problem: Problem };

type Lifetime = { after: (callback: () => Promise<void>) => void };

export const silentLog = (): Log => createLog(process.env.LOG_LEVEL ?? 'silent');

async function startSite(lifetime: Lifetime, environment: Record<string, string>) {
  const { database, owner, ...urls } = await testDatabase(lifetime);
  const dataDir = mkdtempSync(join(tmpdir(), 'earnest-site-'));
  lifetime.after(async () => rmSync(dataDir, { recursive: true, force: true }));
  const port = Number(environment.PORT ?? (await freePort()));
  const given = readConfig({ PORT: String(port), SANDBOX_PORT: '0', DATA_DIR: dataDir, ...environment });
  const log = silentLog();
  await configureClock(urls.ownerUrl, { siteTimezone: given.siteTimezone, mode: given.mode });
  const sandbox = await startSandbox({ config: given, database, ownerUrl: urls.ownerUrl, log });
  lifetime.after(sandbox.close);
  const platform = await createApp({
    config: sandbox.config,
    database,
    log,
    health: createHealth(log),
    networks: await openNetworks(given.geoipFiles),
    mountSandbox: sandbox.registerRoutes,
  });
  // As at a start, before there are withdrawals.
  await verifyTimeline(platform);
  await platform.app.listen({ host: '127.0.0.1', port });
  lifetime.after(() => platform.app.close());
  const address = `http://127.0.0.1:${port}`;
  return { database, owner, urls, platform, sandbox, address, config: sandbox.config };
}

const CALLS_MAX = 60;

/**
 * Makes a call, and makes it again while the site refuses it unread, because its process gets no time from the machine.
 * Only that refusal asks for 5 s.
 */
async function whenRead(callOnce: () => Promise<Answer>): Promise<Answer> {
  for (let made = 1; ; made += 1) {
    const answer = await callOnce();
    const isUnread = answer.status === 503 && answer.headers.get('retry-after') === '5';
    if (!isUnread || made === CALLS_MAX) return answer;
    await sleep(500);
  }
}

/** The headers and the body that a call sends. */
function sentOf(origin: string, options: CallOptions) {
  const headers: Record<string, string> = { origin, ...options.headers };
  if (options.as !== undefined) headers.cookie = options.as.cookie;
  const { body } = options;
  if (typeof body === 'string' || body === undefined) return { headers, body };
  headers['content-type'] ??= 'application/json';
  return { headers, body: JSON.stringify(body) };
}

function answerOf(status: number, headers: Headers, text: string): Answer {
  const isJson = headers.get('content-type')?.includes('json') ?? false;
  const body = isJson && text !== '' ? JSON.parse(text) : text;
  return { status, headers, body, problem: body as Problem };
}

async function callOnce(
  { origin, address }: Pick<Site, 'origin' | 'address'>,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer> {
  const { headers, body } = sentOf(origin, options);
  const response = await fetch(`${address}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
  });
  return answerOf(response.status, response.headers, await response.text());
}

/**
 * The same site, whose calls are handed to the server without a connection. A call costs half as much, which counts
 * where a file makes thousands.
 */
export function withoutSockets(site: Site): Site {
  const inject = async (method: string, path: string, options: CallOptions = {}): Promise<Answer> => {
    const { headers, body } = sentOf(site.origin, options);
    const response = await site.platform.app.inject({
      method: method as 'GET',
      url: path,
      headers: { host: new URL(site.address).host, 'user-agent': 'node', ...headers },
      remoteAddress: '127.0.0.1',
      ...(body === undefined ? {} : { payload: body }),
    });
    const answered = new Headers();
    for (const [name, value] of Object.entries(response.headers))
      for (const one of [value ?? []].flat()) answered.append(name, String(one));
    return answerOf(response.statusCode, answered, response.payload);
  };
  return { ...site, call: (...its) => whenRead(() => inject(...its)) };
}

/** Starts a site with `environment` added to the sandbox's defaults, and stops it at the end of `lifetime`. */
export async function testSite(lifetime: Lifetime, environment: Record<string, string> = {}): Promise<Site> {
  const started = await startSite(lifetime, environment);
  const { database, owner, config, address } = started;
  const origin = config.publicUrl;
  return {
    ...started,
    origin,
    call: (...its) => whenRead(() => callOnce({ origin, address }, ...its)),
    member: async ({ balancePoints = 0n, isPhoneVerified = false, role = 'user' } = {}) => {
      const email = `${randomUUID()}@example.com`;
      const id = await makeMember(database, email, role);
      const token = await database.transaction((tx) => openSession(tx, id, 'test', '127.0.0.1'));
      await furnish(owner, id, balancePoints, isPhoneVerified);
      return { id, email, cookie: `${sessionCookieName(origin)}=${token}` };
    },
  };
}

/** The hash of a password that nobody knows. All members of a file have it, because each hash takes 20 ms. */
let hashOfNobody: Promise<string> | undefined;

async function makeMember(database: Database, email: string, role: 'user' | 'admin'): Promise<number> {
  const person = { email, firstName: 'Test', lastName: null, role, isEmailVerified: true };
  if (role === 'admin') return (await ensureAccount(database, { ...person, password: randomUUID() })).id;
  hashOfNobody ??= hashPassword(randomUUID());
  const account = { ...person, passwordHash: await hashOfNobody, referral: null, address: null };
  const row = await withFreshDraw(() => database.transaction((tx) => registerMember(tx, account)));
  assert(row);
  return row.id;
}

async function furnish(owner: Database, memberId: number, balancePoints: bigint, isPhoneVerified: boolean) {
  if (balancePoints > 0n)
    await owner.rows(sql`
      select ledger.post_one(${memberId}, ${`test:${memberId}`}, 'grant', ${balancePoints}, 'grants', 'Test', null,
        null, false)`);
  if (isPhoneVerified)
    await owner.rows(sql`
      update members.members set phone_number = ${`+821${memberId}`}, phone_verified_at = platform.business_now()
      where id = ${memberId}`);
}
