import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { pageOf } from '#contract/fields.ts';
import { createBus } from '../bus.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { createHealth } from '../health.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import { noNetworks } from '../networks.ts';
import type { Platform } from '../platform.ts';
import { createPresence } from '../presence.ts';
import { createSecrets } from '../secrets.ts';
import { createSettings } from '../settings.ts';
import type { Caller } from './caller.ts';
import { handle } from './handle.ts';
import { createLimits } from './limits.ts';
import { createServer } from './server.ts';

/** Servers with a few test endpoints. The token `member` is a member's session, `operator` an operator's. */
const log = createLog('silent');
const bus = await createBus(null, log);
const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
const callers: Record<string, Caller> = {
  member: { id: 1, role: 'user', sessionId: 's', isSuspended: false, hasPassedGate: false },
  operator: { id: 2, role: 'admin', sessionId: 't', isSuspended: false, hasPassedGate: false },
};
after(() => Promise.all([database.close(), bus.close()]));

async function startPlatform(
  environment: Record<string, string>,
  authenticate: Platform['authenticate'],
): Promise<Platform> {
  const appSecret = Buffer.alloc(32, 7).toString('base64');
  const config = readConfig({ DATA_DIR: '/nowhere', APP_SECRET: appSecret, ...environment });
  const limits = createLimits(config, null);
  const app = await createServer(config, log, limits);
  after(() => app.close());
  const secrets = createSecrets(config.appSecret);
  const settings = createSettings({ database, mode: config.mode, log });
  const metrics = createMetrics();
  const health = createHealth(log);
  const presence = createPresence(bus, () => 0);
  const parts = { app, config, database, bus, presence, limits, secrets, settings, log, metrics, health };
  return { ...parts, networks: noNetworks, authenticate, endpoints: [] };
}

const platform = await startPlatform({}, async (token) => callers[token]);

const row = z.object({ id: z.string(), note: z.string().nullable() });
const stored = { id: '1', note: null, password_hash: 'secret' };
const declared = { method: 'GET', summary: 'For a test' } as const;

handle(
  platform,
  endpoint({
    ...declared,
    path: '/api/open',
    access: 'public',
    reply: z.object({ id: z.number().nullable() }),
  }),
  async ({ caller }) => ({ id: caller?.id ?? null }),
);
handle(
  platform,
  endpoint({ ...declared, path: '/api/own', access: 'member', reply: z.object({ id: z.number() }) }),
  async ({ caller }) => ({ id: caller.id }),
);
handle(
  platform,
  endpoint({ ...declared, path: '/api/one', access: 'public', reply: z.object({ row, rows: z.array(row) }) }),
  async () => ({ row: stored, rows: [stored], more: stored }),
);
handle(
  platform,
  endpoint({
    ...declared,
    path: '/api/rows',
    access: 'public',
    query: z.object({ format: z.enum(['json', 'csv']).default('json') }),
    reply: pageOf(row),
    list: { rows: 'data', columns: ['id', 'note'] },
  }),
  async () => ({ data: [stored], pagination: { page: 1, totalPages: 1, totalCount: 1, limit: 10 } }),
  {
    exportAll: async function* () {
      yield [stored];
      yield [{ ...stored, id: '2' }];
    },
  },
);
handle(
  platform,
  endpoint({ ...declared, path: '/api/away', access: 'public', status: 302, reply: z.string() }),
  async () => '/there',
);

const get = (url: string, token?: string, method: 'GET' | 'HEAD' = 'GET') =>
  platform.app.inject({ method, url, ...(token === undefined ? {} : { cookies: { sid: token } }) });

describe('an endpoint', () => {
  it('passes the caller, if there is one, to a public handler', async () => {
    assert.deepEqual((await get('/api/open')).json(), { id: null });
    assert.deepEqual((await get('/api/open', 'unknown')).json(), { id: null });
    assert.deepEqual((await get('/api/open', 'member')).json(), { id: 1 });
  });
  it('passes the caller to a member’s handler, and refuses a call without one', async () => {
    assert.deepEqual((await get('/api/own', 'operator')).json(), { id: 2 });
    assert.equal((await get('/api/own')).statusCode, 401);
  });
  it('sends only the contract’s fields, in an object and in its rows', async () => {
    const shown = { id: '1', note: null };
    assert.deepEqual((await get('/api/one')).json(), { row: shown, rows: [shown] });
    assert.deepEqual((await get('/api/rows')).json().data, [shown]);
  });
  it('sends a list as CSV with only the contract’s columns', async () => {
    assert.equal((await get('/api/rows?format=csv')).body, '\ufeffid,note\r\n1,\r\n2,\r\n');
    assert.equal((await get('/api/rows?format=csv&page=1')).body, '\ufeffid,note\r\n1,\r\n');
  });
  it('answers HEAD for reads, but not for redirects', async () => {
    assert.equal((await get('/api/open', undefined, 'HEAD')).statusCode, 200);
    assert.equal((await get('/api/away')).headers.location, '/there');
    assert.equal((await get('/api/away', undefined, 'HEAD')).statusCode, 404);
  });
});

describe('the export of a list', () => {
  it('runs at most twice at the same time per caller', async () => {
    const site = await startPlatform({ PORT: '0' }, async (token) => callers[token]);
    const gate = Promise.withResolvers<void>();
    const rows = endpoint({
      ...declared,
      path: '/api/rows',
      access: 'member',
      query: z.object({ format: z.enum(['json', 'csv']).default('json') }),
      reply: z.array(row),
      list: { rows: null, columns: ['id', 'note'] },
    });
    handle(site, rows, async () => [stored], {
      exportAll: async function* () {
        await gate.promise;
        yield [stored];
      },
    });
    const origin = await site.app.listen({ port: 0, host: '127.0.0.1' });
    const read = (sid: string) =>
      fetch(`${origin}/api/rows?format=csv`, { headers: { cookie: `sid=${sid}` } });
    const running = [await read('member'), await read('member'), await read('operator')];
    assert.deepEqual(
      [...running, await read('member')].map(({ status }) => status),
      [200, 200, 200, 429],
    );
    gate.resolve();
    for (const answer of running) assert.equal(await answer.text(), 'id,note\r\n1,\r\n');
    assert.equal((await read('member')).status, 200);
  });
});

describe('the limits on calls', () => {
  it('refuse a source before its session is read', async () => {
    let lookups = 0;
    const limited = await startPlatform({ LIMIT_FACTOR: '0.01' }, async (token) => {
      lookups += 1;
      return { id: Number(token), role: 'user', sessionId: token, isSuspended: false, hasPassedGate: false };
    });
    const reply = z.object({ id: z.number() });
    const own = endpoint({ ...declared, path: '/api/own', access: 'member', reply });
    handle(limited, own, async ({ caller }) => ({ id: caller.id }));
    const call = (sid: number) =>
      limited.app.inject({ method: 'GET', url: '/api/own', cookies: { sid: String(sid) } });
    // 60 of 6,000 per source and 6 of 600 per member.
    for (let member = 1; member <= 10; member += 1)
      for (let count = 0; count < 6; count += 1) assert.equal((await call(member)).statusCode, 200);
    const refused = await call(11);
    assert.deepEqual([refused.statusCode, refused.json().code, lookups], [429, 'rate-limited', 60]);
    assert.ok(Number(refused.headers['retry-after']) > 0);
  });
  it('refuse a member or a signed-out source after a tenth of that', async () => {
    const limited = await startPlatform({ LIMIT_FACTOR: '0.01' }, async (token) => callers[token]);
    const open = endpoint({ ...declared, path: '/api/open', access: 'public', reply: z.object({}) });
    handle(limited, open, async () => ({}));
    const statusesOf = async (cookies: Record<string, string>) => {
      const statuses = [];
      for (let count = 0; count < 7; count += 1)
        statuses.push((await limited.app.inject({ method: 'GET', url: '/api/open', cookies })).statusCode);
      return statuses;
    };
    const sixThenRefused = [200, 200, 200, 200, 200, 200, 429];
    assert.deepEqual(await statusesOf({ sid: 'member' }), sixThenRefused);
    assert.deepEqual(await statusesOf({ sid: 'operator' }), sixThenRefused);
    assert.deepEqual(await statusesOf({}), sixThenRefused);
  });
});

describe('a limit of an endpoint', () => {
  it('counts by each key after the check of the shape, and not without a key', async () => {
    const limited = await startPlatform({}, async () => undefined);
    const body = z.strictObject({ keys: z.array(z.string()).nullable() });
    const limit = { name: 'test', max: 1, perS: 60, scaledIn: 'never' } as const;
    const act = endpoint({
      method: 'POST',
      summary: 'For a test',
      path: '/api/act',
      access: 'public',
      body,
      reply: z.object({}),
    });
    handle(limited, act, async () => ({}), { limits: [{ limit, by: async (call) => call.body.keys }] });
    const call = async (keys: unknown) => {
      const headers = { origin: limited.config.publicUrl };
      return (await limited.app.inject({ method: 'POST', url: '/api/act', headers, payload: { keys } }))
        .statusCode;
    };
    assert.deepEqual([await call([1]), await call([1])], [400, 400]);
    assert.deepEqual([await call(null), await call(null)], [200, 200]);
    assert.deepEqual([await call(['a', 'b']), await call(['b'])], [200, 429]);
    assert.deepEqual([await call(['c']), await call(['c', 'd']), await call(['d'])], [200, 429, 200]);
  });
});
