/** `Nov 20`. A site day is a date without a time, so it is formatted as UTC and never shifts. */
export const siteDayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language.startsWith('ko') ? 'ko-KR' : 'en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));

export const sumOf = (values: readonly (string | bigint)[]): bigint =>
  values.reduce<bigint>((sum, value) => sum + BigInt(value), 0n);

/** A part of a whole in tenths of a percent, rounded down; 0 of nothing. */
export const perMilleOf = (part: bigint, whole: bigint): number =>
  whole <= 0n ? 0 : Number((part * 1_000n) / whole);

/** `6.4%` */
export const percentText = (perMille: number): string =>
  `${Math.trunc(perMille / 10)}.${Math.abs(perMille) % 10}%`;
