/** Days on which a site works, Monday to Friday of its time zone. It knows no holidays. */

const DAY_MS = 24 * 3_600_000;

const isWorkday = (at: Date, timeZone: string): boolean => {
  const weekday = new Intl.DateTimeFormat('en-US', { timeZone, weekday: 'short' }).format(at);
  return weekday !== 'Sat' && weekday !== 'Sun';
};

/** The same time of day after this number of business days. */
export function afterBusinessDays(from: Date, days: number, timeZone: string): Date {
  let at = from;
  for (let left = days; left > 0; ) {
    at = new Date(at.getTime() + DAY_MS);
    if (isWorkday(at, timeZone)) left -= 1;
  }
  return at;
}
