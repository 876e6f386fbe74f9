/** Formats numbers, money and times. Points are decimal strings and never become floating-point numbers. */

import { POINTS_PER_USD } from '#contract/points.ts';

export { shortenMiddle } from '#contract/shorten.ts';

const NO_BREAK = '\u00a0';
const MINUS = '−';

/** Parses whole points; anything else is 0. */
export function toPoints(text: string | number | bigint | null | undefined): bigint {
  if (typeof text === 'bigint') return text;
  if (text === null || text === undefined) return 0n;
  const trimmed = String(text).trim();
  return /^-?\d+$/.test(trimmed) ? BigInt(trimmed) : 0n;
}

/** The positions of thousands separators in a whole number. */
export const commaPlaces = /\B(?=(\d{3})+$)/g;
const group = (digits: string) => digits.replace(commaPlaces, ',');

/** `12480` → `12,480`. A negative or invalid value shows as `0`. */
export function formatPoints(text: string | number | bigint | null | undefined): string {
  const value = toPoints(text);
  return value < 0n ? '0' : group(value.toString());
}

/** `12,480 P`, with a no-break space. */
export const formatAmount = (text: string | number | bigint | null | undefined) =>
  `${formatPoints(text)}${NO_BREAK}P`;

/** `+180` or `−5,000` (with a minus sign, not a hyphen); zero is `0`. */
export function formatSigned(text: string | bigint): string {
  const value = toPoints(text);
  if (value === 0n) return '0';
  return value > 0n ? `+${group(value.toString())}` : `${MINUS}${group((-value).toString())}`;
}

/** Decimal text with thousands grouped and without zeros at its end: `6599.7500` → `6,599.75`. */
export function formatDecimal(text: string): string {
  const [, sign = '', whole = '0', decimals = ''] = /^(-?)(\d+)(?:\.(\d*))?$/.exec(text) ?? [];
  const fraction = decimals.replace(/0+$/, '');
  return `${sign && MINUS}${group(whole)}${fraction && `.${fraction}`}`;
}

/** Points in dollars, rounded down to the cent: `12480` → `$12.48`. */
export function formatDollars(text: string | number | bigint | null | undefined): string {
  const value = toPoints(text);
  const cents = ((value < 0n ? 0n : value) * 100n) / POINTS_PER_USD;
  return `$${group((cents / 100n).toString())}.${(cents % 100n).toString().padStart(2, '0')}`;
}

/** The price of one dollar in another currency, as decimal text. For display only. */
export type DisplayRate = { currency: 'KRW' | 'EUR'; perUsd: string };

/** The time zone and rate of the signed-in member. Undefined means the device's zone, and dollars. */
type Display = { timeZone: string | undefined; rate: DisplayRate | undefined };
let display: Display = { timeZone: undefined, rate: undefined };

/** Sets time zone and currency for all formatting. The caller renders again. */
export function setDisplay(chosen: Display): void {
  display = chosen;
}

const signs = { KRW: '₩', EUR: '€' } as const;
const centDigits = { KRW: 0, EUR: 2 } as const;

/** A positive decimal as a whole number and the count of digits after its point. */
function readDecimal(text: string): { units: bigint; digits: number } {
  const [whole = '0', fraction = ''] = text.split('.');
  return { units: BigInt(whole + fraction), digits: fraction.length };
}

/** Points in the chosen currency, rounded down: `$12.48`, `≈ ₩17,347`, `≈ €11.48`. */
export function formatWorth(text: string | number | bigint | null | undefined): string {
  const { rate } = display;
  if (rate === undefined) return formatDollars(text);
  const value = toPoints(text);
  const { units, digits } = readDecimal(rate.perUsd);
  const cents = centDigits[rate.currency];
  const worth =
    ((value < 0n ? 0n : value) * units * 10n ** BigInt(cents)) / (POINTS_PER_USD * 10n ** BigInt(digits));
  const shown = worth.toString().padStart(cents + 1, '0');
  const whole = group(shown.slice(0, shown.length - cents));
  const fraction = cents === 0 ? '' : `.${shown.slice(-cents)}`;
  return `≈${NO_BREAK}${signs[rate.currency]}${whole}${fraction}`;
}

/** A rate with its currency sign: `₩1,390`, `€0.92`. */
export function formatRate({ currency, perUsd }: DisplayRate): string {
  const [whole = '0', fraction = ''] = perUsd.split('.');
  const kept = fraction.slice(0, currency === 'KRW' ? 1 : 4);
  return `${signs[currency]}${group(whole)}${kept === '' ? '' : `.${kept}`}`;
}

/** An address in groups of four characters, so that it can be compared by eye. */
export const groupedByFour = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');

const localeOf = (language: string) => (language.startsWith('ko') ? 'ko-KR' : 'en-US');

/** A formatter of times in the member's chosen zone. */
const clock = (locale: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(
    locale,
    display.timeZone === undefined ? options : { ...options, timeZone: display.timeZone },
  );

const yearOf = (at: Date) => clock('en-US', { year: 'numeric' }).format(at);

/** `Nov 20, 9:02 AM`, with the year if it is not the current one. */
export function formatTime(iso: string, language: string, now = new Date()): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
  };
  return clock(localeOf(language), options).format(at);
}

/** `November 20, 2026 at 9:02:11 AM` */
export const formatTimeInFull = (iso: string, language: string) =>
  clock(localeOf(language), { dateStyle: 'long', timeStyle: 'medium' }).format(new Date(iso));

/** `Nov 20` */
export function formatDay(iso: string, language: string, now = new Date()): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
  };
  return clock(localeOf(language), options).format(at);
}

/** `Friday, November 20` */
export function formatToday(language: string, now = new Date()): string {
  return clock(localeOf(language), { weekday: 'long', month: 'long', day: 'numeric' }).format(now);
}

/** `Friday, November 20`, with the year if it is not the current one. */
export function formatDayOfWeek(iso: string, language: string, now = new Date()): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(yearOf(at) === yearOf(now) ? {} : { year: 'numeric' }),
  };
  return clock(localeOf(language), options).format(at);
}

/** `9:02 AM` */
export const formatClock = (iso: string, language: string) =>
  clock(localeOf(language), { hour: 'numeric', minute: '2-digit' }).format(new Date(iso));

/** `9:02 AM` of today, else `Nov 20, 9:02 AM` */
export const formatMoment = (iso: string, language: string, now = new Date()): string =>
  dayKeyOf(iso) === dayKeyOf(now.toISOString()) ? formatClock(iso, language) : formatTime(iso, language, now);

/** How far a zone is from UTC now: `GMT+9`. */
export function zoneOffset(timeZone: string, language: string, now = new Date()): string {
  const format = new Intl.DateTimeFormat(localeOf(language), { timeZone, timeZoneName: 'shortOffset' });
  return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? timeZone;
}

/** The day of a time in the chosen zone, to compare days: `2026-11-20`. */
export const dayKeyOf = (iso: string) =>
  clock('en-CA', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(new Date(iso));

/** The hour of the day from 0 to 23, in the member's chosen zone. */
export const hourOf = (at: Date): number =>
  Number(clock('en-US', { hour: 'numeric', hourCycle: 'h23' }).format(at));

/** `March 4, 2026` */
export const formatDate = (iso: string, language: string) =>
  clock(localeOf(language), { year: 'numeric', month: 'long', day: 'numeric' }).format(new Date(iso));

/** `March 4, 2026` of a site day. */
export const formatSiteDay = (siteDay: string, language: string) =>
  new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(`${siteDay}T00:00:00Z`),
  );

/** A site day is a date without a time, so it is formatted as UTC and never shifts. Style `short` is `Sat`. */
export function formatWeekday(siteDay: string, language: string, style: 'short' | 'long'): string {
  return new Intl.DateTimeFormat(localeOf(language), { weekday: style, timeZone: 'UTC' }).format(
    new Date(`${siteDay}T00:00:00Z`),
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

const justNow: Record<string, string> = { en: 'just now', ko: '방금' };

/** `49 minutes`, `3 hours`, `2 days`: how long something took. Below a minute it is one. */
export function formatSpan(ms: number, language: string): string {
  const count = (unit: 'minute' | 'hour' | 'day', unitMs: number) =>
    new Intl.NumberFormat(localeOf(language), { style: 'unit', unit, unitDisplay: 'long' }).format(
      Math.max(1, Math.floor(ms / unitMs)),
    );
  if (ms < 2 * HOUR_MS) return count('minute', MINUTE_MS);
  return ms < 2 * DAY_MS ? count('hour', HOUR_MS) : count('day', DAY_MS);
}

/** `19 hours ago`, `19시간 전`: in the largest unit that fits. Below a minute it is `just now`, `방금`. */
export function formatAge(iso: string, language: string, now = new Date()): string {
  const passedMs = Math.max(0, now.getTime() - new Date(iso).getTime());
  if (passedMs < MINUTE_MS) return justNow[language] ?? 'just now';
  const relative = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  if (passedMs < HOUR_MS) return relative.format(-Math.floor(passedMs / MINUTE_MS), 'minute');
  if (passedMs < DAY_MS) return relative.format(-Math.floor(passedMs / HOUR_MS), 'hour');
  return relative.format(-Math.floor(passedMs / DAY_MS), 'day');
}
