import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { importsOf, planted, readTree, root, type Source, staticImportsOf } from './source-tree.ts';
import { type Node, nodesOf, textOf } from './syntax.ts';
import { folderOfKey, keysIn } from './words.ts';

/**
 * The layers of the web, from the bottom: `client`, `ui`, the features, and the files that compose them. A feature
 * imports no other feature. `build` runs only when the web is built, so no other folder imports it.
 */

/**
 * `shell`, `home` and the files at the top of `web` compose the screens; `content` composes the prerendered
 * documents.
 */
const composers = new Set(['shell', 'home', 'content', undefined]);
/** The layers below the features, each with the layers that it may import. */
const base: Record<string, readonly string[]> = { client: [], ui: ['client'] };

const folderOf = (path: string) => /^web\/((?:admin\/)?[a-z-]+)\//.exec(path)?.[1];

/** What an operators' feature may import beside the base: the kit of their lists. */
const operatorsKit = 'admin/kit';

/** What runs on the server or in the build alone. */
const serverPackages =
  /^(node:|server\/|(pg|pg-[a-z]+|fastify|@fastify\/[^/]+|redis|vite|nodemailer|pino)(\/|$))/;

function judgeImport(path: string, name: string): string | undefined {
  const [from, to] = [folderOf(path), folderOf(name)];
  if (from === 'build' || path === 'web/vite.config.ts') return undefined;
  if (to === 'build') return `${path} imports ${name}, which only the build runs`;
  if (from !== undefined && serverPackages.test(name)) return `${path} imports ${name}, which no browser has`;
  if (!name.startsWith('web/') || from === to || composers.has(from)) return undefined;
  const isOperators = from?.startsWith('admin/') === true && from !== operatorsKit;
  const allowed = base[from ?? ''] ?? [...Object.keys(base), ...(isOperators ? [operatorsKit] : [])];
  if (to !== undefined && allowed.includes(to)) return undefined;
  return `${path} imports ${name}: web/${from} imports only ${allowed.join(' and ') || 'itself'}`;
}

const importFaults = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((source) => importsOf(source).map((name) => judgeImport(source.path, name)))
    .filter((fault) => fault !== undefined);

/** A few folders use words of another folder that is always loaded with them. */
const otherWords: Record<string, readonly string[]> = { content: ['landing', 'offline'] };

/** Keys that a file uses without its page loading their words. */
const wordFaults = (source: readonly Source[]): string[] =>
  source
    .filter(({ path }) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .flatMap((source) => {
      const folder = folderOf(source.path);
      // The files at the top of `web` and the build use no words.
      if (folder === undefined || folder === 'build') return [];
      const allowed = ['client', folder, ...(otherWords[folder] ?? [])];
      return keysIn(source)
        .filter((key) => !allowed.includes(folderOfKey(key) ?? folder))
        .map((key) => `${source.path} says ${key}, which is another folder's`);
    });

/** Attributes that people read or hear. */
const readAttributes =
  /^(alt|aria-(label|description|roledescription)|description|error|heading|label|placeholder|title)$/;

/** Texts of a screen that are no words of a language, and files that have both languages in them. */
const untranslated = /^(Esc|Aa|7d0c93ae…be02|--[a-z-]+( REASON)?)$/;
const inBothLanguages: Record<string, string> = {
  'web/shell/not-found-page.tsx': 'is shown where no words are loaded',
};

/** The nodes of a file that hold text which stands on a screen. */
const shownNodesOf = (source: Source): Node[] =>
  nodesOf(source).flatMap((node) => {
    if (/^JSX(Element|Fragment)$/.test(node.type)) return node.children as Node[];
    const isRead = node.type === 'JSXAttribute' && readAttributes.test(String((node.name as Node).name));
    return isRead && node.value ? [node.value as Node] : [];
  });

/** Its text as it is written there; undefined if it is made by an expression. */
function shownTextOf(node: Node, source: string): string | undefined {
  if (node.type === 'JSXText') return source.slice(node.start, node.end);
  return textOf(node.type === 'JSXExpressionContainer' ? (node.expression as Node) : node, source);
}

/** Texts that are written in a screen instead of in its words, so that they have one language. */
const textFaults = (source: readonly Source[]): string[] =>
  source
    .filter(({ path }) => /\.tsx$/.test(path) && !/\.test\.tsx$/.test(path) && !(path in inBothLanguages))
    .flatMap((one) =>
      shownNodesOf(one)
        .flatMap(
          (node) =>
            shownTextOf(node, one.text)
              ?.replaceAll(/&\w+;|\$1/g, '')
              .trim() ?? [],
        )
        .filter((text) => /\p{L}{2,}/u.test(text) && !untranslated.test(text))
        .map((text) => `${one.path} says “${text}” in one language`),
    );

const sources = readTree(join(root, 'web'));
const sourceAt = new Map(sources.map((source) => [source.path, source]));

/** The files that are loaded together with a file. What a dynamic import loads loads its words itself. */
function filesWith(path: string, found = new Set<Source>()): Set<Source> {
  const source = sourceAt.get(path);
  if (source === undefined || found.has(source) || path.endsWith('.css')) return found;
  found.add(source);
  for (const name of staticImportsOf(source)) filesWith(name, found);
  return found;
}

/** The words of these are there before any screen. */
const ofFrame = ['client', 'shell', 'announcements'];

/** The folders whose words a file and the files with it use. */
const wordFoldersOf = (path: string): string[] => {
  const folders = [...filesWith(path)].flatMap(keysIn).map(folderOfKey);
  return [
    ...new Set(folders.filter((one) => one !== undefined && !ofFrame.includes(one)) as string[]),
  ].sort();
};

type Screen = { path: string; load: () => Promise<unknown>; wordsOf: readonly string[] };
const screensModule = join(root, 'web/screens.ts');
const { memberScreens, operatorScreens } = (await import(screensModule)) as Record<
  string,
  Record<string, Screen>
>;
const screens = Object.values({ ...memberScreens, ...operatorScreens });

describe('the layers of the web', () => {
  it('reads the tree at all', () => assert.ok(sources.length > 50));
  it('imports only downwards', () => assert.deepEqual(importFaults(sources), []));
  it('uses its own words and the client’s', () => assert.deepEqual(wordFaults(sources), []));
  it('has no text in one language alone', () => assert.deepEqual(textFaults(sources), []));
  it('loads for each screen the words that its files use, and no others', () => {
    assert.ok(screens.length > 25);
    for (const { path, load, wordsOf } of screens) {
      const [, file] = /import\('\.\/([^']+)'\)/.exec(String(load)) ?? [];
      assert.deepEqual(wordsOf.toSorted(), wordFoldersOf(`web/${file}`), path);
    }
  });
  it('uses no other words in the frame', () => {
    for (const file of ['main.tsx', 'shell/member-area.tsx', 'shell/operator-area.tsx'])
      assert.deepEqual(wordFoldersOf(`web/${file}`), [], file);
  });
});

describe('the guards of the web', () => {
  const cases: [string, string, string][] = [
    ['one feature into another', 'web/earning/earn-page.tsx', "import { x } from '../ledger/row.tsx';"],
    ['one operators’ feature into another', 'web/admin/a/a.tsx', "import { x } from '#web/admin/b/b.tsx';"],
    ['a members’ feature into the operators’ kit', 'web/earning/a.tsx', "import '#web/admin/kit/b.tsx';"],
    ['the operators’ kit into a feature', 'web/admin/kit/a.tsx', "import { x } from '#web/admin/a/x.tsx';"],
    ['a feature into the shell', 'web/earning/earn-page.tsx', "import { x } from '#web/shell/app.tsx';"],
    ['a feature into the routes', 'web/earning/earn-page.tsx', "import type { X } from '../routes.tsx';"],
    ['the client into a feature', 'web/client/session.ts', "import { x } from '#web/earning/x.ts';"],
    ['the client into the shared components', 'web/client/words.ts', "import { x } from '#web/ui/x.ts';"],
    ['one feature into another by a template', 'web/earning/a.tsx', 'import(`../ledger/row.tsx`);'],
    [
      'one feature into another by its address',
      'web/earning/a.ts',
      "new URL('../ledger/b.ts', import.meta.url);",
    ],
    ['the shell into the build', 'web/shell/app.tsx', "import { x } from '../build/chunks.ts';"],
    ['a feature into the server', 'web/earning/a.tsx', "import { x } from '../../server/ledger/ledger.ts';"],
    ['a feature into the driver', 'web/earning/a.tsx', "import pg from 'pg/lib/client.js';"],
    ['a feature into a package of the driver', 'web/earning/a.tsx', "import Pool from 'pg-pool';"],
    ['a feature into a module of Node', 'web/earning/a.tsx', "import { createRequire } from 'node:module';"],
    ['the shared components into a feature', 'web/ui/pager.tsx', "import { x } from '#web/ledger/x.ts';"],
  ];
  for (const [what, path, text] of cases)
    it(`refuse ${what}`, () => assert.equal(importFaults(planted(path, text)).length, 1));
  it('refuse a text outside the words', () => {
    for (const text of [
      '<b>Network fee</b>',
      '<b>{"수수료"}</b>',
      '<input aria-label="Fee" />',
      '<b>{`fee`}</b>',
    ])
      assert.equal(textFaults(planted('web/earning/a.tsx', text)).length, 1, text);
    assert.deepEqual(
      textFaults(planted('web/earning/a.tsx', '<b className={"num"} id="fee">{t("a")}&nbsp;P</b>')),
      [],
    );
  });
  it('refuse another feature’s words', () => {
    assert.equal(wordFaults(planted('web/earning/a.tsx', "t('coinflip.title')")).length, 1);
    assert.equal(wordFaults(planted('web/earning/a.tsx', 't(`chargebacks.title`)')).length, 1);
    assert.equal(wordFaults(planted('web/earning/a.tsx', '<Trans i18nKey="coinflip.title" />')).length, 1);
    assert.equal(wordFaults(planted('web/earning/a.tsx', 't("coinflip.title")')).length, 1);
    assert.equal(wordFaults(planted('web/earning/a.tsx', "t('coinflip.' + name)")).length, 1);
    const otherList = "useListWords(readTicketQueue, 'queue', {})";
    assert.equal(wordFaults(planted('web/admin/support/a.tsx', otherList)).length, 1);
    assert.equal(wordFaults(planted('web/admin/withdrawals/a.tsx', otherList)).length, 0);
    assert.equal(wordFaults(planted('web/earning/a.tsx', "t('earn.title') + t('common.close')")).length, 0);
  });
});
