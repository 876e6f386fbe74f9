/**
 * The sizes that scripts need as numbers. Styles name the same breakpoints by `@mixin below tablet` and
 * `@mixin from columns`, and the same durations by the tokens `--e-time-…`; `sizes.test.ts` compares the two.
 */

/** The widths in px from which the layout changes. Two columns fit from `columns` on, which is less than a desktop. */
export const breakpoints = {
  phone: 360,
  tablet: 768,
  laptop: 1024,
  columns: 1100,
  desktop: 1200,
  wide: 1440,
} as const;

export type Breakpoint = keyof typeof breakpoints;

/** A media query counts in em, so that it follows the reader's own font size. An em of a media query is 16 px. */
export const emOf = (name: Breakpoint): string => `${breakpoints[name] / 16}em`;

/** The media query of every window that is narrower than the breakpoint. */
export const below = (name: Breakpoint): string => `(max-width: ${breakpoints[name] / 16 - 0.01}em)`;

/** The media query of every window that is at least as wide as the breakpoint. */
export const from = (name: Breakpoint): string => `(min-width: ${emOf(name)})`;

/** Durations in ms. */
export const menuMs = 180;
export const sheetMs = 240;
