import { z } from 'zod';

/** Names only. An offset such as `+09:00` is not a zone, because it has no summer time. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+){0,2}$/;

/** Whether the program knows a zone. The server also asks PostgreSQL (`platform/time-zone.ts`). */
export function isTimezone(name: string): boolean {
  if (name.length > 64 || !ZONE_NAME.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false; // `Intl` throws for an unknown zone.
  }
}

export const NO_TIMEZONE = 'Must be the name of a time zone, such as Asia/Seoul';

export const timezone = z.string().refine(isTimezone, NO_TIMEZONE);
