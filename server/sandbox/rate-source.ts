/**
 * The sandbox's source of exchange rates: the simple-price JSON of the field, `{ "litecoin": { "usd": 80.5 }, … }`.
 * The rates stand still, so that what a demo pays can be worked out by hand.
 */
export type SimplePrices = Record<'litecoin' | 'dash', { usd: number }>;

const prices: SimplePrices = { litecoin: { usd: 80.5 }, dash: { usd: 24.25 } };

/** What `/sandbox/rates` shows. */
export function simplePrices(): SimplePrices {
  return structuredClone(prices);
}

type SourcePrices = Record<keyof SimplePrices, { usd: number; eur: number; krw: number }>;

/** What a GET of the rate source answers: in other moneys too, 0.92 EUR and 1,390 KRW for a dollar. */
export function sourcePrices(): SourcePrices {
  const { litecoin, dash } = simplePrices();
  return {
    litecoin: { ...litecoin, eur: 74.06, krw: 111_895 },
    dash: { ...dash, eur: 22.31, krw: 33_707.5 },
  };
}
