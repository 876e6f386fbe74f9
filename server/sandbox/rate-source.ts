import { coins } from './coin-registry.ts';

/**
 * Simulates the source of exchange rates, as simple-price JSON by coin: `{ "<coin>": { "usd": 80.5 }, … }`. The rates
 * are constant, so that a demo's payments can be calculated by hand.
 */
export type SimplePrices = Record<string, { usd: number }>;

/** The answer of `/sandbox/rates`. */
export function simplePrices(): SimplePrices {
  return Object.fromEntries(coins.map(({ id, prices }) => [id, { usd: prices.usd }]));
}

/** The answer of the rate source, in all currencies. */
export function sourcePrices(): Record<string, { usd: number; eur: number; krw: number }> {
  return Object.fromEntries(coins.map(({ id, prices }) => [id, prices]));
}
