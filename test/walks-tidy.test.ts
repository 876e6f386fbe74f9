import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, root, valueImportsOf } from './source-tree.ts';

/**
 * The walks in ARCHITECTURE.md from a URL to the row (B21), an approval in two parts. A walk holds if every file is
 * there and is named by one before it: a TypeScript file is imported, an SQL file defines a function that is called. A
 * contract comes first: the routes that bind it import it. Each walk has a bound. It leaves no file out silently: what
 * its files import of their own feature is in the walk, or below it with the reason why nobody opens it.
 */
type Walk = { title: string; files: string[]; unopened: string[] };

const boundOf: Record<string, number> = {
  'A postback': 8,
  'A withdrawal request': 8,
  'A flip': 6,
  'A page of the history': 5,
  'An approval, and its payout': 7,
  'The payout of an approval': 10,
  'A payment that an operator names': 10,
};

const UNOPENED = 'Not opened: ';

const pathsIn = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, path]) => path as string);

function walksOf(markdown: string): Walk[] {
  return markdown
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf(':')),
      files: pathsIn(section.split(UNOPENED)[0] ?? '', /^\| `([\w./-]+)` \|/gm),
      unopened: pathsIn(section.split(UNOPENED)[1]?.split('\n\n')[0] ?? '', /`([\w./-]+)`/g),
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

const breaksOf = ({ files, unopened }: Walk, read: ReadText): string[] =>
  files.filter(
    (file, index) =>
      index > 0 && ![...files.slice(0, index), ...unopened].some((from) => names(from, file, read)),
  );

/** The feature of a server file, of which other features see the front door alone. */
const featureOf = (path: string): string | undefined => /^server\/(\w+)\//.exec(path)?.[1];

/** Files whose values a walk's files import from their own feature, and which the walk does not mention. */
const silentOf = ({ files, unopened }: Walk, read: ReadText): string[] =>
  files
    .filter((file) => file.endsWith('.ts') && featureOf(file) !== undefined)
    .flatMap((path) =>
      valueImportsOf({ path, text: read(path) }).filter((name) => featureOf(name) === featureOf(path)),
    )
    .filter((name) => !files.includes(name) && !unopened.includes(name));

/** Files that a walk says are not opened, and that none of its files imports. */
const needlessOf = ({ files, unopened }: Walk, read: ReadText): string[] => {
  const imported = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((path) => valueImportsOf({ path, text: read(path) }));
  return unopened.filter((name) => name.endsWith('.ts') && !imported.includes(name));
};

describe('the walks from a URL to the row', () => {
  const walks = walksOf(readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8'));
  const read: ReadText = (path) => readFileSync(join(root, path), 'utf8');

  it('are those that have a maximum', () =>
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
      assert.deepEqual(silentOf(walk, read), []);
      assert.deepEqual(needlessOf(walk, read), []);
      assert.ok(walk.files.length <= (boundOf[walk.title] as number), `${walk.files.length} files`);
    });
  it('fail on a file that none before it names', () => {
    const texts: Record<string, string> = {
      'server/a/routes.ts': "import { b } from './b.ts';",
      'server/a/b.ts': '',
      'server/a/c.ts': '',
      'server/a/functions.sql': 'create or replace function a.act(id integer)',
    };
    const planted = { title: 'planted', files: Object.keys(texts), unopened: [] };
    assert.deepEqual(
      breaksOf(planted, (path) => texts[path] as string),
      ['server/a/c.ts', 'server/a/functions.sql'],
    );
  });
  it('fail on an import that is neither opened nor explained', () => {
    const texts: Record<string, string> = {
      'server/a/routes.ts':
        "import { b } from './b.ts';\nimport type { C } from './c.ts';\nimport { d } from '../d/d.ts';",
    };
    const planted = { title: 'planted', files: Object.keys(texts), unopened: [] };
    assert.deepEqual(
      silentOf(planted, (path) => texts[path] as string),
      ['server/a/b.ts'],
    );
    const explained = { ...planted, unopened: ['server/a/b.ts', 'server/a/e.ts'] };
    assert.deepEqual(
      silentOf(explained, (path) => texts[path] as string),
      [],
    );
    assert.deepEqual(
      needlessOf(explained, (path) => texts[path] as string),
      ['server/a/e.ts'],
    );
  });
});
