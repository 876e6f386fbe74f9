import assert from 'node:assert/strict';
import { POINTS_PER_USD } from '#contract/points.ts';

/**
 * Payout amounts are whole units of 10⁻⁸ of the rail's currency (`bigint`), written as text with eight decimals. No
 * floating-point number holds money.
 */
const UNITS_PER_WHOLE = 100_000_000n;

/**
 * A rate is US dollars for one unit of the currency, as decimal text with at most 12 digits before and 18 after the
 * point.
 */
const RATE = /^(0|[1-9]\d{0,11})(?:\.(\d{1,18}))?$/;
const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,8}))?$/;

/** Whether the text is a positive rate that `payoutUnits` can divide by. */
export function isRate(text: string): boolean {
  return RATE.test(text) && /[1-9]/.test(text);
}

/**
 * The amount that a withdrawal pays, in units: (points − fee) ÷ 1000 ÷ rate, rounded down to 8 decimals, so that it
 * never pays more than the points are worth. Zero if the amount is too small for one unit. Throws on a rate that
 * `isRate` refuses and on a fee above the amount.
 */
export function payoutUnits(amountPoints: bigint, feePoints: bigint, rate: string): bigint {
  assert(isRate(rate), 'the rate is a positive decimal number');
  assert(feePoints >= 0n && feePoints <= amountPoints, 'the fee is at most the amount');
  const [whole = '0', decimals = ''] = rate.split('.');
  const scaledRate = BigInt(whole + decimals);
  const scale = 10n ** BigInt(decimals.length);
  return ((amountPoints - feePoints) * UNITS_PER_WHOLE * scale) / (POINTS_PER_USD * scaledRate);
}

/** Units as text with exactly eight decimals: 1_250_000n is `0.01250000`. */
export function amountText(units: bigint): string {
  const magnitude = units < 0n ? -units : units;
  const decimals = String(magnitude % UNITS_PER_WHOLE).padStart(8, '0');
  return `${units < 0n ? '-' : ''}${magnitude / UNITS_PER_WHOLE}.${decimals}`;
}

/** Converts decimal text, or an integer of the lossless parser, to units. Throws on any other value. */
export function amountUnits(amount: unknown): bigint {
  const text = typeof amount === 'number' && Number.isSafeInteger(amount) ? String(amount) : amount;
  assert(typeof text === 'string', 'an amount is text');
  const match = AMOUNT.exec(text);
  assert(match, `not an amount: ${text.slice(0, 40)}`);
  const [, sign, whole = '0', decimals = ''] = match;
  const units = BigInt(whole) * UNITS_PER_WHOLE + BigInt(decimals.padEnd(8, '0'));
  return sign ? -units : units;
}
