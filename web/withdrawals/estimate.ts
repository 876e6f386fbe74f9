/**
 * Estimates the coins for an amount of points, at a rate in dollars per coin (decimal text) and 1,000 points = 1 USD.
 * Rounded down to five decimals and returned as text. It calculates in whole numbers only, because it is money. The
 * approval calculates the paid amount again with its own rate.
 */
const DECIMALS = 5;
const POINTS_PER_DOLLAR = 1_000n;

export function coinEstimate(points: bigint, usdPerCoin: string): string {
  const [whole = '0', fraction = ''] = usdPerCoin.split('.');
  const rate = BigInt(whole + fraction);
  if (rate <= 0n || points <= 0n) return (0).toFixed(DECIMALS);
  const units = (points * 10n ** BigInt(DECIMALS + fraction.length)) / (POINTS_PER_DOLLAR * rate);
  const digits = units.toString().padStart(DECIMALS + 1, '0');
  return `${digits.slice(0, -DECIMALS)}.${digits.slice(-DECIMALS)}`;
}

/** A rate as dollar text: `85.7512345` as `$85.75`. Below one dollar it shows four decimals. */
export function rateText(usdPerCoin: string): string {
  const [whole = '0', fraction = ''] = usdPerCoin.split('.');
  const decimals = whole === '0' ? 4 : 2;
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
}
