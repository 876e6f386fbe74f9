import type { OperatorTicket } from '#contract/support.ts';

/** The time that is left of the promise to answer a ticket. */

const MINUTE_MS = 60_000;
const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;
/** An answer that is due within this time is near. */
const NEAR_MINUTES = 4 * HOUR_MINUTES;

export type TimeLeft = { state: 'late' | 'near' | 'due'; minutes: number };

/** Undefined while nobody waits. `isLate` is by the site's clock, which may differ from this one. */
export function timeLeftOf(
  { answerBy, isLate }: Pick<OperatorTicket, 'answerBy' | 'isLate'>,
  now: Date,
): TimeLeft | undefined {
  if (answerBy === null) return undefined;
  const left = Math.floor((Date.parse(answerBy) - now.getTime()) / MINUTE_MS);
  if (isLate) return { state: 'late', minutes: Math.max(0, -left) };
  return { state: left < NEAR_MINUTES ? 'near' : 'due', minutes: Math.max(0, left) };
}

/** `1 day 6 hours`, `1일 6시간`: in the two largest units. */
export function formatSpan(minutes: number, language: string): string {
  const write = (value: number, unit: 'day' | 'hour' | 'minute') =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
  const days = Math.floor(minutes / DAY_MINUTES);
  const hours = Math.floor((minutes % DAY_MINUTES) / HOUR_MINUTES);
  const rest = minutes % HOUR_MINUTES;
  const units = [
    { value: days, unit: 'day' },
    { value: hours, unit: 'hour' },
    { value: rest, unit: 'minute' },
  ] as const;
  const first = units.findIndex(({ value }) => value > 0);
  if (first === -1) return write(0, 'minute');
  return units
    .slice(first, first + 2)
    .filter(({ value }) => value > 0)
    .map(({ value, unit }) => write(value, unit))
    .join(' ');
}
