/**
 * Times of fields (`2026-11-24T09:30`) in a zone, because operators read every time in the site's zone and not in that
 * of their device.
 */

const partsIn = (instant: Date, timeZone: string | undefined): Record<string, string> =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-CA', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
    } as Intl.DateTimeFormatOptions)
      .formatToParts(instant)
      .map(({ type, value }) => [type, value]),
  );

/** An instant as a field has it; empty for none. */
export function fieldTimeOf(iso: string | null, timeZone: string | undefined): string {
  if (iso === null) return '';
  const { year, month, day, hour, minute } = partsIn(new Date(iso), timeZone);
  return `${year?.padStart(4, '0')}-${month}-${day}T${hour}:${minute}`;
}

/**
 * The instant of a field's time; null for an empty one. At a change of the clock an hour that there is twice is the
 * first, and one that there is not is the next.
 */
export function instantOf(fieldTime: string, timeZone: string | undefined): string | null {
  const asUtc = Date.parse(`${fieldTime}Z`);
  if (Number.isNaN(asUtc)) return null;
  const offsetAt = (ms: number) => Date.parse(`${fieldTimeOf(new Date(ms).toISOString(), timeZone)}Z`) - ms;
  const hours = 24 * 3_600_000;
  const candidates = [asUtc - offsetAt(asUtc - hours), asUtc - offsetAt(asUtc + hours)];
  const fitting = candidates.filter((ms) => ms + offsetAt(ms) === asUtc);
  return new Date(Math.min(...(fitting.length > 0 ? fitting : candidates.slice(0, 1)))).toISOString();
}
