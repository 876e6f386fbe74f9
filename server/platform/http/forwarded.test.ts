import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { createHealth } from '../health.ts';
import { createLog } from '../log.ts';
import { watchForwarded } from './forwarded.ts';
import { createLimits } from './limits.ts';
import { createServer } from './server.ts';

const log = createLog('silent');
const sandbox = readConfig({ APP_SECRET: Buffer.alloc(32, 1).toString('base64') });

/** A server that tells each caller's address, and what is not well of it. */
async function listen(trustedProxies: string[], mode: 'live' | 'sandbox' = 'live', quietMs = 60_000) {
  const config = { ...sandbox, mode, trustedProxies };
  const health = createHealth(log);
  const app = await createServer(config, log, createLimits(config, null));
  watchForwarded(app, config, health, quietMs);
  app.get('/address', async (request) => ({ address: request.ip }));
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  after(() => app.close());
  const ask = async (headers: Record<string, string> = {}): Promise<{ address: string }> =>
    (await fetch(`${origin}/address`, { headers })).json() as Promise<{ address: string }>;
  /** Makes calls from this address. */
  const call = async (remoteAddress: string, count: number, headers = {}) => {
    for (let made = 0; made < count; made += 1) await app.inject({ url: '/address', remoteAddress, headers });
  };
  return {
    ask,
    call,
    health,
    trouble: () => health.troubles().find(({ name }) => name === 'proxy')?.trouble,
  };
}
const forwarded = { 'x-forwarded-for': '203.0.113.7' };

it('reports a proxy in a private network that is not named, and names its address', async () => {
  const { ask, health, trouble } = await listen(['10.9.9.9']);
  assert.deepEqual(health.names(), ['proxy']);
  await ask();
  assert.equal(trouble(), undefined, 'a call without a proxy');
  assert.equal((await ask(forwarded)).address, '127.0.0.1', 'all members are one source');
  assert.match(trouble() ?? '', /^Calls with X-Forwarded-For come from 127\.0\.0\.1, .*TRUSTED_PROXIES/);
});

it('reports no strangers who send the header, and hides no proxy for them', async () => {
  const { call, trouble } = await listen(['10.9.9.9']);
  await call('198.51.100.1', 10, forwarded);
  assert.equal(trouble(), undefined, 'few calls');
  await call('203.0.113.1', 30);
  await call('198.51.100.1', 15, forwarded);
  assert.equal(trouble(), undefined, 'most calls have no such header');
  await call('10.9.9.8', 1, forwarded);
  await call('198.51.100.2', 1, forwarded);
  assert.match(trouble() ?? '', / come from 10\.9\.9\.8, which .* If this is your proxy, name it/);
});

it('reports a proxy in a public network by which most calls come', async () => {
  const { call, trouble } = await listen(['10.9.9.9']);
  await call('203.0.113.1', 5);
  await call('198.51.100.1', 3, forwarded);
  await call('198.51.100.7', 30, forwarded);
  assert.match(trouble() ?? '', / come from 198\.51\.100\.7, which/);
});

it('reports nothing where the site says that it has no proxy', async () => {
  const { ask, call, trouble } = await listen([]);
  await ask(forwarded);
  await call('198.51.100.7', 30, forwarded);
  assert.equal(trouble(), undefined);
});

it('ends the report when no such call came for the set time', async () => {
  const { ask, trouble } = await listen(['10.9.9.9'], 'live', 250);
  for (let count = 0; count < 4; count += 1) {
    await ask(forwarded);
    await sleep(100);
  }
  assert.ok(trouble(), 'each call begins the time again');
  const deadlineMs = performance.now() + 5_000;
  while (trouble() !== undefined && performance.now() < deadlineMs) await sleep(20);
  assert.equal(trouble(), undefined);
  await ask(forwarded);
  assert.ok(trouble());
});

it('reports no proxy that is named, also for its own calls, and none in the sandbox', async () => {
  const named = await listen(['127.0.0.1']);
  assert.equal((await named.ask(forwarded)).address, '203.0.113.7');
  await named.ask({ 'x-forwarded-for': '127.0.0.1' });
  assert.equal(named.trouble(), undefined);
  const sandbox = await listen([], 'sandbox');
  await sandbox.ask(forwarded);
  assert.equal(sandbox.trouble(), undefined);
});

describe('the header of a named proxy', () => {
  const client = '177.139.233.139';
  for (const [header, address] of [
    [`${client}:17085`, client],
    [`[2601:db8::1]:64828`, '2601:db8::1'],
    ['[2601:db8::1]', '2601:db8::1'],
    ['2601:db8::1', '2601:db8::1'],
    [`::ffff:${client}`, client],
    [`198.51.100.9, ${client}:80, 127.0.0.1:4711`, client],
    [`unknown, ${client}`, client],
    [`, ${client} ,`, client],
  ] as const)
    it(`is read as it comes: ${header}`, async () => {
      const { ask, trouble } = await listen(['127.0.0.1']);
      assert.equal((await ask({ 'x-forwarded-for': header })).address, address);
      assert.equal(trouble(), undefined);
    });

  for (const mode of ['live', 'sandbox'] as const)
    it(`without an address counts as the proxy’s own and is reported: ${mode}`, async () => {
      const { ask, trouble } = await listen(['127.0.0.1', '10.0.0.0/8'], mode);
      for (const header of ['unknown', '203.0.113.7, _hidden', '1.2.3.4.5:80', '[::1', ':80'])
        assert.equal((await ask({ 'x-forwarded-for': header })).address, '127.0.0.1', header);
      assert.match(trouble() ?? '', /^The proxy 127\.0\.0\.1 forwards no address .* was: "unknown"$/);
      assert.equal((await ask({ 'x-forwarded-for': '203.0.113.7, -, 10.0.0.2' })).address, '10.0.0.2');
      assert.equal((await ask(forwarded)).address, '203.0.113.7');
    });
});
