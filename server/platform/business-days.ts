import { offsetMsAt } from './time-zone.ts';

/** Days on which a site works, Monday to Friday of its time zone. It knows no holidays. */

const DAY_MS = 24 * 3_600_000;

/** @param local the time of the site's clock, as if it were UTC */
const isWorkday = (local: Date): boolean => local.getUTCDay() !== 0 && local.getUTCDay() !== 6;

/**
 * The same time of day after this number of business days. Days of the calendar are counted, because the day of a
 * change of the clock has 23 or 25 hours.
 */
export function afterBusinessDays(from: Date, days: number, timeZone: string): Date {
  if (days === 0) return from;
  const offsetMs = offsetMsAt(from, timeZone);
  let local = new Date(from.getTime() + offsetMs);
  for (let left = days; left > 0; ) {
    local = new Date(local.getTime() + DAY_MS);
    if (isWorkday(local)) left -= 1;
  }
  const near = new Date(local.getTime() - offsetMs);
  const exact = new Date(local.getTime() - offsetMsAt(near, timeZone));
  // A time of day that a change of the clock leaves out is the one an hour later.
  return exact.getTime() + offsetMsAt(exact, timeZone) === local.getTime() ? exact : near;
}
