import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import type { Plugin } from 'vite';
import { languageNames } from '../client/languages.ts';

/**
 * Subsets the site's font to the characters of our own words: one file for Latin letters, digits and signs, one for
 * Korean syllables. A page then loads one or two small files instead of many parts of the whole font. Other characters,
 * such as those of a name, come from the whole font. It has the same shapes, so loading it shifts nothing.
 *
 * The build makes `ui/font-subset.css` from the words. Only `main.tsx` and the styles of the skeletons import
 * it.
 */
const FONT = 'node_modules/pretendard/dist/web/variable/woff2/PretendardVariable.woff2';
/** The weight range of the tokens, from text to hero. */
const weights = { min: 400, max: 700 };
/** Characters that the code inserts between words and numbers. */
const signs = '\u00a0−·–—‘’“”…→×₩€£¥•';
const features = ['ccmp', 'locl', 'kern', 'mark', 'mkmk', 'tnum', 'lnum'];

/** Every page names both languages, so the Latin file has the letters of `한국어`. */
const isKorean = (letter: string): boolean =>
  /[\uac00-\ud7a3]/.test(letter) && !languageNames.ko.includes(letter);

/** Every character of the words of members' screens, and ASCII. */
function lettersOf(root: string): string[] {
  const files = globSync('*/words.*.json', { cwd: root });
  const ascii = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
  const words = files.map((file) => readFileSync(join(root, file), 'utf8')).join('');
  return [...new Set([...ascii, ...signs, ...words])].filter((letter) => letter >= ' ').sort();
}

/**
 * The `@font-face` rule of a file. It declares the weight range of the whole font, because a browser combines only
 * faces with the same range and otherwise uses the last one.
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

/** The plugin that finds the generated `ui/font-subset.css`. @param dir the folder of the generated files */
export const fontSubsetStyles = (dir: string): Plugin => ({
  name: 'font-subset-styles',
  enforce: 'pre',
  resolveId: (id) => (id.endsWith('/font-subset.css') ? join(dir, 'font-subset.css') : null),
});

/** The plugin that generates the files. @param root the web's folder @param dir the folder for them */
export function fontSubset(root: string, dir: string): Plugin {
  return {
    name: 'font-subset',
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
      writeFileSync(join(dir, 'font-subset.css'), (await Promise.all(faces)).join(''));
    },
  };
}
