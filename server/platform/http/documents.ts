import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bonusTextsIn } from '#contract/bonus-texts.ts';
import { type BrandColors, brandStyles } from '#contract/brand-styles.ts';
import { type PayoutMethod, payoutTextsIn } from '#contract/payout-texts.ts';
import { processingTimeIn } from '#contract/processing-time.ts';
import { type Encoding, encoded } from './content-encoding.ts';
import { withBrandIcons, withBrandOn } from './document-brand.ts';
import type { Language } from './language.ts';

/**
 * The prerendered documents in the build's folder `documents/`: the landing page, the pages of text and the offline
 * page, each in both languages, and the web manifest. The site's facts are filled in here. Filled-in documents are kept
 * compressed until a fact changes.
 */

/** Facts in documents that an operator can change without a build. */
export type SiteFacts = {
  brandName: string;
  supportEmail: string;
  /** The operator's logo; null is the site's mark. */
  logoUrl: string | null;
  colors: BrandColors;
  /** As the operator set it; `processingTimeIn` words it for each language. */
  processingTime: string;
  /** The points of the daily bonus by the day in a row. */
  bonusSchedule: readonly string[];
  /** The payment methods that members may choose now. */
  payoutMethods: readonly PayoutMethod[];
  measurementId: string | null;
  /** The newest announcement, whose banner has a place in the screens of members; null if there is none. */
  announcementId: string | null;
  publicUrl: string;
};

export type Sendable = { bytes: Buffer; etag: string };

export type Documents = {
  /** Whether the build has a document of this name. */
  has(name: string): boolean;
  /** A document ready to send; undefined if the build does not have it. */
  send(name: string, language: Language, facts: SiteFacts, encoding: Encoding): Sendable | undefined;
  /** The hashes of a document's inline scripts and style sheets, as sources for its policy. */
  hashesOf(name: string, language: Language, facts: SiteFacts): { scripts: string[]; styles: string[] };
  /** The app's document with the facts filled in and a placeholder for the nonce. */
  app(facts: SiteFacts): string;
  /** The same for a screen of members or operators: with its frame and the names of its files; undefined for others. */
  screen(path: string, language: Language, facts: SiteFacts): string | undefined;
};

/** `pages.ts` puts the nonce of the answer in its place. */
const NONCE_ATTRIBUTE = ' nonce="__CSP_NONCE__"';

const unbuilt =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Earnest</title></head><body>' +
  '<p>The web has not been built. Run <code>npm start</code>.</p></body></html>';

const forHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const forJson = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Replaces the build's placeholders by the site's facts, escaped by `safely`. */
function fillIn(
  template: string,
  language: Language,
  facts: SiteFacts,
  safely: (text: string) => string,
): string {
  const bonus = bonusTextsIn(language, facts.bonusSchedule);
  const payouts = payoutTextsIn(language, facts.payoutMethods);
  const words: Record<string, string> = {
    BRAND_NAME: facts.brandName,
    SUPPORT_EMAIL: facts.supportEmail,
    PROCESSING_TIME: processingTimeIn(language, facts.processingTime),
    BONUS_RANGE: bonus.range,
    BONUS_DAYS: bonus.days,
    BONUS_FIRST: bonus.first,
    BONUS_LAST: bonus.last,
    PAYOUT_METHODS: payouts.methods,
    PAYOUT_FIRST: payouts.first,
    PAYOUT_LAST: payouts.last,
    PAYOUT_FORMS: payouts.forms,
    MEASUREMENT_ID: facts.measurementId ?? '',
    ANNOUNCEMENT_ID: facts.announcementId ?? '',
    PUBLIC_URL: facts.publicUrl,
  };
  return template.replaceAll(/__([A-Z]+_[A-Z]+)__/g, (place, name: string) => {
    const word = words[name];
    return word === undefined ? place : safely(word);
  });
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const hashesIn = (head: string, tag: 'script' | 'style'): string[] =>
  [...head.matchAll(new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`, 'g'))].map(([, text = '']) => sourceOf(text));

function readTemplates(distDir: string): Map<string, string> {
  const folder = join(distDir, 'documents');
  const files = existsSync(folder) ? readdirSync(folder) : [];
  return new Map(files.map((file) => [file, readFileSync(join(folder, file), 'utf8')]));
}

type Screen = Record<'head' | 'frame' | 'styles', string> & { words: Record<Language, string> };

/** The built part of each screen, inserted into the template, by path and language. */
function readScreens(templates: ReadonlyMap<string, string>): Map<string, string> {
  const template = templates.get('screen.html') ?? '';
  const screens = JSON.parse(templates.get('screens.json') ?? '{}') as Record<string, Screen>;
  return new Map(
    Object.entries(screens).flatMap(([path, { head, words, frame, styles }]) =>
      (['en', 'ko'] as const).map((language) => [
        `${path} ${language}`,
        template
          .replace('__SCREEN_HEAD__', () => head)
          .replace('__SCREEN_WORDS__', () => words[language])
          .replace('__SCREEN_FRAME__', () => frame)
          .replace('__SCREEN_STYLES__', () => styles),
      ]),
    ),
  );
}

/** Reads all documents into memory. */
export function readDocuments(distDir: string): Documents {
  const templates = readTemplates(distDir);
  const appPath = join(distDir, 'index.html');
  const appTemplate = existsSync(appPath) ? readFileSync(appPath, 'utf8') : unbuilt;
  const builtScreens = readScreens(templates);
  const fileOf = (name: string, language: Language) =>
    `${name}.${language}.${name === 'manifest' ? 'json' : 'html'}`;
  const ready = new Map<string, Sendable>();
  const hashes = new Map<string, { scripts: string[]; styles: string[] }>();
  let readyFor = '';
  return {
    has: (name) => templates.has(fileOf(name, 'en')),
    send(name, language, facts, encoding) {
      const factsNow = JSON.stringify(facts);
      if (factsNow !== readyFor) ready.clear();
      readyFor = factsNow;
      const file = fileOf(name, language);
      const known = ready.get(`${file} ${encoding}`);
      if (known !== undefined) return known;
      const template = templates.get(file);
      if (template === undefined) return undefined;
      const text = file.endsWith('.json')
        ? withBrandIcons(fillIn(template, language, facts, forJson), facts)
        : fillIn(withBrandOn(template, facts), language, facts, forHtml);
      const digest = createHash('sha256').update(text).digest('base64url').slice(0, 22);
      const made = { bytes: encoded(text, encoding, true), etag: `"${digest}-${encoding}"` };
      ready.set(`${file} ${encoding}`, made);
      return made;
    },
    hashesOf(name, language, { colors }) {
      const file = fileOf(name, language);
      const styles = brandStyles(colors);
      const own = styles === '' ? [] : [sourceOf(styles)];
      const known = hashes.get(file);
      if (known !== undefined) return { ...known, styles: [...known.styles, ...own] };
      // Reads the template's head, before facts are filled in, so that a filled-in text never becomes an allowed
      // script.
      const head = templates.get(file)?.split('</head>')[0] ?? '';
      const found = { scripts: hashesIn(head, 'script'), styles: hashesIn(head, 'style') };
      hashes.set(file, found);
      return { ...found, styles: [...found.styles, ...own] };
    },
    app: (facts) => fillIn(withBrandOn(appTemplate, facts, NONCE_ATTRIBUTE), 'en', facts, forHtml),
    screen(path, language, facts) {
      const screen = builtScreens.get(`${path} ${language}`);
      return screen === undefined
        ? undefined
        : fillIn(withBrandOn(screen, facts, NONCE_ATTRIBUTE), 'en', facts, forHtml);
    },
  };
}

/** Sent in place of a document if the web was not built; it says how to build it. */
export const unbuiltDocument: Sendable = { bytes: Buffer.from(unbuilt), etag: '"unbuilt"' };
