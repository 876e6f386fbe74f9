import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { z } from 'zod';
import { endpoint } from '#contract/endpoint.ts';
import { pageOf } from '#contract/fields.ts';
import { createBus } from '../bus.ts';
import { readConfig } from '../config.ts';
import { openDatabase } from '../database.ts';
import { createLog } from '../log.ts';
import { createMetrics } from '../metrics.ts';
import type { Platform } from '../platform.ts';
import { createSecrets } from '../secrets.ts';
import type { Caller } from './caller.ts';
import { handle } from './handle.ts';
import { createLimits } from './limits.ts';
import { createServer } from './server.ts';

/** A server with a few endpoints of its own, for a member whose token is `member` and an operator's `operator`. */
const config = readConfig({ DATA_DIR: '/nowhere', APP_SECRET: Buffer.alloc(32, 7).toString('base64') });
const log = createLog('silent');
const bus = await createBus(null, log);
const database = openDatabase({ url: 'postgres://nobody@127.0.0.1:1/none' });
const callers: Record<string, Caller> = {
  member: { id: 1, role: 'user', sessionId: 's', isSuspended: false },
  operator: { id: 2, role: 'admin', sessionId: 't', isSuspended: false },
};
const platform: Platform = {
  app: await createServer(config, log),
  config,
  database,
  bus,
  limits: createLimits(config, null),
  secrets: createSecrets(config.appSecret),
  log,
  metrics: createMetrics(),
  authenticate: async (token) => callers[token],
  endpoints: [],
};
after(() => Promise.all([platform.app.close(), database.close(), bus.close()]));

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
    list: { rows: 'data' },
  }),
  async () => ({ data: [stored], pagination: { page: 1, totalPages: 1, totalCount: 1, limit: 10 } }),
);
handle(
  platform,
  endpoint({ ...declared, path: '/api/away', access: 'public', status: 302, reply: z.string() }),
  async () => '/there',
);

const get = (url: string, token?: string, method: 'GET' | 'HEAD' = 'GET') =>
  platform.app.inject({ method, url, ...(token === undefined ? {} : { cookies: { sid: token } }) });

describe('an endpoint', () => {
  it('gives a public handler the caller where there is one', async () => {
    assert.deepEqual((await get('/api/open')).json(), { id: null });
    assert.deepEqual((await get('/api/open', 'unknown')).json(), { id: null });
    assert.deepEqual((await get('/api/open', 'member')).json(), { id: 1 });
  });
  it('gives a member’s handler its caller, and refuses a call without one', async () => {
    assert.deepEqual((await get('/api/own', 'operator')).json(), { id: 2 });
    assert.equal((await get('/api/own')).statusCode, 401);
  });
  it('sends the contract’s fields alone, in an object and in its rows', async () => {
    const shown = { id: '1', note: null };
    assert.deepEqual((await get('/api/one')).json(), { row: shown, rows: [shown] });
    assert.deepEqual((await get('/api/rows')).json().data, [shown]);
  });
  it('sends a list as CSV with the contract’s columns alone', async () => {
    assert.equal((await get('/api/rows?format=csv')).body, 'id,note\r\n1,\r\n');
  });
  it('answers HEAD to a read, and not to a redirect', async () => {
    assert.equal((await get('/api/open', undefined, 'HEAD')).statusCode, 200);
    assert.equal((await get('/api/away')).headers.location, '/there');
    assert.equal((await get('/api/away', undefined, 'HEAD')).statusCode, 404);
  });
});
