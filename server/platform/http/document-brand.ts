import { type BrandColors, brandStyles } from '#contract/brand-styles.ts';
import { markUrlOf } from './brand-images.ts';

/**
 * Puts the operator's logo and colours into the built documents, in which the site's own mark and colours stand. The
 * logo's URL and the colours have fixed forms, so nothing of them needs escaping.
 */
type Brand = { logoUrl: string | null; colors: BrandColors };

const MARK = /<svg data-brand-mark[^>]*? width="(\d+)"[^>]*>.*?<\/svg>/gs;
const ICON = /<link rel="icon"[^>]*>/;
const TOUCH_ICON = /<link rel="apple-touch-icon"[^>]*>/;
const SHARED = /<meta property="og:image" content="([^"]*?)\/icons\/[^"]*"[^>]*>/;
const SHARED_SIDE = /(<meta property="og:image:(?:width|height)" content=")\d+/g;

/** The side of a logo, which its name has. */
const sideOf = (logoUrl: string): string => /-(\d+)\.\w+$/.exec(logoUrl)?.[1] ?? '';

/** The URL of the icon; null is the site's own. */
const iconUrlOf = ({ logoUrl, colors }: Brand): string | null =>
  logoUrl ?? (colors.light === null ? null : markUrlOf(colors.light));

/** A document with the brand. The style sheet's element is there without colours too, so that the app can fill it. */
export function withBrandOn(template: string, brand: Brand, attributes = ''): string {
  const { logoUrl, colors } = brand;
  const styles = brandStyles(colors);
  const iconUrl = iconUrlOf(brand);
  let text = template;
  if (styles !== '' || attributes !== '')
    text = text.replace('</head>', () => `<style data-brand${attributes}>${styles}</style>\n  </head>`);
  if (iconUrl !== null) text = text.replace(ICON, () => `<link rel="icon" href="${iconUrl}" />`);
  if (logoUrl === null) return text;
  return text
    .replace(TOUCH_ICON, () => `<link rel="apple-touch-icon" href="${logoUrl}" />`)
    .replace(SHARED, (_, site: string) => `<meta property="og:image" content="${site}${logoUrl}" />`)
    .replace(SHARED_SIDE, (_, start: string) => start + sideOf(logoUrl))
    .replace('content="summary_large_image"', 'content="summary"')
    .replaceAll(MARK, (_, side: string) => `<img src="${logoUrl}" alt="" width="${side}" height="${side}">`);
}

const mediaTypes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };

/** The manifest with the operator's icons. */
export function withBrandIcons(manifest: string, brand: Brand): string {
  const iconUrl = iconUrlOf(brand);
  if (iconUrl === null) return manifest;
  const { logoUrl } = brand;
  const side = logoUrl === null ? '' : sideOf(logoUrl);
  const icon = {
    src: iconUrl,
    sizes: logoUrl === null ? 'any' : `${side}x${side}`,
    type: mediaTypes[iconUrl.split('.').at(-1) ?? ''] ?? 'image/svg+xml',
    purpose: 'any',
  };
  return JSON.stringify({ ...JSON.parse(manifest), icons: [icon] });
}
