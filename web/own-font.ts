import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { languageNames } from './client/languages.ts';

/**
 * The letters of our own words, as two small files of the site's font: one of Latin letters, figures and signs, one of
 * Korean syllables. A page needs one or two files instead of a part of the whole font for each range of letters. Other
 * letters, such as those of a name, come from the whole font, which is the same one, so that nothing moves.
 *
 * `ui/own-font.css` is made from the words when the web is built. Only `main.tsx` imports it.
 */
const FONT = 'node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2';
/** The weights of the tokens, from text to hero. */
const weights = { min: 400, max: 700 };
/** Signs that the code writes between words and figures. */
const signs = '\u00a0−·–—‘’“”…→×₩€£¥•';
const features = ['ccmp', 'locl', 'kern', 'mark', 'mkmk', 'tnum', 'lnum'];

/** The names of the languages are on pages of every language, so the Latin file has their letters. */
const isKorean = (letter: string): boolean =>
  /[\uac00-\ud7a3]/.test(letter) && !languageNames.ko.includes(letter);

/** Every letter of the words of members' screens, and of ASCII. */
function lettersOf(root: string): string[] {
  const files = globSync('*/words.*.json', { cwd: root });
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const words = files.map((file) => readFileSync(join(root, file), 'utf8')).join('');
  return [...new Set([...ascii, ...signs, ...words])].filter((letter) => letter >= ' ').sort();
}

/**
 * The rule of one face. It names the weights of the whole font: only faces that name the same are parts of one, and of
 * those the last one is used.
 */
const faceOf = (name: string, letters: readonly string[]): string => `@font-face {
  font-family: "Pretendard Variable";
  font-style: normal;
  font-display: swap;
  font-weight: 45 920;
  src: url(./${name}.woff2) format("woff2-variations");
  unicode-range: ${letters.map((letter) => `U+${letter.codePointAt(0)?.toString(16)}`).join(', ')};
}
`;

/** The plugin. @param root the web's folder @param dir where what it makes is kept, `.cache/own-font` */
export function ownFont(root: string, dir: string): Plugin {
  return {
    name: 'own-font',
    enforce: 'pre',
    async buildStart() {
      mkdirSync(dir, { recursive: true });
      const font = readFileSync(join(root, '..', FONT));
      const letters = lettersOf(root);
      const parts = {
        latin: letters.filter((letter) => !isKorean(letter)),
        korean: letters.filter(isKorean),
      };
      const faces = Object.entries(parts).map(async ([name, own]) => {
        const options = {
          targetFormat: 'woff2',
          keepFeatures: features,
          variationAxes: { wght: weights },
        } as const;
        writeFileSync(join(dir, `${name}.woff2`), await subsetFont(font, own.join(''), options));
        return faceOf(name, own);
      });
      writeFileSync(join(dir, 'own-font.css'), (await Promise.all(faces)).join(''));
    },
    resolveId: (id) => (id.endsWith('/own-font.css') ? join(dir, 'own-font.css') : null),
  };
}
