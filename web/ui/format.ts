/**
 * How numbers, money and times are written. Points are decimal strings and are never turned into floating numbers.
 */

const NO_BREAK = '\u00a0';
const MINUS = '−';

/** Points as a whole number; what is not one counts as none. */
export function toPoints(text: string | number | bigint | null | undefined): bigint {
  if (typeof text === 'bigint') return text;
  if (text === null || text === undefined) return 0n;
  const trimmed = String(text).trim();
  return /^-?\d+$/.test(trimmed) ? BigInt(trimmed) : 0n;
}

const group = (digits: string) => digits.replace(/\B(?=(\d{3})+$)/g, ',');

/** `12480` → `12,480`. Negative or invalid is `0`, as everywhere on the site. */
export function formatPoints(text: string | number | bigint | null | undefined): string {
  const value = toPoints(text);
  return value < 0n ? '0' : group(value.toString());
}

/** `12,480 P`, held together by a no-break space. */
export const formatAmount = (text: string | number | bigint | null | undefined) =>
  `${formatPoints(text)}${NO_BREAK}P`;

/** `+180` or `−5,000` (a real minus sign); nothing is `0`. */
export function formatSigned(text: string | bigint): string {
  const value = toPoints(text);
  if (value === 0n) return '0';
  return value > 0n ? `+${group(value.toString())}` : `${MINUS}${group((-value).toString())}`;
}

/** Points in dollars at 1,000 points = 1 USD, rounded down to the cent: `12480` → `$12.48`. */
export function formatDollars(text: string | number | bigint | null | undefined): string {
  const value = toPoints(text);
  const cents = (value < 0n ? 0n : value) / 10n;
  return `$${group((cents / 100n).toString())}.${(cents % 100n).toString().padStart(2, '0')}`;
}

/** `7d0c93ae…f491be02`: for what nobody has to compare. Short ones stay whole. */
export function shortenMiddle(text: string, kept = 8): string {
  return text.length <= kept * 2 + 1 ? text : `${text.slice(0, kept)}…${text.slice(-kept)}`;
}

/** An address in groups of four, so that two people can compare it. */
export const groupedByFour = (text: string) => text.replace(/(.{4})(?=.)/g, '$1 ');

const localeOf = (language: string) => (language.startsWith('ko') ? 'ko-KR' : 'en-US');

/** `Nov 20, 9:02 AM`; the year is said when it is not this one. */
export function formatTime(iso: string, language: string, now = new Date()): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  };
  return new Intl.DateTimeFormat(localeOf(language), options).format(at);
}

/** `Nov 20` */
export function formatDay(iso: string, language: string, now = new Date()): string {
  const at = new Date(iso);
  const options: Intl.DateTimeFormatOptions = {
    month: 'short',
    day: 'numeric',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
  };
  return new Intl.DateTimeFormat(localeOf(language), options).format(at);
}

/** `Friday, November 20` */
export function formatToday(language: string, now = new Date()): string {
  return new Intl.DateTimeFormat(localeOf(language), {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
  }).format(now);
}

/** A site day is a date without a clock, so it is read as UTC and never shifts. Style `short` is `Sat`. */
export function formatWeekday(siteDay: string, language: string, style: 'short' | 'long'): string {
  return new Intl.DateTimeFormat(localeOf(language), { weekday: style, timeZone: 'UTC' }).format(
    new Date(`${siteDay}T00:00:00Z`),
  );
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `19 hours ago`, `19시간 전`: in the largest unit that fits. */
export function formatAge(iso: string, language: string, now = new Date()): string {
  const passedMs = Math.max(0, now.getTime() - new Date(iso).getTime());
  const relative = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' });
  if (passedMs < HOUR_MS) return relative.format(-Math.floor(passedMs / MINUTE_MS), 'minute');
  if (passedMs < DAY_MS) return relative.format(-Math.floor(passedMs / HOUR_MS), 'hour');
  return relative.format(-Math.floor(passedMs / DAY_MS), 'day');
}
