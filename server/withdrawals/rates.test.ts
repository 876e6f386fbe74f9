import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
import { freshRate, readFreshRates } from './rates.ts';

const world = await startWorld({ after });
const { parts, rates, owner } = world;
const age = (seconds: number) =>
  owner.rows(
    sql`update withdrawals.rates
      set priced_at = platform.business_now() - ${seconds} * interval '1 second',
        fetched_at = platform.business_now() - ${seconds} * interval '1 second'`,
  );

/** Advances the monotonic clock, which measures the pause after a failure. */
function pass(t: TestContext, ms: number): void {
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + ms);
}

test('fetches a rate once, uses it exactly as written, and fetches it again after a minute', async () => {
  rates.body = '{"litecoin":{"usd":80.500000000000000001},"dash":{"usd":25}}';
  assert.equal((await freshRate(parts, 'litecoin')).usd, '80.500000000000000001');
  assert.equal((await freshRate(parts, 'dash')).usd, '25');
  assert.equal(rates.calls, 1);
  rates.body = '{"litecoin":{"usd":81.25},"dash":{"usd":25}}';
  await age(61);
  assert.equal((await freshRate(parts, 'litecoin')).usd, '81.25');
});

test('uses the last rate while the source fails, until it is too old', async (t) => {
  rates.status = 503;
  await age(599);
  assert.equal((await freshRate(parts, 'litecoin')).usd, '81.25');
  await age(601);
  await assert.rejects(freshRate(parts, 'litecoin'), { code: 'rate-unavailable' });
  rates.status = 200;
  const { calls } = rates;
  pass(t, 9_000);
  await assert.rejects(freshRate(parts, 'litecoin'), { code: 'rate-unavailable' });
  assert.equal(rates.calls, calls, 'a source that failed is left alone for ten seconds');
  pass(t, 10_000);
  assert.equal((await freshRate(parts, 'litecoin')).usd, '81.25');
});

test('does not use a rate dated in the future, and asks the source again', async (t) => {
  pass(t, 60_000);
  await age(-3_600);
  assert.deepEqual(await readFreshRates(parts), []);
  rates.body = '{"litecoin":{"usd":81.5},"dash":{"usd":25}}';
  assert.equal((await freshRate(parts, 'litecoin')).usd, '81.5');
  rates.body = '{"litecoin":{"usd":81.25},"dash":{"usd":25}}';
  await age(61);
  assert.equal((await freshRate(parts, 'litecoin')).usd, '81.25');
});

test('shows members the stored rates while they are fresh, without asking the source', async () => {
  const { calls } = rates;
  await age(599);
  const fresh = await readFreshRates(parts);
  assert.deepEqual(
    fresh.map(({ method, usd }) => [method, usd]),
    [
      ['litecoin', '81.25'],
      ['dash', '25'],
    ],
  );
  assert.ok(fresh.every(({ at }) => Date.parse(at) <= Date.now()));
  await age(601);
  assert.deepEqual(await readFreshRates(parts), []);
  assert.equal(rates.calls, calls);
  await age(0);
});

test('ignores an answer that is not a positive decimal rate', async (t) => {
  const bodies = [
    '',
    '[]',
    'null',
    '<html>',
    '{}',
    '{"litecoin":{}}',
    '{"litecoin":{"usd":0}}',
    '{"litecoin":{"usd":-80}}',
    '{"litecoin":{"usd":8e9}}',
    '{"litecoin":{"usd":1e-9}}',
    '{"litecoin":{"usd":"NaN"}}',
    '{"litecoin":{"usd":null}}',
    '{"litecoin":{"usd":{}}}',
    '{"litecoin":{"usd":9999999999999}}',
    `{"litecoin":{"usd":80},"x":"${'x'.repeat(100_000)}"}`,
  ];
  for (const body of bodies) {
    rates.body = body;
    pass(t, 10_000);
    await age(601);
    await assert.rejects(freshRate(parts, 'litecoin'), { code: 'rate-unavailable' }, body.slice(0, 60));
  }
});

test('waits only once for a hanging source during a bulk approval', async (t) => {
  let questions = 0;
  const silent = createServer(() => {
    questions += 1;
  });
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  t.after(() => {
    silent.closeAllConnections();
    silent.close();
  });
  await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
  for (let count = 0; count < 8; count += 1)
    await ask(world, await world.member(1_000n), 1_000n, 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3');
  await age(601);
  pass(t, 20_000);
  const rateSourceUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
  const slow = { ...parts, config: { ...parts.config, rateSourceUrl } };
  const startedMs = performance.now();
  const result = await approveAllWithdrawals(slow, world.operator);
  const tookMs = performance.now() - startedMs;
  assert.deepEqual([result.processed, result.failed.length], [0, 8]);
  assert.ok(tookMs > 4_500 && tookMs < 9_500, `${tookMs} ms`);
  assert.equal(questions, 1);
});
