/**
 * Amounts of points that server and web share. SQL, words and Markdown repeat them: `server/stated-points.test.ts`
 * compares.
 */

/** The points of one US dollar. */
export const POINTS_PER_USD = 1_000n;

/** The minimum of a withdrawal by any method. A method may have a higher one. */
export const WITHDRAWAL_POINTS_MIN = 1_000n;

/** A single credit of at least this many points waits for an operator. */
export const HOLD_POINTS_MIN = 10_000n;

/** The referrer's reward for a friend's first task. */
export const REFERRAL_POINTS = 100n;
