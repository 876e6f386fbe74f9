/**
 * The sandbox's source of exchange rates: the simple-price JSON of the field, `{ "litecoin": { "usd": 80.5 }, … }`.
 * The rates stand still, so that what a demo pays can be worked out by hand.
 */
export type SimplePrices = Record<'litecoin' | 'dash', { usd: number }>;

const prices: SimplePrices = { litecoin: { usd: 80.5 }, dash: { usd: 24.25 } };

/** What a GET of the rate source answers, as JSON, and what `/sandbox/rates` shows. */
export function simplePrices(): SimplePrices {
  return structuredClone(prices);
}
