import { WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';

/** The sum that a balance reaches next: the smallest withdrawal, then each 1 and 5 with zeros behind it. */
export function goalAfter(balance: bigint): bigint {
  let goal = WITHDRAWAL_POINTS_MIN;
  for (let factor = 5n; goal <= balance; factor = 7n - factor) goal *= factor;
  return goal;
}
