import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, root, type Source } from './source-tree.ts';
import { literalsOf } from './syntax.ts';

/**
 * Reads SQL from the source tree for the tests of its architecture: the text of `.sql` files without comments, and
 * the literals of TypeScript files.
 */

/** A piece of SQL and its first line. */
export type SqlText = { path: string; line: number; text: string };

/** Product code with SQL in it. Tests and benchmarks are left out: they read tables to check what the product did. */
export const readSqlSources = (): Source[] =>
  globSync('server/**/*.{sql,ts}', { cwd: root })
    .filter((path) => !isTest(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** SQL without its comments, with unchanged line numbers. */
export const withoutComments = (text: string): string =>
  text.replaceAll(/'(?:[^']|'')*'|--[^\n]*|\/\*[\s\S]*?\*\//g, (part) =>
    part.startsWith("'") ? part : part.replaceAll(/[^\n]/g, ' '),
  );

/** SQL with its names as PostgreSQL compares them: in lower case and without quotes. */
const folded = (text: string): string => text.toLowerCase().replaceAll(/"([a-z_][a-z0-9_]*)"/g, '$1');

/** All possible SQL of a source, folded: a `.sql` file is one piece, each literal in TypeScript is one. */
export function sqlTextsOf(source: Source): SqlText[] {
  const { path, text } = source;
  const pieces = path.endsWith('.sql') ? [{ line: 1, text }] : literalsOf(source);
  return pieces.map(({ line, text: piece }) => ({ path, line, text: folded(withoutComments(piece)) }));
}
