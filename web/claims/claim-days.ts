import { CLAIM_ANSWER_DAYS, type Claim } from '#contract/claims.ts';

/** A claim’s clock: which day of the provider’s answer it is, and whether the site is late. */

const DAY_MS = 86_400_000;

export const isOpen = ({ state }: Pick<Claim, 'state'>): boolean => state === 'filed' || state === 'asked';

/** The day of the provider’s answer at `now` (ms), from 1; above the last day it is over. Null if nobody asked. */
export function answerDayOf(
  { state, askedAt }: Pick<Claim, 'state' | 'askedAt'>,
  now: number,
): number | null {
  if (state !== 'asked' || askedAt === null) return null;
  const day = Math.floor(Math.max(0, now - Date.parse(askedAt)) / DAY_MS) + 1;
  return Math.min(day, CLAIM_ANSWER_DAYS + 1);
}

/** Whether the site’s next step is overdue at `now` (ms). */
export const isLate = (claim: Pick<Claim, 'state' | 'dueAt'>, now: number): boolean =>
  isOpen(claim) && now > Date.parse(claim.dueAt);

const NEWS_DAYS = 7;

/** Whether a claim is open at `now` (ms), or was decided in the last days. */
export const isNews = (claim: Pick<Claim, 'state' | 'decidedAt'>, now: number): boolean =>
  isOpen(claim) || (claim.decidedAt !== null && now - Date.parse(claim.decidedAt) < NEWS_DAYS * DAY_MS);
