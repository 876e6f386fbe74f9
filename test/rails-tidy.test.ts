import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { rails } from '../server/withdrawals/rails/registry.ts';
import { importsOf, planted, readTree, root, type Source } from './source-tree.ts';

/**
 * A rail is one folder. Its name may appear only there, in the registry, in documents, in tests, and where the list
 * below allows it. Code for any rail has no word of a coin in it.
 */
type Names = { id: string; name: string };

const folders = 'server/withdrawals/rails';

const isTest = (path: string) => /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path);

/** Environment variables that the specification fixes; they may appear anywhere. */
const environmentNames = /\b(?:LITECOIN|DASH)_NETWORK\b|\b(?:litecoin|dash)Network\b/g;

/** Files that may name rails, each with their ids. */
const allowed: readonly [path: RegExp, ids: readonly string[], why: string][] = [
  [
    /^server\/withdrawals\/rails\/coin\/core-wallet\.ts$/,
    ['litecoin', 'dash'],
    'the nodes whose calls these are',
  ],
  [/^web\/ui\/(rail|dash)-icon\.tsx$/, ['litecoin', 'dash', 'paypal'], 'their signs'],
  [/^web\/.+\.(en|ko)\.json$/, ['litecoin', 'dash', 'paypal'], 'specified messages and hints'],
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
      const words = wordsOf(`${path}\n${text}`.replaceAll(environmentNames, ''));
      return known
        .filter(({ id }) => !path.startsWith(`${folders}/${id}/`))
        .filter(({ id }) => !allowed.some(([where, ids]) => where.test(path) && ids.includes(id)))
        .filter(({ id, name }) => stands(id, words) || stands(name, words))
        .map(({ name }) => `${path} names ${name}`);
    });
}

/** Code for any rail. */
const coinless = [
  'server/withdrawals/payouts.ts',
  'server/withdrawals/decisions.ts',
  'server/withdrawals/payment-methods.ts',
  `${folders}/rail.ts`,
  `${folders}/vectors.ts`,
  `${folders}/every-rail.test.ts`,
];

/** `node` and `transaction` are allowed: they also mean this process and the database's transaction. */
const coinWords = [
  ...[
    'coin',
    'bitcoin',
    'crypto',
    'utxo',
    'unspent',
    'outpoint',
    'input',
    'output',
    'vin',
    'vout',
    'psbt',
    'segwit',
  ],
  ...[
    'txid',
    'tx id',
    'transaction id',
    'hex',
    'address',
    'chain',
    'block',
    'mempool',
    'confirmation',
    'depth',
  ],
  ...['wallet', 'rpc', 'litecoin', 'dash', 'reorganisation', 'network fee'],
];

function coinFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => coinless.includes(path))
    .flatMap(({ path, text }) => {
      const words = wordsOf(text);
      return coinWords
        .filter((word) => stands(word, words) || stands(`${word}s`, words) || stands(`${word}es`, words))
        .map((word) => `${path} says ${word}`);
    });
}

/** Imports of a far end outside the sandbox, and of vectors outside tests, also in templates. */
function loadFaults(sources: readonly Source[]): string[] {
  const isOf = (name: string, file: string) => name.startsWith(`${folders}/`) && name.endsWith(`/${file}`);
  return sources
    .filter(({ path }) => /^(server|web|contract)\/.+\.tsx?$/.test(path) && !isTest(path))
    .filter(({ path }) => !isOf(path, 'vectors.ts'))
    .flatMap(({ path, text }) => {
      const template = /import\(`([^`]*)`\)/g;
      const names = importsOf({
        path,
        text: text.replaceAll(template, (_all, name: string) => `import('${name}')`),
      });
      return names.flatMap((name) => {
        const isFarEnd = isOf(name, 'far-end.ts') && name !== `${folders}/coin/far-end.ts`;
        if (isFarEnd && !path.startsWith('server/sandbox/'))
          return [`${path} loads ${name}: the sandbox alone does`];
        return isOf(name, 'vectors.ts') ? [`${path} loads ${name}: tests alone do`] : [];
      });
    });
}

/** Checks that every folder is complete and registered by one line. `coin` is what the coins share. */
function folderFaults(names: readonly string[], registry: string): string[] {
  const ids = new Set(names.filter((name) => name.includes('/')).map((name) => name.split('/')[0] ?? ''));
  ids.delete('coin');
  return [...ids].flatMap((id) => [
    ...['rail.ts', 'vectors.ts']
      .filter((file) => !names.includes(`${id}/${file}`))
      .map((file) => `${id} has no ${file}`),
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
const folderNames = readdirSync(join(root, folders), { recursive: true, encoding: 'utf8' });
const registry = readFileSync(join(root, folders, 'registry.ts'), 'utf8');

describe('a rail is one folder', () => {
  it('is named only in its folder', () => assert.deepEqual(nameFaults(sources, rails), []));
  it('has a far end that only the sandbox loads, and vectors that only tests load', () =>
    assert.deepEqual(loadFaults(sources), []));
  it('is complete, with one line in the registry', () =>
    assert.deepEqual(folderFaults(folderNames, registry), []));
  it('is named in every file that the list allows', () => {
    for (const [where, ids, why] of allowed)
      for (const id of ids) {
        const isUsed = sources.some(
          ({ path, text }) => where.test(path) && stands(id, wordsOf(`${path}\n${text}`)),
        );
        assert.ok(isUsed, `${why}: ${id}`);
      }
  });
});

describe('code for any rail', () => {
  it('exists', () => {
    for (const path of coinless)
      assert.ok(
        sources.some((source) => source.path === path),
        path,
      );
  });
  it('contains no coin’s word', () => assert.deepEqual(coinFaults(sources), []));
});

describe('the guards of rails', () => {
  const names = [{ id: 'iou', name: 'Notes by Hand' }];
  const named: [string, string, string][] = [
    ['an id in another file', 'server/withdrawals/rates.ts', "const rated = new Set(['iou']);"],
    ['an id in another rail’s folder', `${folders}/other/rail.ts`, '// As iou does.'],
    ['a name in the contract', 'contract/withdrawals.ts', "summary: 'Paid in Notes by Hand'"],
    ['a name in one word with others', 'web/withdrawals/address.ts', 'looksLikeIou();'],
    ['a name in the words of the web', 'web/withdrawals/words.en.json', '{ "iou": "Notes" }'],
    ['a name in SQL', 'server/withdrawals/functions.sql', "where method = 'iou'"],
    ['a file by its name', 'web/withdrawals/iou-fields.tsx', ''],
  ];
  for (const [what, path, text] of named)
    it(`refuse ${what}`, () => assert.equal(nameFaults(planted(path, text), names).length, 1));

  it('allow a name in its folder, the registry and tests', () => {
    for (const path of [`${folders}/iou/rail.ts`, `${folders}/registry.ts`, 'server/a.test.ts', 'test/a.ts'])
      assert.deepEqual(nameFaults(planted(path, "'iou'"), names), []);
  });

  for (const text of [
    "assert(row.method === 'litecoin');",
    'const reserved = await readReservedInputs();',
    'payout.bytesHex',
    'const txId = payout.reference;',
    'if (status.confirmations > 0) return;',
    '// Another payment spent its coins.',
    'order.address',
  ])
    it(`refuse a coin’s word in payouts: ${text}`, () =>
      assert.notDeepEqual(coinFaults(planted('server/withdrawals/payouts.ts', text)), []));

  const loaded: [string, string, string][] = [
    [
      'a far end in live code',
      'server/withdrawals/rates.ts',
      "import { farEnd } from './rails/iou/far-end.ts';",
    ],
    ['a far end in its own rail', `${folders}/iou/rail.ts`, "import { farEnd } from './far-end.ts';"],
    [
      'any vectors in live code',
      'server/withdrawals/rates.ts',
      `await import(\`./rails/\${id}/vectors.ts\`);`,
    ],
  ];
  for (const [what, path, text] of loaded)
    it(`refuse ${what}`, () => assert.equal(loadFaults(planted(path, text)).length, 1));

  it('refuse an incomplete folder, or one without exactly one line in the registry', () => {
    const line = "await import('./iou/rail.ts'),";
    assert.deepEqual(folderFaults(['iou/rail.ts', 'iou/vectors.ts'], line), []);
    assert.equal(folderFaults(['iou/rail.ts'], line).length, 1);
    assert.equal(folderFaults(['iou/rail.ts', 'iou/vectors.ts'], '').length, 1);
  });
});
