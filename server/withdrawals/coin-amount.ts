import assert from 'node:assert/strict';

/**
 * Coins are counted in whole units of 10⁻⁸ coin (`bigint`) and written as text with eight decimals, as Core-family
 * wallets do. No floating-point number ever holds money.
 */
export const UNITS_PER_COIN = 100_000_000n;
const POINTS_PER_USD = 1000n;

/** A rate is US dollars for one coin, as decimal text: at most 12 digits before and 18 after the point. */
const RATE = /^(0|[1-9]\d{0,11})(?:\.(\d{1,18}))?$/;
const COIN = /^(-?)(\d{1,12})(?:\.(\d{1,8}))?$/;

/** Whether the text is a positive rate that `coinUnitsFor` can divide by. */
export function isRate(text: string): boolean {
  return RATE.test(text) && /[1-9]/.test(text);
}

/**
 * The coin that a withdrawal pays: (points − fee) ÷ 1000 ÷ rate, rounded down to 8 decimals, so that rounding never
 * pays more than was held. Zero when the amount is too small for one unit. Throws on a rate that `isRate` refuses and
 * on a fee above the amount.
 */
export function coinUnitsFor(amountPoints: bigint, feePoints: bigint, rate: string): bigint {
  assert(isRate(rate), 'the rate is a positive decimal number');
  assert(feePoints >= 0n && feePoints <= amountPoints, 'the fee is at most the amount');
  const [whole = '0', decimals = ''] = rate.split('.');
  const scaledRate = BigInt(whole + decimals);
  const scale = 10n ** BigInt(decimals.length);
  return ((amountPoints - feePoints) * UNITS_PER_COIN * scale) / (POINTS_PER_USD * scaledRate);
}

/** Units as coin text with exactly eight decimals: 1_250_000n is `0.01250000`. */
export function coinText(units: bigint): string {
  const magnitude = units < 0n ? -units : units;
  const decimals = String(magnitude % UNITS_PER_COIN).padStart(8, '0');
  return `${units < 0n ? '-' : ''}${magnitude / UNITS_PER_COIN}.${decimals}`;
}

/** Coin text, or the whole number that a lossless parser kept as one, as units. Throws on anything else. */
export function coinUnits(amount: unknown): bigint {
  const text = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount;
  assert(typeof text === 'string', 'an amount of coin is text');
  const match = COIN.exec(text);
  assert(match, `not an amount of coin: ${text.slice(0, 40)}`);
  const [, sign, whole = '0', decimals = ''] = match;
  const units = BigInt(whole) * UNITS_PER_COIN + BigInt(decimals.padEnd(8, '0'));
  return sign ? -units : units;
}
