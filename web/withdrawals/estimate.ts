/**
 * About how much coin an amount is at a rate of so many dollars for one coin (decimal text), at 1,000 points = 1 USD.
 * Rounded down to five decimals, as text: whole numbers all the way, because it is money. What is paid is worked out
 * again, by the rate of that moment, when the withdrawal is approved.
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

/** `85.75` and `85.7512345` as `$85.75`; below a dollar four decimals say more than two. */
export function rateText(usdPerCoin: string): string {
  const [whole = '0', fraction = ''] = usdPerCoin.split('.');
  const decimals = whole === '0' ? 4 : 2;
  return `$${whole.replace(/\B(?=(\d{3})+$)/g, ',')}.${fraction.padEnd(decimals, '0').slice(0, decimals)}`;
}
