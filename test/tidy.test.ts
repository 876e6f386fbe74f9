import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { refusals } from '#contract/refusals.ts';
import { contractFeatureOf, features } from './features.ts';
import { isTest, planted, readTree, root, type Source } from './source-tree.ts';
import { lineAt, nodesOf } from './syntax.ts';

/**
 * Tests the architecture: allowed imports, sizes of files and functions, names, and the path from every URL to its
 * feature. Each guard is also run on a planted violation, to show that it can fail.
 */

/** Refusal codes that no code on the server throws and no rule of the contract names. */
const unusedRefusals = (codes: readonly string[], sources: readonly Source[]): string[] =>
  codes.filter(
    (code) =>
      !sources.some(
        ({ path, text }) =>
          /^(server|contract)\//.test(path) &&
          !isTest(path) &&
          path !== 'contract/refusals.ts' &&
          text.includes(`'${code}'`),
      ),
  );

const FILE_LINES_MAX = 400;
const FUNCTION_LINES_MAX = 70;
const LINE_LENGTH_MAX = 120;

/** Functions and methods that are too long. SQL has a test of its own. */
function longFunctions(source: Source): string[] {
  const functions = nodesOf(source)
    .filter(({ type }) => /^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type))
    .map(({ start, end }) => ({ first: lineAt(source.text, start), last: lineAt(source.text, end) }));
  return functions
    .map(({ first, last }) => ({ first, linesCount: last - first + 1 }))
    .filter(({ linesCount }) => linesCount > FUNCTION_LINES_MAX)
    .map(({ first, linesCount }) => `${source.path}:${first}: a function of ${linesCount} lines`);
}

function sizeFaults(sources: readonly Source[]): string[] {
  return sources.flatMap((source) => {
    const lines = source.text.split('\n');
    const faults = lines.length > FILE_LINES_MAX + 1 ? [`${source.path}: ${lines.length} lines`] : [];
    if (source.text === '') faults.push(`${source.path}: an empty file`);
    for (const [index, line] of lines.entries())
      if (line.length > LINE_LENGTH_MAX)
        faults.push(`${source.path}:${index + 1}: ${line.length} characters`);
    if (/\.tsx?$/.test(source.path) && !isTest(source.path)) faults.push(...longFunctions(source));
    return faults;
  });
}

function nameFaults(sources: readonly Source[]): string[] {
  const banned = /(^|\/)(utils?|helpers?|common|misc|managers?|services?|data|process|index)\.(ts|tsx|sql)$/;
  return sources.flatMap(({ path }) => {
    const name = (path.split('/').at(-1) ?? '').replace(/\.d\.ts$/, '.ts');
    const faults = banned.test(path) ? [`${path}: a name that says nothing`] : [];
    if (
      /\.(ts|tsx)$/.test(name) &&
      !/^[a-z0-9]+(-[a-z0-9]+)*(\.(test|property\.test|config|e2e\.test|site\.test))?\.tsx?$/.test(name)
    )
      faults.push(`${path}: not kebab-case`);
    return faults;
  });
}

function textFaults(sources: readonly Source[]): string[] {
  const rules: [RegExp, string][] = [
    [/\b(TODO|FIXME|XXX|HACK)\b/, 'unfinished'],
    [/@ts-(ignore|nocheck|expect-error)/, 'silences the compiler'],
    [/dangerouslySetInnerHTML|\.innerHTML\s*=/, 'unsafe markup'],
    [/\beval\(|new Function\(/, 'code from text'],
    [/rejectUnauthorized:\s*false/, 'unchecked certificates'],
    [/export default/, 'a default export'],
    [/\b(test|it|describe)\.only\(/, 'only one test'],
  ];
  // Vite and Node ask for one.
  const mayDefault = /^web\/vite\.config\.ts$/;
  return sources
    .filter(({ path }) => path !== 'test/tidy.test.ts' && /\.tsx?$/.test(path))
    .flatMap(({ path, text }) =>
      rules
        .filter(
          ([pattern, why]) => pattern.test(text) && !(why === 'a default export' && mayDefault.test(path)),
        )
        .map(([, why]) => `${path}: ${why}`),
    );
}

/** Refuses floats where points are counted. */
function floatFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /^(server|contract)\//.test(path) && !isTest(path))
    .filter(({ text }) => /parseFloat\(|toFixed\(/.test(text))
    .map(({ path }) => `${path}: a float near money`);
}

/** Allows Math.random for jitter only, never for anything that a person could gain from guessing. */
function randomFaults(sources: readonly Source[]): string[] {
  const allowed = new Set(['server/platform/database.ts']);
  return sources
    .filter(
      ({ path, text }) => /^(server|contract)\//.test(path) && !isTest(path) && text.includes('Math.random'),
    )
    .filter(({ path }) => !allowed.has(path) && !path.startsWith('server/sandbox/'))
    .map(({ path }) => `${path}: Math.random`);
}

/**
 * Checks the table in ARCHITECTURE.md, URL prefix → feature: the longest prefix of every endpoint must name its
 * contract file.
 */
function urlTable(markdown: string): [string, string][] {
  return [...markdown.matchAll(/^\| `(\/[^`]*)` \| `([a-z-]+)` \|/gm)].map((row) => [
    row[1] as string,
    row[2] as string,
  ]);
}

function urlFaults(table: readonly [string, string][], sources: readonly Source[]): string[] {
  const doubles = table.filter(([prefix], index) => table.findIndex(([other]) => other === prefix) < index);
  const wrong = sources
    .filter(({ path }) => path.startsWith('contract/'))
    .flatMap(({ path, text }) => {
      const feature = contractFeatureOf(path);
      return [...text.matchAll(/['"`](\/api\/[^'"`]+)['"`]/g)].flatMap(([, url]) => {
        const rows = table.filter(([prefix]) => (url as string).startsWith(prefix));
        const longest = rows.sort((a, b) => b[0].length - a[0].length)[0];
        return longest?.[1] === feature
          ? []
          : [`${url} is ${feature}'s, the table says ${longest?.[1] ?? 'nothing'}`];
      });
    });
  return [...doubles.map(([prefix]) => `${prefix} stands twice`), ...wrong];
}

const sources = readTree(root);

/** The files that a document names, by their path or the end of it, and that don't exist. */
const lostFiles = (document: string, among: Source[]): string[] =>
  [...document.matchAll(/`([\w./-]+\.(?:tsx?|sql|css))`/g)]
    .map((match) => match[1] as string)
    .filter((name) => !among.some(({ path }) => path === name || path.endsWith(`/${name}`)));

const architecturePath = join(root, 'ARCHITECTURE.md');

describe('the architecture', () => {
  it('reads the tree at all', () => {
    assert.ok(sources.length > 50, `only ${sources.length} files were found`);
  });
  it('throws every refusal of the contract', () =>
    assert.deepEqual(unusedRefusals(Object.keys(refusals), sources), []));
  it('keeps files, functions and lines short', () => assert.deepEqual(sizeFaults(sources), []));
  it('uses meaningful names', () => assert.deepEqual(nameFaults(sources), []));
  it('holds no unfinished or unsafe text', () => assert.deepEqual(textFaults(sources), []));
  it('counts no money in floats', () => assert.deepEqual(floatFaults(sources), []));
  it('uses Math.random for jitter only', () => assert.deepEqual(randomFaults(sources), []));
  it('leads from every URL to its feature', () => {
    assert.ok(existsSync(architecturePath));
    const table = urlTable(readFileSync(architecturePath, 'utf8'));
    assert.ok(table.length >= features.length);
    assert.deepEqual(urlFaults(table, sources), []);
  });
});

describe('the documents', () => {
  it('name only existing files', () => {
    const documents = ['ARCHITECTURE.md', 'README.md', 'CONTRIBUTING.md'];
    for (const path of documents)
      assert.deepEqual(lostFiles(readFileSync(join(root, path), 'utf8'), sources), [], path);
  });
  it('number the decisions consecutively', () => {
    const numbers = readdirSync(join(root, 'docs/decisions')).map((name) => Number(name.slice(0, 4)));
    assert.deepEqual(
      numbers.toSorted((a, b) => a - b),
      numbers.map((_, index) => index + 1),
    );
  });
});

describe('the guards of the architecture', () => {
  it('refuse a document that names a missing file', () =>
    assert.deepEqual(lostFiles('`a.ts`, `ledger/b.ts` and `b-*.ts`', planted('server/ledger/b.ts', '')), [
      'a.ts',
    ]));
  it('refuse a refusal that nothing throws', () => {
    assert.deepEqual(unusedRefusals(['not-found', 'lost'], planted('server/a.ts', "refuse('not-found')")), [
      'lost',
    ]);
  });
  it('refuse a long file, an empty file, a long line and a long function', () => {
    const body = Array.from({ length: 80 }, (_, index) => `  call(${index});`).join('\n');
    assert.equal(sizeFaults(planted('server/ledger/a.ts', `function long() {\n${body}\n}\n`)).length, 1);
    for (const text of [
      `const long: Act = async (one) => {\n${body}\n};\n`,
      `const long = function (\n  one: string,\n  other = ') =>',\n) {\n${body}\n};\n`,
      `class A {\n  long(one: string): void {\n${body}\n  }\n}\n`,
      `const o = {\n  get long() {\n${body}\n  },\n};\n`,
    ])
      assert.equal(sizeFaults(planted('server/ledger/a.ts', text)).length, 1, text.slice(0, 30));
    assert.equal(sizeFaults(planted('server/ledger/a.ts', 'x'.repeat(121))).length, 1);
    assert.equal(sizeFaults(planted('server/ledger/a.ts', '\n'.repeat(402))).length, 1);
    assert.equal(sizeFaults(planted('server/ledger/a.ts', '')).length, 1);
  });
  it('refuse meaningless names and unfinished text', () => {
    assert.equal(nameFaults(planted('server/ledger/utils.ts', '')).length, 1);
    assert.equal(nameFaults(planted('server/ledger/someThing.ts', '')).length, 1);
    assert.equal(textFaults(planted('server/ledger/a.ts', '// TODO later')).length, 1);
    assert.equal(floatFaults(planted('server/ledger/a.ts', 'amount.toFixed(2)')).length, 1);
    assert.equal(randomFaults(planted('server/ledger/a.ts', 'Math.random()')).length, 1);
  });
  it('refuse a URL that the table does not map to its feature', () => {
    const table: [string, string][] = [['/api/user', 'members']];
    assert.equal(urlFaults(table, planted('contract/ledger.ts', "path: '/api/user/stats'")).length, 1);
    assert.equal(urlFaults([], planted('contract/ledger.ts', "path: '/api/user/stats'")).length, 1);
  });
});
