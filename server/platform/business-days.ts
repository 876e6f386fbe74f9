import { offsetMsAt } from './time-zone.ts';

/** Days on which a site works, Monday to Friday of its time zone. It knows no holidays. */

const DAY_MS = 24 * 3_600_000;

/** @param local the time of the site's clock, as if it were UTC */
const isWorkday = (local: Date): boolean => local.getUTCDay() !== 0 && local.getUTCDay() !== 6;

/** The moment itself on a workday, else the beginning of the next one. */
function firstWorkingMoment(local: Date): Date {
  if (isWorkday(local)) return local;
  const next = new Date(Math.floor(local.getTime() / DAY_MS) * DAY_MS + DAY_MS);
  return firstWorkingMoment(next);
}

/**
 * The same time of day after this number of business days. What begins on a weekend counts from Monday's first moment,
 * so that a later beginning never ends earlier. Days of the calendar are counted, because the day of a change of the
 * clock has 23 or 25 hours.
 */
export function afterBusinessDays(from: Date, days: number, timeZone: string): Date {
  if (days === 0) return from;
  const offsetMs = offsetMsAt(from, timeZone);
  let local = firstWorkingMoment(new Date(from.getTime() + offsetMs));
  for (let left = days; left > 0; ) {
    local = new Date(local.getTime() + DAY_MS);
    if (isWorkday(local)) left -= 1;
  }
  const near = new Date(local.getTime() - offsetMs);
  const exact = new Date(local.getTime() - offsetMsAt(near, timeZone));
  // A time of day that a change of the clock leaves out is the one an hour later.
  return exact.getTime() + offsetMsAt(exact, timeZone) === local.getTime() ? exact : near;
}
