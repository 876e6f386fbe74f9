import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { advanceClock } from '#platform/clock.ts';
import { testSite } from '../../test/site.ts';
import { perUsdOf, refreshDisplayRates } from './display-rates.ts';

/** Display rates: at most a day old, from the site's rate source. */
const source = { body: '', status: 200, calls: 0 };
const server = createServer((_request, response) => {
  source.calls += 1;
  response.writeHead(source.status, { 'content-type': 'application/json' }).end(source.body);
});
await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
after(() => server.close());
const site = await testSite(
  { after },
  { RATE_SOURCE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` },
);
const person = await site.member();
const read = async () => (await site.call('GET', '/api/user/display-rates', { as: person })).body;

describe('the rate of a currency', () => {
  it('is a coin’s price in it divided by its price in dollars, rounded down to six decimals', () => {
    const prices = { litecoin: { usd: 80.5, krw: 111_895, eur: 74.06 } };
    assert.equal(perUsdOf(prices, 'KRW'), '1390');
    assert.equal(perUsdOf(prices, 'EUR'), '0.92');
    assert.equal(perUsdOf({ coin: { usd: 3, eur: 1 } }, 'EUR'), '0.333333');
    assert.equal(perUsdOf({ coin: { usd: 0.00002, krw: 0.03 } }, 'KRW'), '1500');
    assert.equal(perUsdOf({ coin: { usd: 1e-7, krw: 1.5e-4 } }, 'KRW'), '1500');
  });
  it('comes from the first coin that has a price in both', () => {
    assert.equal(perUsdOf({ litecoin: { usd: 80 }, dash: { usd: 20, eur: 18 } }, 'EUR'), '0.9');
  });
  it('is undefined for missing, zero, negative or non-numeric prices', () => {
    for (const coin of [
      {},
      { usd: 80 },
      { eur: 70 },
      { usd: 0, eur: 70 },
      { usd: 80, eur: -1 },
      { usd: '80', eur: '70' },
      { usd: 80, eur: 1e-9 },
    ])
      assert.equal(perUsdOf({ coin }, 'EUR'), undefined, JSON.stringify(coin));
  });
});

describe('the rates to show', () => {
  it('are stored with their time, fetched once an hour, and hidden after a day', async () => {
    assert.deepEqual(await read(), []);
    source.body = JSON.stringify({ litecoin: { usd: 80.5, eur: 74.06, krw: 111_895 } });
    await refreshDisplayRates(site.platform);
    const rates = await read();
    assert.deepEqual(
      rates.map(({ currency, perUsd }: { currency: string; perUsd: string }) => [currency, perUsd]),
      [
        ['EUR', '0.92'],
        ['KRW', '1390'],
      ],
    );
    assert.ok(Math.abs(Date.parse(rates[0].asOf) - Date.now()) < 60_000);
    await refreshDisplayRates(site.platform);
    assert.equal(source.calls, 1);

    await advanceClock(site.owner, 3_700n);
    source.status = 500;
    await refreshDisplayRates(site.platform);
    assert.equal(source.calls, 2);
    assert.equal((await read()).length, 2);
    await advanceClock(site.owner, 23n * 3_600n);
    assert.deepEqual(await read(), []);
  });
  it('are kept when the source answers nonsense', async () => {
    for (const [status, body] of [
      [200, 'not JSON'],
      [200, '[]'],
      [200, '{"litecoin": 5}'],
      [302, ''],
    ] as const) {
      source.status = status;
      source.body = body;
      await refreshDisplayRates(site.platform);
      assert.deepEqual(await read(), []);
    }
    source.status = 200;
    source.body = '{"dash":{"usd":20,"eur":18}}';
    await refreshDisplayRates(site.platform);
    assert.deepEqual(
      (await read()).map(({ currency }: { currency: string }) => currency),
      ['EUR'],
    );
  });
});
