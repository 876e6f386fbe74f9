/** Months of the site's calendar, as `2026-07`. */

/** The month so many months later. */
export function monthAfter(month: string, count: number): string {
  const [year, number] = month.split('-').map(Number);
  return new Date(Date.UTC(year ?? 0, (number ?? 1) - 1 + count, 1)).toISOString().slice(0, 7);
}

/** `July 2026` */
export const monthText = (month: string, language: string): string =>
  new Intl.DateTimeFormat(language.startsWith('ko') ? 'ko-KR' : 'en-US', {
    year: 'numeric',
    month: 'long',
    timeZone: 'UTC',
  }).format(new Date(`${month}-01T00:00:00Z`));

/** `Jul 26`. A site day is a date without a time, so it never shifts. */
export const dayText = (day: string, language: string): string =>
  new Intl.DateTimeFormat(language.startsWith('ko') ? 'ko-KR' : 'en-US', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  }).format(new Date(`${day}T00:00:00Z`));
