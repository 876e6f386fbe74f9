import { coins } from './coin-registry.ts';

/**
 * The sandbox's source of exchange rates, as simple-price JSON by coin: `{ "<coin>": { "usd": 80.5 }, … }`. The rates
 * stand still, so that what a demo pays can be worked out by hand.
 */
export type SimplePrices = Record<string, { usd: number }>;

/** What `/sandbox/rates` shows. */
export function simplePrices(): SimplePrices {
  return Object.fromEntries(coins.map(({ id, prices }) => [id, { usd: prices.usd }]));
}

/** What a GET of the rate source answers: in other currencies too. */
export function sourcePrices(): Record<string, { usd: number; eur: number; krw: number }> {
  return Object.fromEntries(coins.map(({ id, prices }) => [id, prices]));
}
