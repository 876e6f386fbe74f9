import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './source-tree.ts';

/** The words of every web feature by language, for tests. */

export type Language = 'en' | 'ko';
export type Words = { [key: string]: string | Words };

/** The files of a language, each as a path from the project's root. */
export const wordFiles = (language: Language): { path: string; words: Words }[] =>
  globSync(`web/**/words.${language}.json`, { cwd: root, exclude: ['web/dist/**'] })
    .sort()
    .map((path) => ({ path, words: JSON.parse(readFileSync(join(root, path), 'utf8')) as Words }));

/** All words of a language. Each section is in one file only. */
export const wordsOf = (language: Language): Words =>
  Object.assign({}, ...wordFiles(language).map(({ words }) => words)) as Words;

/** The text of a key such as `auth.errors.email`. */
export const wordAt = (words: Words, key: string): string | Words | undefined =>
  key.split('.').reduce<string | Words | undefined>((found, part) => (found as Words)?.[part], words);
