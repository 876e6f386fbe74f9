import { readFile } from 'node:fs/promises';
import type { Plugin } from 'vite';

/**
 * Adds to each `words.ko.json` the texts that only the `words.en.json` beside it has. Screens load one language, so a
 * missing Korean text falls back to English here, in the build. A complete file is unchanged.
 */

type Words = { [key: string]: string | Words };

const KOREAN = /\/words\.ko\.json$/;
const ONE = /_one$/;

/** Korean has one plural form, so it needs no English form for one if there is a form for others. */
const isForOne = (key: string, english: Words): boolean =>
  ONE.test(key) && key.replace(ONE, '_other') in english;

/** The Korean texts, with English ones for missing keys. */
export function withMissing(korean: Words, english: Words): Words {
  const all: Words = { ...korean };
  for (const [key, text] of Object.entries(english)) {
    const known = korean[key];
    if (known === undefined) {
      if (!isForOne(key, english)) all[key] = typeof text === 'string' ? text : withMissing({}, text);
    } else if (typeof known === 'object' && typeof text === 'object') all[key] = withMissing(known, text);
  }
  return all;
}

export const missingWords: Plugin = {
  name: 'missing-words',
  enforce: 'pre',
  async transform(code, id) {
    if (!KOREAN.test(id)) return null;
    const englishFile = id.replace(KOREAN, '/words.en.json');
    this.addWatchFile(englishFile);
    const english = JSON.parse(await readFile(englishFile, 'utf8')) as Words;
    return { code: JSON.stringify(withMissing(JSON.parse(code) as Words, english)), map: null };
  },
};
