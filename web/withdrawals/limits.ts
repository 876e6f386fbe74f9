/** The least that anybody may withdraw, by any method, in points. A method may ask for more. */
export const MINIMUM_POINTS = 1_000n;
