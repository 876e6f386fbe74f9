import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, root } from './source-tree.ts';

/**
 * The walks in ARCHITECTURE.md from a URL to the row (B21). A walk holds if every file is there and is named by one
 * before it: a TypeScript file is imported, an SQL file defines a function that is called. A contract comes first: the
 * routes that bind it import it. Each walk has a bound.
 */
type Walk = { title: string; files: string[] };

const boundOf: Record<string, number> = {
  'A postback': 8,
  'A withdrawal request': 8,
  'A flip': 6,
  'A page of the history': 5,
};

function walksOf(markdown: string): Walk[] {
  return markdown
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf(':')),
      files: [...section.matchAll(/^\| `([\w./-]+)` \|/gm)].map((row) => row[1] as string),
    }));
}

type ReadText = (path: string) => string;

function names(from: string, to: string, read: ReadText): boolean {
  if (from.startsWith('contract/')) return importsOf({ path: to, text: read(to) }).includes(from);
  if (!to.endsWith('.sql')) return importsOf({ path: from, text: read(from) }).includes(to);
  const functions = [...read(to).matchAll(/create or replace function ([a-z_.]+)\(/g)].map(
    ([, name]) => name,
  );
  return functions.some((name) => read(from).includes(`${name}(`));
}

const breaksOf = ({ files }: Walk, read: ReadText): string[] =>
  files.filter((file, index) => index > 0 && !files.slice(0, index).some((from) => names(from, file, read)));

describe('the walks from a URL to the row', () => {
  const walks = walksOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
  const read: ReadText = (path) => readFileSync(join(root, path), 'utf8');

  it('are the four that have a maximum', () =>
    assert.deepEqual(
      walks.map(({ title }) => title),
      Object.keys(boundOf),
    ));
  for (const walk of walks)
    it(`${walk.title}: names every file in one before it, within its maximum`, () => {
      assert.deepEqual(
        walk.files.filter((file) => !existsSync(join(root, file))),
        [],
      );
      assert.deepEqual(breaksOf(walk, read), []);
      assert.ok(walk.files.length <= (boundOf[walk.title] as number), `${walk.files.length} files`);
    });
  it('fail on a file that none before it names', () => {
    const texts: Record<string, string> = {
      'server/a/routes.ts': "import { b } from './b.ts';",
      'server/a/b.ts': '',
      'server/a/c.ts': '',
      'server/a/functions.sql': 'create or replace function a.act(id integer)',
    };
    const planted = { title: 'planted', files: Object.keys(texts) };
    assert.deepEqual(
      breaksOf(planted, (path) => texts[path] as string),
      ['server/a/c.ts', 'server/a/functions.sql'],
    );
  });
});
