import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, root, valueImportsOf } from './source-tree.ts';

/**
 * The walks in ARCHITECTURE.md from a URL to the row (B21), an approval in two parts. A walk holds if every file is
 * there and is named by one before it: a TypeScript file is imported, an SQL file defines a function that is called. A
 * contract comes first: the routes that bind it import it. A registry has one line for each provider or rail, so it may
 * name a file without being opened. Each walk leaves no file out silently: what its files import of their own feature
 * is in the walk, or below it with the reason why nobody opens it. Both numbers have a bound.
 */
type Walk = { title: string; files: string[]; unopened: string[] };

/** How many files a walk opens, and how many it names besides, at most. */
const boundOf: Record<string, { opened: number; unopened: number }> = {
  'A postback': { opened: 8, unopened: 8 },
  'A withdrawal request': { opened: 8, unopened: 13 },
  'A flip': { opened: 6, unopened: 1 },
  'A page of the history': { opened: 5, unopened: 1 },
  'An approval, and its payout': { opened: 7, unopened: 24 },
  'The payout of an approval': { opened: 10, unopened: 28 },
  'A payment that an operator names': { opened: 10, unopened: 25 },
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

/** Files that neither one before them nor a registry names. */
function breaksOf({ files, unopened }: Walk, read: ReadText): string[] {
  const registries = unopened.filter((path) => path.endsWith('/registry.ts'));
  return files.filter(
    (file, index) =>
      index > 0 && ![...files.slice(0, index), ...registries].some((from) => names(from, file, read)),
  );
}

/** The numbers of a walk that are above their bound. */
const excessesOf = ({ files, unopened }: Walk, bound: { opened: number; unopened: number }): string[] => [
  ...(files.length > bound.opened ? [`${files.length} files are opened`] : []),
  ...(unopened.length > bound.unopened ? [`${unopened.length} files are not opened`] : []),
];

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
    it(`${walk.title}: names every file in one before it, within its bounds`, () => {
      assert.deepEqual(
        walk.files.filter((file) => !existsSync(join(root, file))),
        [],
      );
      assert.deepEqual(breaksOf(walk, read), []);
      assert.deepEqual(silentOf(walk, read), []);
      assert.deepEqual(needlessOf(walk, read), []);
      assert.deepEqual(excessesOf(walk, boundOf[walk.title] as (typeof boundOf)[string]), []);
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
  it('fail on a file that one names which is not opened, unless that is a registry', () => {
    const texts: Record<string, string> = {
      'server/a/routes.ts': '',
      'server/a/hidden.ts': "import { b } from './b.ts';",
      'server/a/registry.ts': "import { c } from './c.ts';",
      'server/a/b.ts': '',
      'server/a/c.ts': '',
    };
    const unopened = ['server/a/hidden.ts', 'server/a/registry.ts'];
    const planted = {
      title: 'planted',
      files: Object.keys(texts).filter((path) => !unopened.includes(path)),
      unopened,
    };
    assert.deepEqual(
      breaksOf(planted, (path) => texts[path] as string),
      ['server/a/b.ts'],
    );
  });
  it('fail on one more file than the bound, opened or not', () => {
    const planted = { title: 'planted', files: ['a.ts', 'b.ts'], unopened: ['c.ts', 'd.ts', 'e.ts'] };
    assert.deepEqual(excessesOf(planted, { opened: 2, unopened: 3 }), []);
    assert.deepEqual(excessesOf(planted, { opened: 1, unopened: 2 }), [
      '2 files are opened',
      '3 files are not opened',
    ]);
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
