import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { geckoUrl, rateSourceHost } from '#platform/rate-source.ts';
import { parseLosslessly } from './lossless-json.ts';
import { askSource, pricesOf, pricesOfKraken, sourceName } from './rate-sources.ts';

const coins = [
  { id: 'litecoin', symbol: 'LTC' },
  { id: 'dash', symbol: 'DASH' },
];
// biome-ignore lint/suspicious/noExplicitAny: the answer of a source has any shape
const parsed = (text: string): any => parseLosslessly(text);

describe('CoinGecko', () => {
  it('is asked for the coins with the time of each price', () =>
    assert.equal(
      geckoUrl(['litecoin', 'dash'], ['usd']),
      'https://api.coingecko.com/api/v3/simple/price?ids=litecoin,dash&vs_currencies=usd' +
        '&include_last_updated_at=true&precision=full',
    ));
  it('answers exact prices with their times', () =>
    assert.deepEqual(
      pricesOf(
        parsed('{"litecoin":{"usd":53.040000000000000001,"last_updated_at":1789000000},"dash":{"usd":40}}'),
        coins,
      ),
      new Map([
        ['litecoin', { usd: '53.040000000000000001', at: new Date(1_789_000_000_000) }],
        ['dash', { usd: '40', at: null }],
      ]),
    ));
  for (const text of [
    '{}',
    '{"dash":{"usd":1}}',
    '{"litecoin":{}}',
    '{"litecoin":{"usd":null}}',
    '{"litecoin":{"usd":0}}',
    '{"litecoin":{"usd":"80,5"}}',
    '{"litecoin":{"usd":80,"last_updated_at":"yesterday"}}',
    '{"litecoin":{"usd":80,"last_updated_at":-5}}',
  ])
    it(`has no price of a coin in ${text}`, () =>
      assert.equal(pricesOf(parsed(text), coins).has('litecoin'), false));
});

describe('Kraken', () => {
  const answer = (text: string) => pricesOfKraken(parsed(text), coins);
  it('answers the last trade under its own name of the pair', () =>
    assert.deepEqual(
      answer(
        '{"error":[],"result":{"XLTCZUSD":{"a":["80.60000","1","1.000"],"c":["80.51000","0.10000000"]},' +
          '"DASHUSD":{"c":["25.10","2"]}}}',
      ),
      new Map([
        ['litecoin', { usd: '80.51000', at: null }],
        ['dash', { usd: '25.10', at: null }],
      ]),
    ));
  it('answers an error with status 200', () => {
    assert.equal(answer('{"error":["EQuery:Unknown asset pair"]}'), 'EQuery:Unknown asset pair');
    assert.equal(answer('{"error":[]}'), 'the answer has no result');
  });
});

it('names a source by its host', () => {
  assert.equal(sourceName('kraken'), 'kraken');
  assert.equal(sourceName('https://rates.example/simple?key=secret'), 'rates.example');
  assert.equal(rateSourceHost('coingecko'), 'api.coingecko.com');
});

it('tells nothing of a source’s URL when it can’t be called', async () => {
  for (const source of [
    'http://user:SECRET@127.0.0.1:1/p?key=SECRET',
    'http://127.0.0.1:1/p?key=SECRET',
    'http://127.0.0.1:99999/p?key=SECRET',
  ])
    assert.doesNotMatch(String(await askSource(source, coins)), /SECRET|127\.0\.0\.1/, source);
});

it('stops reading an answer that is too long', async (t) => {
  let sent = 0;
  const server = createServer((_request, response) => {
    const pour = () => {
      while (!response.destroyed && response.write(' '.repeat(10_000))) sent += 10_000;
    };
    response.on('drain', pour).writeHead(200);
    pour();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  assert.equal(await askSource(url, coins), 'the answer is too long');
  assert.ok(sent < 100_000_000, `${sent} characters`);
});
