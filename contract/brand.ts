import { z } from 'zod';
import { failedPairs, shownContrast } from './brand-colors.ts';
import type { Scheme } from './brand-styles.ts';
import { emailAddress } from './email.ts';
import { text } from './fields.ts';

/** The brand of the site: what its owner's name, logo and colours are, and the address that members write to. */

export const BRAND_NAME_MAX = 40;
export const LOGO_BYTES_MAX = 128 * 1024;
export const LOGO_SIDE_MIN = 192;
export const LOGO_SIDE_MAX = 1_024;
/** Base64 has 4 letters for 3 bytes. */
const LOGO_LETTERS_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

/** The name under which a logo is served: the hash of its bytes, its side in pixels and its type. */
export const LOGO_NAME = /^[0-9a-f]{32}-\d{3,4}\.(png|jpg|webp)$/;
export const LOGO_PATH = '/brand/';

export const brand = z.object({
  name: z.string(),
  /** Null is `support@` at the site's host. */
  supportEmail: z.string().nullable(),
  /** The file's name below `/brand/`; null is the mark of the site. */
  logo: z.string().nullable(),
  /** The main colour of the light scheme; null is the site's green. */
  lightColor: z.string().nullable(),
  /** The same for the dark scheme; null is derived from the light one. */
  darkColor: z.string().nullable(),
});
export type BrandSettings = z.infer<typeof brand>;

const pairNames = {
  button: 'Text on the button',
  links: 'Links on paper',
  cover: 'Text on the cover',
  coin: 'The coin on the cover',
} as const;

/** A colour that people can read with everything on it. */
const mainColor = (scheme: Scheme) =>
  z
    .string()
    .regex(/^#[0-9A-Fa-f]{6}$/, 'Must be a colour such as #0F4D37')
    .transform((value) => value.toUpperCase())
    .superRefine((value, context) => {
      for (const { pair, contrast, contrastMin } of failedPairs(scheme, value))
        context.addIssue({
          code: 'custom',
          message:
            `${pairNames[pair]} has a contrast of ${shownContrast(contrast)} in the ${scheme} scheme ` +
            `and needs ${contrastMin}`,
        });
    });

/** In one line, because it is in the subjects and the sender of mails. */
const brandName = text(BRAND_NAME_MAX).refine(
  (value) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(value),
  'Must be one line of visible characters',
);

export const brandChange = z
  .object({
    name: brandName,
    supportEmail: emailAddress.nullable(),
    logo: z.string().regex(LOGO_NAME).nullable(),
    lightColor: mainColor('light').nullable(),
    darkColor: mainColor('dark').nullable(),
  })
  .partial()
  .strict();

/** A logo on its way to the server: the file in base64. */
export const logoFile = z
  .string()
  .max(LOGO_LETTERS_MAX, `The file may have at most ${LOGO_BYTES_MAX / 1_024} KiB`)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/, 'Must be a file in base64');
