import { afterBusinessDays } from '#platform/business-days.ts';

/** The promise of support: an answer within 48 business hours, which are two business days of the site. */
const ANSWERED_WITHIN_BUSINESS_DAYS = 2;

/** When an operator answers at the latest, whoever waits since then; null if nobody waits. */
export const promisedAt = (waitingSince: Date | null, timeZone: string): Date | null =>
  waitingSince === null ? null : afterBusinessDays(waitingSince, ANSWERED_WITHIN_BUSINESS_DAYS, timeZone);
