/** The bounds within which rates are believed. Rates are decimal text, and no floating-point number is made of one. */

type Scaled = { digits: bigint; decimals: number };

const scaledOf = (rate: string): Scaled => {
  const [whole = '0', decimals = ''] = rate.split('.');
  return { digits: BigInt(whole + decimals), decimals: decimals.length };
};

/** Whether `to` differs from `from` by more than this percentage of `from`. */
export function differsByMore(from: string, to: string, percent: number): boolean {
  const [one, other] = [scaledOf(from), scaledOf(to)];
  const decimals = Math.max(one.decimals, other.decimals);
  const first = one.digits * 10n ** BigInt(decimals - one.decimals);
  const second = other.digits * 10n ** BigInt(decimals - other.decimals);
  const difference = second > first ? second - first : first - second;
  return difference * 100n > first * BigInt(percent);
}

/** A row this far in the future was written by a wrong clock. */
const AGE_S_MIN = -60;

/** Whether an age is known and at most this. A rate dated in the future is not fresh. */
export const isAgeWithin = (ageS: number | null, ageSMax: number): ageS is number =>
  ageS !== null && ageS >= AGE_S_MIN && ageS <= ageSMax;

/** Whether two sources agree: the higher rate is at most this percentage above the lower. */
export const agreeWithin = (one: string, other: string, percent: number): boolean =>
  !differsByMore(one, other, percent) && !differsByMore(other, one, percent);
