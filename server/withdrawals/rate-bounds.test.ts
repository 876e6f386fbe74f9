import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startRateSource, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { agreeWithin, differsByMore } from './rate-bounds.ts';
import { confirmRate, freshRate, judge, readFreshRates, readPayoutRates } from './rates.ts';

const world = await startWorld({ after });
const { parts, operator, owner, rates } = world;
const second = await startRateSource({ after });
const twoSources = { ...parts, config: { ...parts.config, rateSourceUrl2: second.url } };
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

/** Says a price, after this time without any question. */
async function say(usd: string, seconds = 61): Promise<void> {
  rates.body = `{"litecoin":{"usd":${usd}},"dash":{"usd":25}}`;
  const ago = sql`${seconds} * interval '1 second'`;
  await owner.rows(sql`
    update withdrawals.rates set priced_at = priced_at - ${ago}, fetched_at = fetched_at - ${ago}`);
  await owner.rows(sql`update withdrawals.rate_history set believed_at = believed_at - ${ago}`);
}
const usdOf = async (platform = parts) => (await freshRate(platform, 'litecoin')).usd;
const unavailable = { code: 'rate-unavailable' };
const forget = async () => {
  await owner.rows(sql`delete from withdrawals.rates`);
  await owner.rows(sql`delete from withdrawals.rate_history`);
  rates.body = '{"litecoin":{"usd":80.5},"dash":{"usd":25}}';
};

test('asks for the coins that are switched on, once for many callers', async () => {
  const { calls } = rates;
  await Promise.all(Array.from({ length: 20 }, () => usdOf()));
  assert.equal(rates.calls, calls + 1);
  await forget();
});

test('does not turn 3,000 points into 30,000 coins when the source says 0.0001', async () => {
  const first = await ask(world, await world.member(3_000n), 3_000n, randomRegtestAddress());
  assert.equal((await approveWithdrawal(parts, operator, first.id)).coinAmount, '0.03726708');
  await say('0.0001');
  const next = await ask(world, await world.member(3_000n), 3_000n, randomRegtestAddress());
  await assert.rejects(approveWithdrawal(parts, operator, next.id), unavailable);
  await forget();
});

/** The reason that an operator states. */
const reason = 'The market says so.';

describe('a rate that moves', () => {
  it('by up to 15% in an hour is believed, in steps as at once', async () => {
    assert.equal(await usdOf(), '80.5');
    await say('92.575');
    assert.equal(await usdOf(), '92.575');
    await say('92.58');
    await assert.rejects(usdOf(), unavailable, 'more than 15% above the rate of two minutes ago');
    await say('92.58', 3_600);
    assert.equal(await usdOf(), '92.58', 'an hour later 92.575 is the rate to compare with');
    await forget();
  });

  it('further waits for an operator, and there is no rate meanwhile', async () => {
    assert.equal(await usdOf(), '80.5');
    await say('60.1');
    await assert.rejects(usdOf(), {
      ...unavailable,
      message:
        'The rate of litecoin moved from 80.5 to 60.1, further than the limit. An operator must confirm it.',
    });
    assert.deepEqual(
      parts.health.troubles().map(({ name }) => name),
      ['rate-litecoin'],
    );
    assert.deepEqual(
      (await readFreshRates(parts)).map(({ method }) => method),
      ['dash'],
    );
    const [waiting] = await readPayoutRates(parts);
    assert.deepEqual([waiting?.currency, waiting?.usd, waiting?.waiting?.usd], ['litecoin', '80.5', '60.1']);
    assert.equal(waiting?.isUsable, false);
    await assert.rejects(confirmRate(parts, operator, 'litecoin', { usd: '70', reason }), {
      code: 'quote-moved',
    });
    await assert.rejects(confirmRate(parts, operator, 'gold', { reason }), { code: 'not-found' });
    await assert.rejects(confirmRate(parts, operator, 'dash', { reason }), { code: 'already-decided' });
    const confirmed = await Promise.allSettled(
      Array.from({ length: 5 }, () => confirmRate(parts, operator, 'litecoin', { usd: '60.10', reason })),
    );
    assert.equal(confirmed.filter(({ status }) => status === 'fulfilled').length, 1);
    const acts = await owner.rows(
      sql`select reason, before, after from platform.acts where act = 'rate.confirm'`,
    );
    assert.deepEqual(acts, [{ reason, before: { usd: '80.5' }, after: { usd: '60.1' } }]);
    assert.equal(await usdOf(), '60.1');
    assert.deepEqual(parts.health.troubles(), []);
    await say('61');
    assert.equal(await usdOf(), '61', 'the rates before the confirmed one are not compared any more');
    await forget();
  });

  it('and comes back is believed again without an operator', async () => {
    assert.equal(await usdOf(), '80.5');
    await say('8.05');
    await assert.rejects(usdOf(), unavailable);
    await say('81');
    assert.equal(await usdOf(), '81');
    const [rate] = await readPayoutRates(parts);
    assert.deepEqual([rate?.waiting, rate?.isUsable], [null, true]);
    await owner.rows(sql`update withdrawals.rates set priced_at = priced_at - interval '1 day'`);
    assert.equal((await readPayoutRates(parts))[0]?.isUsable, false, 'a rate that is too old');
    await forget();
  });

  it('is compared with the last one after a long silence of the source', async () => {
    assert.equal(await usdOf(), '80.5');
    await say('0.0001', 86_400 * 2);
    await assert.rejects(usdOf(), unavailable);
    await forget();
  });
});

describe('two sources', () => {
  it('are believed when they agree within 2%, else refused', async () => {
    second.body = '{"litecoin":{"usd":82.11},"dash":{"usd":25}}';
    assert.equal(await usdOf(twoSources), '80.5');
    assert.equal((await readPayoutRates(parts))[0]?.sources.length, 2);
    await forget();
    second.body = '{"litecoin":{"usd":82.12},"dash":{"usd":25}}';
    await assert.rejects(usdOf(twoSources), unavailable);
    assert.match(String(parts.health.troubles()[0]?.trouble), /^The sources of the rate of litecoin differ/);
    assert.equal((await freshRate(twoSources, 'dash')).usd, '25', 'the other coin is believed');
    await forget();
  });

  it('are refused if one of them does not answer', async (t) => {
    const now = performance.now.bind(performance);
    t.mock.method(performance, 'now', () => now() + 20_000);
    second.status = 503;
    await assert.rejects(usdOf(twoSources), unavailable);
    second.status = 200;
    second.body = '{"litecoin":{"usd":80.5},"dash":{"usd":25}}';
    t.mock.method(performance, 'now', () => now() + 40_000);
    assert.equal(await usdOf(twoSources), '80.5');
    await forget();
  });
});

const now = new Date('2026-11-22T12:00:00Z');
const coin = { id: 'litecoin', symbol: 'LTC' };
const price = (usd: string, agoS?: number) =>
  new Map([['litecoin', { usd, at: agoS === undefined ? null : new Date(now.getTime() - agoS * 1_000) }]]);
const judged = (...answers: (ReturnType<typeof price> | string)[]) => {
  const given = answers.map((answer, index) => ({ name: `source ${index}`, answer }));
  return judge(coin, given, { now, maxAgeS: 600, differencePercent: 2 });
};

for (const [what, answers, expected] of [
  ['one price without a time', [price('80')], ['80', 0]],
  ['one price of ten minutes ago', [price('80', 600)], ['80', 600]],
  ['two prices that agree, with the age of the older', [price('80', 5), price('81', 90)], ['80', 90]],
  ['a price slightly ahead of our clock', [price('80', -20)], ['80', 0]],
  ['an old price by its source’s own time', [price('80', 601)], null],
  ['an old price beside a new one', [price('80', 0), price('80', 601)], null],
  ['a price of the future', [price('80', -301)], null],
  ['a source without this coin', [price('80'), new Map()], null],
  ['a source that failed', [price('80'), 'status 500'], null],
  ['two prices that differ', [price('80'), price('81.61')], null],
] as const)
  test(`judges ${what}`, () => {
    const result = judged(...answers);
    assert.deepEqual(result.kind === 'agreed' ? [result.usd, result.ageS] : null, expected);
  });

for (const [from, to, percent, expected] of [
  ['100', '115', 15, false],
  ['100', '115.000000000000000001', 15, true],
  ['100', '85', 15, false],
  ['100', '84.999999999999999999', 15, true],
  ['0.000001', '0.00000115', 15, false],
  ['0.000001', '0.000001151', 15, true],
  ['999999999999', '1', 99, true],
  ['80.50', '80.5', 0, false],
  ['80.5', '80.500000000000000001', 0, true],
] as const)
  test(`finds that ${to} ${expected ? 'differs' : 'does not differ'} from ${from} by more than ${percent}%`, () =>
    assert.equal(differsByMore(from, to, percent), expected));

test('agrees in both directions alike', () => {
  assert.equal(agreeWithin('100', '102', 2), true);
  assert.equal(agreeWithin('102', '100', 2), true);
  assert.equal(agreeWithin('100', '102.01', 2), false);
  assert.equal(agreeWithin('102.01', '100', 2), false);
});
