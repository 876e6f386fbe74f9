import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { providers } from '../server/earning/providers/registry.ts';
import { importsOf, planted, readTree, root, type Source } from './source-tree.ts';

/**
 * A provider is one folder. Its name may appear only there, in the registry, in documents, in tests, and where the
 * list below allows it. Its simulated wall is loaded by the sandbox alone, and its vectors by tests alone.
 */
type Names = { id: string; name: string };

const folders = 'server/earning/providers';

const isTest = (path: string) =>
  /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path) || path.includes('-cases.ts');

/** Paths that the specification fixes by name; they may appear anywhere. */
const specifiedAddresses =
  /\/api\/(?:cpx|theoremreach|kiwiwall)(?=\/)|\/api\/cpx-surveys|\/cpx-surveys|\/kiwiwall-offers/g;

/** Files of pages and calls that the specification names, each with the ids of its providers. */
const allowed: readonly [path: RegExp, ids: readonly string[], why: string][] = [
  [/^contract\/earning\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'specified calls for one wall'],
  [/^server\/earning\/routes\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'the same calls, answered'],
  [/^web\/earning\/use-wall-url\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'the same calls, made'],
  [/^web\/earning\/(cpx-surveys-page\..+|use-survey-tab\.ts)$/, ['cpx'], 'the page /cpx-surveys'],
  [/^web\/earning\/(kiwiwall-page\..+|wall-gate\.tsx)$/, ['kiwiwall'], 'the page /kiwiwall-offers'],
  [/^web\/routes\.tsx$/, ['cpx', 'kiwiwall'], 'both pages'],
  [/^web\/.+\.(en|ko)\.json$/, ['cpx', 'kiwiwall'], 'the words of both pages, and specified messages'],
];

/** The web's files of words, which stand beside its code. */
const wordsOf = (text: string): string =>
  `${text} ${text.replace(/([a-z0-9])([A-Z])/g, '$1 $2')}`.toLowerCase();

const stands = (name: string, words: string): boolean =>
  new RegExp(`(?<![a-z0-9])${RegExp.escape(name.toLowerCase())}(?![a-z0-9])`).test(words);

function nameFaults(sources: readonly Source[], known: readonly Names[]): string[] {
  return sources
    .filter(({ path }) => !isTest(path) && path !== `${folders}/registry.ts`)
    .flatMap(({ path, text }) => {
      const words = wordsOf(`${path}\n${text}`.replaceAll(specifiedAddresses, ''));
      return known
        .filter(({ id }) => !path.startsWith(`${folders}/${id}/`))
        .filter(({ id }) => !allowed.some(([where, ids]) => where.test(path) && ids.includes(id)))
        .filter(({ id, name }) => stands(id, words) || stands(name, words))
        .map(({ name }) => `${path} names ${name}`);
    });
}

/** Imports of a wall outside the sandbox, and of vectors outside tests, also in templates. */
function loadFaults(sources: readonly Source[]): string[] {
  const isProviderFile = (name: string, file: string) =>
    name.startsWith(`${folders}/`) && name.endsWith(`/${file}`) && name !== `${folders}/${file}`;
  return sources
    .filter(({ path }) => /^(server|web|contract)\/.+\.tsx?$/.test(path) && !isTest(path))
    .flatMap((source) => {
      const { path } = source;
      const spelledOut = source.text.replaceAll(
        /import\(`([^`]*)`\)/g,
        (_all, name: string) => `import('${name}')`,
      );
      const names = importsOf({ path, text: spelledOut });
      const isSandbox = path.startsWith('server/sandbox/');
      const isOfTests = [`${folders}/vectors.ts`, `${folders}/genuine.ts`].includes(path);
      return names.flatMap((name) => {
        if (isProviderFile(name, 'wall.ts') && !isSandbox)
          return [`${path} loads ${name}: the sandbox alone does`];
        const isVectors = isProviderFile(name, 'vectors.ts') || name === `${folders}/vectors.ts`;
        return isVectors && !isOfTests ? [`${path} loads ${name}: tests alone do`] : [];
      });
    });
}

/** Checks that every folder is complete and registered by one line. */
function folderFaults(names: readonly string[], registry: string): string[] {
  const files = ['adapter.ts', 'facts.ts', 'vectors.ts', 'wall.ts'];
  const ids = [
    ...new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? '')),
  ];
  return ids.flatMap((id) => [
    ...files.filter((file) => !names.includes(`${id}/${file}`)).map((file) => `${id} has no ${file}`),
    ...(registry.split('\n').filter((line) => line.includes(`./${id}/`)).length === 1
      ? []
      : [`${id} has not one line of the registry`]),
  ]);
}

/** The words of the web, which stand beside its code. */
const wordFiles = (): Source[] =>
  readdirSync(join(root, 'web'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(en|ko)\.json$/.test(name) && !name.startsWith('dist'))
    .map((name) => ({ path: `web/${name}`, text: readFileSync(join(root, 'web', name), 'utf8') }));

const sources = [
  ...['contract', 'server', 'web'].flatMap((name) => readTree(join(root, name))),
  ...wordFiles(),
];
const known = [...providers.values()];
const folderNames = readdirSync(join(root, folders), { recursive: true, encoding: 'utf8' });
const registry = readFileSync(join(root, folders, 'registry.ts'), 'utf8');

describe('a provider is one folder', () => {
  it('reads the web’s words too', () => assert.ok(wordFiles().length >= 2));
  it('is named only in its folder', () => assert.deepEqual(nameFaults(sources, known), []));
  it('has a wall that only the sandbox loads, and vectors that only tests load', () =>
    assert.deepEqual(loadFaults(sources), []));
  it('is complete, with one line in the registry', () => {
    assert.ok(folderNames.length > known.length * 4);
    assert.deepEqual(folderFaults(folderNames, registry), []);
  });
  it('is named in every file that the list allows', () => {
    for (const [where, ids, why] of allowed)
      for (const id of ids) {
        const { name } = providers.get(id) ?? { name: id };
        const isUsed = sources.some(({ path, text }) => {
          if (!where.test(path)) return false;
          const words = wordsOf(`${path}\n${text}`);
          return stands(id, words) || stands(name, words);
        });
        assert.ok(isUsed, `${why}: ${id}`);
      }
  });
});

describe('the guards of providers', () => {
  const names = [{ id: 'acme', name: 'Acme Wall' }];
  const named: [string, string, string][] = [
    ['an id in another file', 'server/earning/hooks.ts', "const strict = new Set(['acme']);"],
    ['an id in another provider’s folder', `${folders}/other/adapter.ts`, '// As acme does.'],
    ['a name in the contract', 'contract/earning.ts', "summary: 'The wall of Acme Wall'"],
    ['a name in one word with others', 'web/earning/use-wall-url.ts', 'readAcmeUrl();'],
    ['a name in the words of the web', 'web/earning/words.en.json', '{ "acme": "Offers" }'],
    ['a name in SQL', 'server/earning/functions.sql', "where provider = 'acme'"],
    ['a file by its name', 'web/earning/acme-page.tsx', ''],
    ['an address that nobody specified', 'server/earning/routes.ts', "'/api/acme/url'"],
  ];
  for (const [what, path, text] of named)
    it(`refuse ${what}`, () => assert.equal(nameFaults(planted(path, text), names).length, 1));

  it('allow a name in its folder, the registry and tests', () => {
    for (const path of [
      `${folders}/acme/adapter.ts`,
      `${folders}/registry.ts`,
      'server/a.test.ts',
      'test/a.ts',
    ])
      assert.deepEqual(nameFaults(planted(path, "'acme'"), names), []);
  });

  const loaded: [string, string, string][] = [
    ['a wall in live code', 'server/earning/earning.ts', "import { wall } from './providers/acme/wall.ts';"],
    ['any wall in live code', 'server/earning/earning.ts', `await import(\`./providers/\${id}/wall.ts\`);`],
    ['a wall in its own adapter', `${folders}/acme/adapter.ts`, "import { wall } from './wall.ts';"],
    [
      'vectors in the sandbox',
      'server/sandbox/a.ts',
      "import { vectors } from '../earning/providers/acme/vectors.ts';",
    ],
  ];
  for (const [what, path, text] of loaded)
    it(`refuse ${what}`, () => assert.equal(loadFaults(planted(path, text)).length, 1));

  it('refuse an incomplete folder, or one without exactly one line in the registry', () => {
    const whole = ['adapter.ts', 'facts.ts', 'vectors.ts', 'wall.ts'].map((file) => `acme/${file}`);
    assert.deepEqual(folderFaults(whole, "await import('./acme/adapter.ts'),"), []);
    assert.equal(folderFaults(whole.slice(1), "await import('./acme/adapter.ts'),").length, 1);
    assert.equal(folderFaults(whole, '').length, 1);
  });
});
