import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { root, type Source } from './source-tree.ts';
import { literalsOf } from './syntax.ts';

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

/** The folder below `web` of each section of words. */
const sectionFolders: ReadonlyMap<string, string> = new Map(
  wordFiles('en').flatMap(({ path, words }) =>
    Object.keys(words).map((section) => [section, relative('web', dirname(path))] as const),
  ),
);

/** The keys in a file. A section that the file gives to the operators' kit counts as the key of its title. */
export const keysIn = (source: Source): string[] => [
  ...literalsOf(source)
    .map(({ text }) => text)
    .filter((text) => /^[a-zA-Z]+\.[\w$.-]+$/.test(text)),
  ...[...source.text.matchAll(/\buseListWords\(\s*\w+,\s*'([a-zA-Z]+)'/g)].map(
    ([, section]) => `${section}.title`,
  ),
];

/** The folder whose words have a key; undefined for a text that is no key. */
export const folderOfKey = (key: string): string | undefined => sectionFolders.get(key.split('.')[0] ?? '');
