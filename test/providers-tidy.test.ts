import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { providers } from '../server/earning/providers/registry.ts';
import {
  folderFaults,
  loadFaults,
  nameFaults,
  type OwnFolders,
  reachFaults,
  readFolders,
  readSources,
  unusedAllowances,
  unusedBeside,
} from './own-folder.ts';
import { planted } from './source-tree.ts';

/** A provider is one folder, as `own-folder.ts` says. */
const dir = 'server/earning/providers';

const rules: OwnFolders = {
  dir,
  simulation: 'wall.ts',
  files: ['adapter.ts', 'facts.ts', 'vectors.ts', 'wall.ts'],
  shared: [],
  // Paths.
  fixedNames:
    /\/api\/(?:cpx|theoremreach|kiwiwall)(?=\/)|\/api\/cpx-surveys|\/cpx-surveys|\/kiwiwall-offers/g,
  // Pages and calls that the specification names.
  allowed: [
    [/^contract\/earning\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'specified calls for one wall'],
    [/^server\/earning\/routes\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'the same calls, answered'],
    [/^web\/earning\/use-wall-url\.ts$/, ['cpx', 'theoremreach', 'kiwiwall'], 'the same calls, made'],
    [/^web\/earning\/(cpx-surveys-page\..+|use-survey-tab\.ts)$/, ['cpx'], 'the page /cpx-surveys'],
    [/^web\/earning\/(kiwiwall-page\..+|wall-gate\.tsx)$/, ['kiwiwall'], 'the page /kiwiwall-offers'],
    [/^web\/(routes\.tsx|screens\.ts)$/, ['cpx', 'kiwiwall'], 'both pages'],
    [/^web\/.+\.(en|ko)\.json$/, ['cpx', 'kiwiwall'], 'the words of both pages, and specified messages'],
  ],
  beside: { 'server/earning/catalogue-queries.ts': 'the shape of an offer, which walls and providers list' },
  testFiles: [`${dir}/vector-shape.ts`],
};

const sources = readSources();
const known = [...providers.values()];
const { names: folderNames, registry } = readFolders(rules);

describe('a provider is one folder', () => {
  it('reads the web’s words too', () =>
    assert.ok(sources.filter(({ path }) => path.endsWith('.en.json')).length >= 2));
  it('is named only in its folder', () => assert.deepEqual(nameFaults(rules, sources, known), []));
  it('has a wall that only the sandbox loads, and vectors that only tests load', () =>
    assert.deepEqual(loadFaults(rules, sources), []));
  it('is complete, with one line in the registry', () => {
    assert.ok(folderNames.length > known.length * 4);
    assert.deepEqual(folderFaults(rules, folderNames, registry), []);
  });
  it('imports only its own files, the shared ones, the platform and the contract', () => {
    assert.deepEqual(reachFaults(rules, sources), []);
    assert.deepEqual(unusedBeside(rules, sources), []);
  });
  it('is named in every file that the list allows', () =>
    assert.deepEqual(unusedAllowances(rules, sources, known), []));
});

describe('the guards of providers', () => {
  const names = [{ id: 'acme', name: 'Acme Wall' }];
  const named: [string, string, string][] = [
    ['an id in another file', 'server/earning/hooks.ts', "const strict = new Set(['acme']);"],
    ['an id in another provider’s folder', `${dir}/other/adapter.ts`, '// As acme does.'],
    ['a name in the contract', 'contract/earning.ts', "summary: 'The wall of Acme Wall'"],
    ['a name in one word with others', 'web/earning/use-wall-url.ts', 'readAcmeUrl();'],
    ['a name in the words of the web', 'web/earning/words.en.json', '{ "acme": "Offers" }'],
    ['a name in SQL', 'server/earning/functions.sql', "where provider = 'acme'"],
    ['a file by its name', 'web/earning/acme-page.tsx', ''],
    ['an address that nobody specified', 'server/earning/routes.ts', "'/api/acme/url'"],
  ];
  for (const [what, path, text] of named)
    it(`refuse ${what}`, () => assert.equal(nameFaults(rules, planted(path, text), names).length, 1));

  it('allow a name in its folder, the registry and tests', () => {
    for (const path of [`${dir}/acme/adapter.ts`, `${dir}/registry.ts`, 'server/a.test.ts', 'test/a.ts'])
      assert.deepEqual(nameFaults(rules, planted(path, "'acme'"), names), []);
  });

  const loaded: [string, string, string][] = [
    ['a wall in live code', 'server/earning/earning.ts', "import { wall } from './providers/acme/wall.ts';"],
    ['any wall in live code', 'server/earning/earning.ts', `await import(\`./providers/\${id}/wall.ts\`);`],
    ['a wall in its own adapter', `${dir}/acme/adapter.ts`, "import { wall } from './wall.ts';"],
    [
      'vectors in the sandbox',
      'server/sandbox/a.ts',
      "import { vectors } from '../earning/providers/acme/vectors.ts';",
    ],
  ];
  for (const [what, path, text] of loaded)
    it(`refuse ${what}`, () => assert.equal(loadFaults(rules, planted(path, text)).length, 1));

  const reaching: [string, string, string][] = [
    ['the queries of the feature', `${dir}/acme/adapter.ts`, "import { x } from '../../queries.ts';"],
    ['another provider', `${dir}/acme/adapter.ts`, "import { x } from '../other/facts.ts';"],
    ['another feature', `${dir}/acme/wall.ts`, "import { x } from '../../../ledger/ledger.ts';"],
    ['shared code into the feature', `${dir}/verdict.ts`, "import { x } from '../postbacks.ts';"],
  ];
  for (const [what, path, text] of reaching)
    it(`refuse an import of ${what}`, () => assert.equal(reachFaults(rules, planted(path, text)).length, 1));
  it('allow an import of shared code, the platform, the contract and packages', () => {
    const text =
      "import '../registry.ts'; import '#platform/log.ts'; import '#contract/fields.ts'; import 'zod';";
    assert.deepEqual(reachFaults(rules, planted(`${dir}/acme/facts.ts`, text)), []);
  });

  it('refuse an incomplete folder, or one without exactly one line in the registry', () => {
    const whole = ['adapter.ts', 'facts.ts', 'vectors.ts', 'wall.ts'].map((file) => `acme/${file}`);
    assert.deepEqual(folderFaults(rules, whole, "await import('./acme/adapter.ts'),"), []);
    assert.equal(folderFaults(rules, whole.slice(1), "await import('./acme/adapter.ts'),").length, 1);
    assert.equal(folderFaults(rules, whole, '').length, 1);
  });
});
