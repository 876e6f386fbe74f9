/** The colours of the brand as a style sheet, for documents and for open pages. */

export const schemes = ['light', 'dark'] as const;
export type Scheme = (typeof schemes)[number];

/** Colours by their tokens without the prefix, as `on-green`. */
export type ColorTokens = Readonly<Record<string, string>>;
/** The colours of each scheme that replace the site's own; null where these stay. */
export type BrandColors = Record<Scheme, ColorTokens | null>;

/** The style sheet of the colours; empty if the site's own stay. It is stronger than the tokens, whatever the order. */
export function brandStyles(colors: BrandColors): string {
  return schemes
    .flatMap((scheme) => {
      const tokens = colors[scheme];
      if (tokens === null) return [];
      const declared = Object.entries(tokens).map(([name, color]) => `--e-${name}:${color}`);
      return [`:root[data-mantine-color-scheme="${scheme}"]{${declared.join(';')}}`];
    })
    .join('');
}
