import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** The project's files, for the tests of its architecture. */

export const root = resolve(import.meta.dirname, '..');

export type Source = { path: string; text: string };

const codeEndings = /\.(ts|tsx|sql|css)$/;
const skipped = new Set(['node_modules', 'dist', 'data', '.cache', '.git', 'test-results']);

/** Every code and style file below a folder. */
export function readTree(folder: string): Source[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    if (skipped.has(name)) return [];
    if (statSync(path).isDirectory()) return readTree(path);
    return codeEndings.test(name) ? [{ path: relative(root, path), text: readFileSync(path, 'utf8') }] : [];
  });
}

/** The modules that a source imports, as values or types: files as paths from the root, packages by name. */
export function importsOf({ path, text }: Source): string[] {
  const found = [...text.matchAll(/(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g)].map(
    (match) => match[1] as string,
  );
  return found.map((name) => {
    if (name.startsWith('.')) return relative(root, resolve(root, dirname(path), name));
    if (name.startsWith('#contract/')) return name.replace('#contract/', 'contract/');
    if (name.startsWith('#platform/')) return name.replace('#platform/', 'server/platform/');
    if (name.startsWith('#web/')) return name.replace('#web/', 'web/');
    return name;
  });
}

/** The modules whose values a source imports: those of types alone are left out. */
export const valueImportsOf = ({ path, text }: Source): string[] =>
  importsOf({
    path,
    text: text
      .replaceAll(/^(?:import|export) type [^;]*;/gm, '')
      .replaceAll(/^import \{(?:\s*type \w+,?)+\s*\} from [^;]*;/gm, ''),
  });

/** Files beside the product that tests and nothing else import. */
export const testFiles = ['server/ledger/ledger-cases.ts'];

/** Whether a file is a test, a benchmark, or used by tests alone. */
export const isTest = (path: string): boolean =>
  /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path) || testFiles.includes(path);

/** A source that doesn't exist, for testing a guard. */
export const planted = (path: string, text: string): Source[] => [{ path, text }];
