import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-tree.ts';

/** What the web says, as the tests read it: the words of every feature, by language. */

export type Language = 'en' | 'ko';
export type Words = { [key: string]: string | Words };

/** The files of a language, each with its path from the project's root. */
export const wordFiles = (language: Language): { path: string; words: Words }[] =>
  globSync(`web/**/words.${language}.json`, { cwd: root, exclude: ['web/dist/**'] })
    .sort()
    .map((path) => ({ path, words: JSON.parse(readFileSync(join(root, path), 'utf8')) as Words }));

/** All words of a language. A section stands in one file only. */
export const wordsOf = (language: Language): Words =>
  Object.assign({}, ...wordFiles(language).map(({ words }) => words)) as Words;

/** What stands under a key such as `auth.errors.email`. */
export const wordAt = (words: Words, key: string): string | Words | undefined =>
  key.split('.').reduce<string | Words | undefined>((found, part) => (found as Words)?.[part], words);
