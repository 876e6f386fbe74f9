import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { startWorld } from '../../test/withdrawals-world.ts';
import { freshRate } from './rates.ts';

const world = await startWorld({ after });
const { parts, rates, owner } = world;
const age = (seconds: number) =>
  owner.rows(
    sql`update withdrawals.rates set fetched_at = platform.business_now() - ${seconds} * interval '1 second'`,
  );

test('A rate is fetched once, used exactly as written, and asked for again when it is no longer young', async () => {
  rates.body = '{"litecoin":{"usd":80.500000000000000001},"dash":{"usd":25}}';
  assert.equal(await freshRate(parts, 'litecoin'), '80.500000000000000001');
  assert.equal(await freshRate(parts, 'dash'), '25');
  assert.equal(rates.calls, 1);
  rates.body = '{"litecoin":{"usd":81.25},"dash":{"usd":25}}';
  await age(61);
  assert.equal(await freshRate(parts, 'litecoin'), '81.25');
});

test('While the source is out the last rate serves until it is too old', async () => {
  rates.status = 503;
  await age(599);
  assert.equal(await freshRate(parts, 'litecoin'), '81.25');
  await age(601);
  await assert.rejects(freshRate(parts, 'litecoin'), { code: 'rate-unavailable' });
  rates.status = 200;
  assert.equal(await freshRate(parts, 'litecoin'), '81.25');
});

test('An answer that is no positive decimal rate changes nothing', async () => {
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
    await age(601);
    await assert.rejects(freshRate(parts, 'litecoin'), { code: 'rate-unavailable' }, body.slice(0, 60));
  }
});
