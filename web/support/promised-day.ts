const DAY_MS = 86_400_000;

/** A time of the day that is `days` business days after another. Saturdays and Sundays of the zone don’t count. */
export function promisedDay(from: string, days: number, timeZone: string): string {
  const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone });
  let at = new Date(from);
  for (let left = days; left > 0; ) {
    at = new Date(at.getTime() + DAY_MS);
    if (!weekday.format(at).startsWith('S')) left -= 1;
  }
  return at.toISOString();
}
