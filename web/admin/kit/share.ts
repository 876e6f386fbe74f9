/** A part of a whole as percentage with one decimal, rounded down: `6.4%`. Of nothing it is `0.0%`. */
export function shareText(part: bigint, whole: bigint): string {
  const tenths = whole <= 0n ? 0n : (part * 1_000n) / whole;
  return `${tenths / 10n}.${tenths % 10n}%`;
}
