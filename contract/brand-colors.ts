import type { BrandColors, ColorTokens, Scheme } from './brand-styles.ts';

/**
 * The colours that an operator's main colour gives to the site, and the check that people can read them. The main
 * colour replaces the green of buttons and links and the cover of the balance. Everything else keeps its colour.
 *
 * Contrast is the WCAG 2 formula. `web/ui/tokens.test.ts` holds the grounds against the tokens.
 */

/** A main colour for each scheme, as `#0F4D37`. Null is the site's own; of dark, the one that is derived from light. */
export type MainColors = { light: string | null; dark: string | null };

/** The colours that stay, on which or under which the main colour is seen. */
export const grounds = {
  light: { paper: '#F6F1E6', sheet: '#FFFDF7', coin: '#E9B23C', onGreen: '#FFFDF7', onCover: '#FBF6EA' },
  dark: { paper: '#101612', sheet: '#18201B', coin: '#E9B23C', onGreen: '#08231A', onCover: '#F4F0E4' },
} as const;

/** The site's own main colours. */
export const ownMainColors = { light: '#0F4D37', dark: '#8FCDAA' } as const;

export const TEXT_CONTRAST_MIN = 4.5;
export const SHAPE_CONTRAST_MIN = 3;

const BLACK = '#000000';
const WHITE = '#FFFFFF';
const STEPS = 50;

type Rgb = readonly [number, number, number];

const partsOf = (hex: string): Rgb =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never;
const hexOf = (parts: Rgb): string =>
  `#${parts.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase();

function luminanceOf(hex: string): number {
  const [red, green, blue] = partsOf(hex).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of two colours, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** The contrast with two digits, rounded down, so that 4.499 does not read as enough. */
export function shownContrast(contrast: number): string {
  const hundredths = Math.floor(contrast * 100);
  return `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`;
}

/** A colour on its way to another: 0 is the first, 1 the other. */
export function mixed(from: string, to: string, share: number): string {
  const [start, end] = [partsOf(from), partsOf(to)];
  return hexOf(start.map((part, at) => part + ((end[at] ?? 0) - part) * share) as never);
}

/** The first colour on the way to another, beginning at a share, that has this contrast with the ground. */
function readable(from: string, to: string, share: number, ground: string, contrastMin: number): string {
  for (let step = 0; step <= STEPS; step += 1) {
    const color = mixed(from, to, share + ((1 - share) * step) / STEPS);
    if (contrastOf(color, ground) >= contrastMin) return color;
  }
  return to;
}

/** The dark scheme's main colour, derived from the light scheme's. */
export const derivedDark = (light: string): string => readable(light, WHITE, 0.3, grounds.dark.sheet, 7);

/** What both schemes have in common: the cover and what is on it. */
function coverTokens(cover: string, scheme: Scheme): ColorTokens {
  const { onCover } = grounds[scheme];
  return {
    cover,
    'cover-2': mixed(cover, BLACK, 0.2),
    'cover-line': mixed(cover, onCover, 0.16),
    'cover-tick': readable(cover, onCover, 0.4, cover, SHAPE_CONTRAST_MIN),
    'on-cover': onCover,
    'on-cover-2': readable(cover, onCover, 0.74, cover, TEXT_CONTRAST_MIN),
  };
}

function lightTokens(main: string): ColorTokens {
  const { sheet, onGreen } = grounds.light;
  const soft = mixed(sheet, main, 0.14);
  return {
    green: main,
    'green-hover': mixed(main, BLACK, 0.22),
    'on-green': onGreen,
    'green-text': main,
    'green-soft': soft,
    'on-green-soft': readable(main, BLACK, 0.17, soft, TEXT_CONTRAST_MIN),
    bar: readable(mixed(main, sheet, 0.36), main, 0, sheet, SHAPE_CONTRAST_MIN),
    'bar-now': main,
    focus: main,
    ...coverTokens(main, 'light'),
  };
}

/** @param light the light scheme's main colour, whose shade is the cover; null keeps the site's cover */
function darkTokens(main: string, light: string | null): ColorTokens {
  const { sheet } = grounds.dark;
  const soft = mixed(sheet, main, 0.22);
  const cover = light === null ? null : readable(light, BLACK, 0.3, grounds.dark.onCover, 9);
  return {
    green: main,
    'green-hover': mixed(main, WHITE, 0.24),
    'on-green': readable(mixed(main, BLACK, 0.8), BLACK, 0, main, TEXT_CONTRAST_MIN),
    'green-text': main,
    'green-soft': soft,
    'on-green-soft': readable(main, WHITE, 0.4, soft, TEXT_CONTRAST_MIN),
    bar: readable(mixed(main, sheet, 0.4), main, 0, sheet, SHAPE_CONTRAST_MIN),
    'bar-now': main,
    focus: mixed(main, WHITE, 0.24),
    ...(cover === null ? {} : coverTokens(cover, 'dark')),
  };
}

/** The colours of each scheme that replace the site's; null where they stay. */
export function colorsOf({ light, dark }: MainColors): BrandColors {
  const darkMain = dark ?? (light === null ? null : derivedDark(light));
  return {
    light: light === null ? null : lightTokens(light),
    dark: darkMain === null ? null : darkTokens(darkMain, light),
  };
}

export const colorPairs = ['button', 'links', 'cover', 'coin'] as const;
export type ColorPair = { pair: (typeof colorPairs)[number]; contrast: number; contrastMin: number };

const ownDarkCover = '#14382A';

/** The pairs that a person must be able to read, with a scheme's main colour. @param light that of the light scheme */
export function pairsOf(scheme: Scheme, main: string, light: string | null = null): ColorPair[] {
  const { paper, sheet, coin, onCover } = grounds[scheme];
  const tokens = scheme === 'light' ? lightTokens(main) : darkTokens(main, light);
  const cover = tokens.cover ?? ownDarkCover;
  const text = { contrastMin: TEXT_CONTRAST_MIN };
  return [
    { pair: 'button', contrast: contrastOf(tokens['on-green'] ?? BLACK, main), ...text },
    { pair: 'links', contrast: Math.min(contrastOf(main, paper), contrastOf(main, sheet)), ...text },
    { pair: 'cover', contrast: contrastOf(onCover, cover), ...text },
    { pair: 'coin', contrast: contrastOf(coin, cover), contrastMin: SHAPE_CONTRAST_MIN },
  ];
}

/** Those that can't be read. The cover of the dark scheme is always dark enough. */
export const failedPairs = (scheme: Scheme, main: string): ColorPair[] =>
  pairsOf(scheme, main).filter(({ contrast, contrastMin }) => contrast < contrastMin);

/** The nearest colour of the same tone that passes: darker in the light scheme, lighter in the dark one. */
export function nearestPassing(scheme: Scheme, main: string): string {
  const end = scheme === 'light' ? BLACK : WHITE;
  for (let step = 0; step <= 2 * STEPS; step += 1) {
    const color = mixed(main, end, step / (2 * STEPS));
    if (failedPairs(scheme, color).length === 0) return color;
  }
  return ownMainColors[scheme];
}
