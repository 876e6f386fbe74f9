/**
 * The sizes that scripts need as numbers. Styles use the same breakpoints as `@mixin below tablet` and
 * `@mixin from columns`, and the same durations as tokens `--e-time-…`. `sizes.test.ts` compares the durations.
 */

/** The widths in px at which the layout changes. `columns` is the narrowest width for two columns. */
export const breakpoints = {
  phone: 360,
  tablet: 768,
  laptop: 1024,
  columns: 1100,
  desktop: 1200,
  wide: 1440,
} as const;

export type Breakpoint = keyof typeof breakpoints;

/** The breakpoint in em, so that a media query follows the reader's font size. One em is 16 px there. */
export const emOf = (name: Breakpoint): string => `${breakpoints[name] / 16}em`;

/** The media query for windows narrower than the breakpoint. */
export const below = (name: Breakpoint): string => `(max-width: ${breakpoints[name] / 16 - 0.01}em)`;

/** The media query for windows at least as wide as the breakpoint. */
export const from = (name: Breakpoint): string => `(min-width: ${emOf(name)})`;

/** Durations in ms. */
export const menuMs = 180;
export const sheetMs = 240;
