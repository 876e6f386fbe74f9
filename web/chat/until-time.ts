const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** `in 23 hours`, `23시간 후`: in the largest unit that fits. */
export function untilTime(iso: string, language: string, now: Date): string {
  const leftMs = Math.max(0, new Date(iso).getTime() - now.getTime());
  const relative = new Intl.RelativeTimeFormat(language);
  if (leftMs < HOUR_MS) return relative.format(Math.ceil(leftMs / MINUTE_MS), 'minute');
  if (leftMs < 2 * DAY_MS) return relative.format(Math.round(leftMs / HOUR_MS), 'hour');
  return relative.format(Math.round(leftMs / DAY_MS), 'day');
}
