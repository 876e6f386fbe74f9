import { POINTS_PER_USD } from '#contract/points.ts';

const DECIMALS = 5;

/**
 * Estimates the coin amount of points at a rate in dollars for one coin (decimal text). Returns text, rounded down to
 * five decimals and calculated in whole numbers, because it is money. The approval calculates what is paid again, by
 * its own rate.
 */
export function coinEstimate(points: bigint, usdPerCoin: string): string {
  const [whole = '0', fraction = ''] = usdPerCoin.split('.');
  const rate = BigInt(whole + fraction);
  if (rate <= 0n || points <= 0n) return (0).toFixed(DECIMALS);
  const units = (points * 10n ** BigInt(DECIMALS + fraction.length)) / (POINTS_PER_USD * rate);
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** A rate as dollar text: `85.7512345` as `$85.75`. Below one dollar it shows four decimals. */
export function rateText(usdPerCoin: string): string {
  const [whole = '0', fraction = ''] = usdPerCoin.split('.');
  const decimals = whole === '0' ? 4 : 2;
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
}
