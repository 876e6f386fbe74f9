/** The smallest withdrawal by any method, in points. A method may set a higher minimum. */
export const MINIMUM_POINTS = 1_000n;
