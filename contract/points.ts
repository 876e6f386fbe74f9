/**
 * Amounts of points that server and web share. SQL, words and Markdown repeat them: `server/stated-points.test.ts`
 * compares.
 */

/** What one US dollar is in points. */
export const POINTS_PER_USD = 1_000n;

/** The least that anybody may withdraw, by any method. A method may ask for more. */
export const WITHDRAWAL_POINTS_MIN = 1_000n;

/** A single credit of at least this many points waits for an operator. */
export const HOLD_POINTS_MIN = 10_000n;

/** The referrer's reward for a friend's first task. */
export const REFERRAL_POINTS = 100n;
