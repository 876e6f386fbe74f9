import { z } from 'zod';
import { geckoUrl, rateSourceHost, readRateSource } from '#platform/rate-source.ts';
import { parseLosslessly } from './lossless-json.ts';
import { isRate } from './payout-amount.ts';

/**
 * The sources of prices: the named ones of `rate-source.ts`, and any URL of simple-price JSON,
 * `{ "<currency>": { "usd": 80.5, "last_updated_at"?: unix seconds } }`. Prices stay decimal text. A currency whose
 * price is missing or no positive decimal number is absent from the answer.
 */

/** A currency of a rail: its name at the sources, and its symbol. */
export type Currency = { id: string; symbol: string };

/** US dollars for one unit. `at` is the price's time as the source states it; null if it states none. */
export type Price = { usd: string; at: Date | null };

/** The prices by currency, or the reason for the failure. */
export type SourceAnswer = ReadonlyMap<string, Price> | string;

export async function askSource(source: string, asked: readonly Currency[]): Promise<SourceAnswer> {
  if (source === 'kraken') {
    const answer = await readRateSource(krakenUrl(asked), krakenTicker, parseLosslessly);
    return typeof answer === 'string' ? answer : pricesOfKraken(answer, asked);
  }
  const ids = asked.map(({ id }) => id);
  const url = source === 'coingecko' ? geckoUrl(ids, ['usd']) : source;
  const answer = await readRateSource(url, simplePrices, parseLosslessly);
  return typeof answer === 'string' ? answer : pricesOf(answer, asked);
}

/** The name of a source for operators. */
export const sourceName = (source: string): string =>
  source.includes('/') ? rateSourceHost(source) : source;

// Decimals are kept as text, so that no float is made; integers become numbers first.
const decimal = z.union([z.string(), z.number().int()]).transform(String);
const simplePrices = z.record(z.string(), z.unknown());
type SimplePrices = z.infer<typeof simplePrices>;
const dollars = z.object({ usd: decimal });
const unixSeconds = z.number().int().nonnegative().optional();

export function pricesOf(answer: SimplePrices, asked: readonly Currency[]): Map<string, Price> {
  return pricesBy(asked, ({ id }) => {
    const price = dollars.safeParse(answer[id]);
    if (!price.success) return undefined;
    const stated = unixSeconds.safeParse(
      new Map(Object.entries(answer[id] as object)).get('last_updated_at'),
    );
    if (!stated.success) return undefined;
    return { usd: price.data.usd, at: stated.data === undefined ? null : new Date(stated.data * 1_000) };
  });
}

const pairOf = ({ symbol }: Currency): string => `${symbol}USD`;
const krakenUrl = (asked: readonly Currency[]): string =>
  `https://api.kraken.com/0/public/Ticker?pair=${asked.map(pairOf).join(',')}`;
/** `c` is the last trade: its price and its volume. Errors come with status 200 and no result. */
const krakenTicker = z.object({
  error: z.array(z.string()),
  result: z.record(z.string(), z.object({ c: z.tuple([decimal], z.unknown()) })).optional(),
});

/** Kraken answers with its own name of a pair: XLTCZUSD for LTCUSD. It states no time. */
export function pricesOfKraken(
  { error, result }: z.infer<typeof krakenTicker>,
  asked: readonly Currency[],
): SourceAnswer {
  if (result === undefined || error.length > 0) return error.join(', ') || 'the answer has no result';
  return pricesBy(asked, (currency) => {
    const pair = result[pairOf(currency)] ?? result[`X${currency.symbol}ZUSD`];
    return pair && { usd: pair.c[0], at: null };
  });
}

function pricesBy(
  asked: readonly Currency[],
  priceOf: (currency: Currency) => Price | undefined,
): Map<string, Price> {
  const prices = new Map<string, Price>();
  for (const currency of asked) {
    const price = priceOf(currency);
    if (price !== undefined && isRate(price.usd)) prices.set(currency.id, price);
  }
  return prices;
}
