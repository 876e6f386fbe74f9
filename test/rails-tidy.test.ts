import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rails } from '../server/withdrawals/rails/registry.ts';
import {
  containsName,
  folderFaults,
  loadFaults,
  nameFaults,
  type OwnFolders,
  reachFaults,
  readFolders,
  readSources,
  unusedAllowances,
  unusedBeside,
  wordsOf,
} from './own-folder.ts';
import { planted, type Source } from './source-tree.ts';

/** A rail is one folder, as `own-folder.ts` says. Code for any rail has no word of a coin in it. */
const dir = 'server/withdrawals/rails';

const rules: OwnFolders = {
  dir,
  simulation: 'simulation.ts',
  files: ['rail.ts', 'vectors.ts'],
  shared: ['coin'],
  // Environment variables.
  fixedNames: /\b(?:LITECOIN|DASH)_NETWORK\b|\b(?:litecoin|dash)Network\b/g,
  allowed: [
    [
      /^server\/withdrawals\/rails\/coin\/core-wallet\.ts$/,
      ['litecoin', 'dash'],
      'the nodes whose calls these are',
    ],
    [
      /^(contract\/wallets\.ts|server\/wallets\/.+|web\/admin\/settings\/(wallet|company|use-company).+)$/,
      ['litecoin', 'dash', 'paypal', 'nowpayments'],
      'the specified wallet settings and balances',
    ],
    [
      /^(contract\/operator-sentences-wallets\.ts|web\/admin\/kit\/korean-sentences\.ts)$/,
      ['paypal', 'nowpayments'],
      'what a test of the wallet settings found',
    ],
    [
      /^server\/(migrations\/\d+_wallets\.sql|platform\/config(-values)?\.ts|sandbox\/(companies|simulated-.+)\.ts)$/,
      ['paypal', 'nowpayments'],
      'the companies of the wallet settings',
    ],
    [/^web\/ui\/(rail|dash)-icon\.tsx$/, ['litecoin', 'dash', 'paypal'], 'their signs'],
    [
      /^web\/.+\.(en|ko)\.json$/,
      ['litecoin', 'dash', 'paypal', 'nowpayments'],
      'specified messages and hints',
    ],
  ],
  beside: {
    'server/withdrawals/lossless-json.ts': 'amounts keep their digits',
    'server/withdrawals/payout-amount.ts': 'amounts are counted in whole units',
  },
  testFiles: [],
};

/**
 * Code for any rail: all of the feature outside the folders of rails, and its tables. Tests name the rails that they
 * pay by.
 */
const isCoinless = (path: string): boolean =>
  path === `${dir}/every-rail.test.ts` ||
  /^server\/migrations\/\d+_withdrawals\.sql$/.test(path) ||
  (/^server\/withdrawals\/(rails\/)?[^/]+\.(ts|sql)$/.test(path) &&
    !path.endsWith('.test.ts') &&
    path !== `${dir}/registry.ts`);

/** Words that mean something else in a file. */
const otherMeanings: Record<string, { words: readonly string[]; why: string }> = {
  'server/withdrawals/export.ts': {
    words: ['address', 'txid', 'tx id', 'transaction id', 'wallet'],
    why: 'fields of the export, and the wallet of points',
  },
  'server/withdrawals/flag-queries.ts': {
    words: ['address', 'block'],
    why: 'names of flags, and a kind of requests',
  },
  'server/withdrawals/bulk-runs.ts': { words: ['crypto'], why: 'a module of the runtime' },
  'server/migrations/0006_withdrawals.sql': { words: ['wallet'], why: 'the wallet of points' },
  'server/withdrawals/functions.sql': { words: ['wallet'], why: 'the wallet of points' },
  'server/withdrawals/withdrawal-list.ts': {
    words: ['address', 'txid', 'tx id', 'coin'],
    why: 'fields of a reply',
  },
  'server/withdrawals/news.ts': { words: ['txid', 'tx id'], why: 'a field of an event' },
  'server/withdrawals/admin-routes.ts': { words: ['txid', 'tx id'], why: 'a field of a call' },
  'server/withdrawals/payout-list.ts': {
    words: ['address', 'txid', 'tx id', 'coin'],
    why: 'fields of a reply',
  },
  'server/withdrawals/routes.ts': { words: ['coin', 'address'], why: 'the specified names of calls' },
  'server/withdrawals/functions-approvals.sql': { words: ['wallet'], why: 'the wallet of points' },
  'server/withdrawals/functions-checks.sql': { words: ['wallet'], why: 'the wallet of points' },
  'server/withdrawals/functions-payouts.sql': { words: ['wallet'], why: 'the wallet of points' },
  'server/withdrawals/decision-refusals.ts': { words: ['address'], why: 'a specified refusal' },
  'server/withdrawals/payout-turn.ts': { words: ['txid', 'tx id'], why: 'a field of a refusal' },
  'server/withdrawals/decisions.ts': { words: ['address'], why: 'a specified refusal and its switch' },
  'server/withdrawals/quotes.ts': { words: ['coin'], why: 'a field of a reply' },
  'server/withdrawals/approval-bounds.ts': { words: ['address'], why: 'a switch' },
  'server/withdrawals/possible-payments.ts': {
    words: ['address', 'txid', 'tx id', 'coin'],
    why: 'fields of a reply',
  },
  'server/withdrawals/destinations.ts': { words: ['address'], why: 'the specified names of calls' },
  'server/withdrawals/other-method.ts': { words: ['address'], why: 'a specified refusal' },
  'server/withdrawals/withdrawals.ts': {
    words: ['address', 'txid', 'tx id', 'coin'],
    why: 'fields of a reply, and a specified refusal',
  },
  [`${dir}/address-destination.ts`]: {
    words: ['address'],
    why: 'the destination of every rail that has addresses',
  },
};

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
  ...['satoshi', 'mined', 'miner', 'unconfirmed', 'vbyte', 'fee rate', 'feerate'],
];

/** The words of coins that a source has. */
const coinWordsIn = ({ text }: Source): string[] => {
  const words = `${wordsOf(text)} ${text.toLowerCase().replaceAll('_', ' ')}`;
  return coinWords.filter((word) =>
    [word, `${word}s`, `${word}es`].some((form) => containsName(form, words)),
  );
};

/** Decisions by the symbol of a currency. */
const bySymbol = /\bsymbol\b\s*[!=]==?|[!=]==?\s*[\w.?]*\bsymbol\b|\bswitch \([^)]*\bsymbol\b/;

/** Words of coins, and decisions by a symbol, in code for any rail. */
const coinFaults = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => isCoinless(path))
    .flatMap((source) => [
      ...coinWordsIn(source)
        .filter((word) => otherMeanings[source.path]?.words.includes(word) !== true)
        .map((word) => `${source.path} says ${word}`),
      ...(bySymbol.test(source.text) ? [`${source.path} decides by a symbol`] : []),
    ]);

const sources = readSources();
const { names: folderNames, registry } = readFolders(rules);

describe('a rail is one folder', () => {
  it('is named only in its folder', () => assert.deepEqual(nameFaults(rules, sources, rails), []));
  it('has a simulation that only the sandbox loads, and vectors that only tests load', () =>
    assert.deepEqual(loadFaults(rules, sources), []));
  it('is complete, with one line in the registry', () =>
    assert.deepEqual(folderFaults(rules, folderNames, registry), []));
  it('imports only its own files, the shared ones, the platform and the contract', () => {
    assert.deepEqual(reachFaults(rules, sources), []);
    assert.deepEqual(unusedBeside(rules, sources), []);
  });
  it('is named in every file that the list allows', () =>
    assert.deepEqual(unusedAllowances(rules, sources, rails), []));
});

describe('code for any rail', () => {
  it('exists', () => {
    const files = sources.filter(({ path }) => isCoinless(path)).map(({ path }) => path);
    assert.ok(files.length > 15, `only ${files.length} files were found`);
    for (const path of [
      'payouts.ts',
      'decisions.ts',
      'payment-methods.ts',
      'queries.ts',
      'jobs.ts',
      'routes.ts',
    ])
      assert.ok(files.includes(`server/withdrawals/${path}`), path);
    assert.ok(files.includes('server/migrations/0006_withdrawals.sql'));
    for (const name of ['rail.ts', 'vectors.ts', 'every-rail.test.ts'])
      assert.ok(files.includes(`${dir}/${name}`), name);
  });
  it('contains no coin’s word', () => assert.deepEqual(coinFaults(sources), []));
  it('lists other meanings only for words that the file contains', () => {
    for (const [path, { words }] of Object.entries(otherMeanings)) {
      const source = sources.find((one) => one.path === path);
      const said = source === undefined ? [] : coinWordsIn(source);
      assert.deepEqual(
        words.filter((word) => !said.includes(word)),
        [],
        path,
      );
    }
  });
});

describe('the guards of rails', () => {
  const names = [{ id: 'iou', name: 'Notes by Hand' }];
  const named: [string, string, string][] = [
    ['an id in another file', 'server/withdrawals/rates.ts', "const rated = new Set(['iou']);"],
    ['an id in another rail’s folder', `${dir}/other/rail.ts`, '// As iou does.'],
    ['a name in the contract', 'contract/withdrawals.ts', "summary: 'Paid in Notes by Hand'"],
    ['a name in one word with others', 'web/withdrawals/address.ts', 'looksLikeIou();'],
    ['a name in the words of the web', 'web/withdrawals/words.en.json', '{ "iou": "Notes" }'],
    ['a name in SQL', 'server/withdrawals/functions.sql', "where method = 'iou'"],
    ['a file by its name', 'web/withdrawals/iou-fields.tsx', ''],
  ];
  for (const [what, path, text] of named)
    it(`refuse ${what}`, () => assert.equal(nameFaults(rules, planted(path, text), names).length, 1));

  it('allow a name in its folder, the registry and tests', () => {
    for (const path of [`${dir}/iou/rail.ts`, `${dir}/registry.ts`, 'server/a.test.ts', 'test/a.ts'])
      assert.deepEqual(nameFaults(rules, planted(path, "'iou'"), names), []);
  });

  for (const text of [
    "assert(row.method === 'litecoin');",
    'const reserved = await readReservedInputs();',
    'payout.bytesHex',
    'const txId = payout.reference;',
    'if (status.confirmations > 0) return;',
    '// Another payment spent its coins.',
    'order.address',
    'const amountSatoshi = 1n;',
    '// One hundred satoshis.',
    'if (status.isMined) return;',
    "state = 'unconfirmed';",
    'const { vbytes } = payment;',
    'rail.feeRate',
    'sql`select fee_rate, network_fee`',
  ])
    it(`refuse a coin’s word in payouts: ${text}`, () =>
      assert.notDeepEqual(coinFaults(planted('server/withdrawals/payouts.ts', text)), []));

  it('refuse a coin’s word in tables', () => {
    for (const column of ['rpc_host text', 'utxo jsonb', 'confirmations integer', 'fee_rate numeric'])
      assert.equal(
        coinFaults(planted('server/migrations/0006_withdrawals.sql', `alter table x add column ${column};`))
          .length,
        1,
        column,
      );
  });
  it('refuse a coin’s word in every file for any rail', () => {
    for (const name of ['queries.ts', 'jobs.ts', 'routes.ts', 'functions.sql', 'rails/rail.ts'])
      assert.equal(
        coinFaults(planted(`server/withdrawals/${name}`, 'const { utxo } = row;')).length,
        1,
        name,
      );
  });
  for (const text of [
    "if (currency.symbol === 'LTC') act();",
    "'DASH' !== row.symbol",
    'switch (rate.symbol) {}',
  ])
    it(`refuse a decision by a symbol: ${text}`, () =>
      assert.notDeepEqual(coinFaults(planted('server/withdrawals/queries.ts', text)), []));

  const loaded: [string, string, string][] = [
    [
      'a simulation in live code',
      'server/withdrawals/rates.ts',
      "import { simulation } from './rails/iou/simulation.ts';",
    ],
    ['a simulation in its own rail', `${dir}/iou/rail.ts`, "import { simulation } from './simulation.ts';"],
    [
      'any vectors in live code',
      'server/withdrawals/rates.ts',
      `await import(\`./rails/\${id}/vectors.ts\`);`,
    ],
  ];
  for (const [what, path, text] of loaded)
    it(`refuse ${what}`, () => assert.equal(loadFaults(rules, planted(path, text)).length, 1));

  const reaching: [string, string, string][] = [
    ['the queries of the feature', `${dir}/litecoin/rail.ts`, "import { x } from '../../queries.ts';"],
    ['another rail', `${dir}/iou/rail.ts`, "import { x } from '../other/rail.ts';"],
    ['the ledger', `${dir}/iou/rail.ts`, "import { x } from '../../../ledger/ledger.ts';"],
    ['coins into the feature', `${dir}/coin/wallet.ts`, "import { x } from '../../payouts.ts';"],
  ];
  for (const [what, path, text] of reaching)
    it(`refuse an import of ${what}`, () => assert.equal(reachFaults(rules, planted(path, text)).length, 1));
  it('allow an import of shared code, the platform, the contract and packages', () => {
    const text =
      "import '../registry.ts'; import '#platform/log.ts'; import '#contract/fields.ts'; import 'zod';";
    assert.deepEqual(reachFaults(rules, planted(`${dir}/acme/facts.ts`, text)), []);
  });

  it('refuse an incomplete folder, or one without exactly one line in the registry', () => {
    const line = "await import('./iou/rail.ts'),";
    assert.deepEqual(folderFaults(rules, ['iou/rail.ts', 'iou/vectors.ts'], line), []);
    assert.equal(folderFaults(rules, ['iou/rail.ts'], line).length, 1);
    assert.equal(folderFaults(rules, ['iou/rail.ts', 'iou/vectors.ts'], '').length, 1);
  });
});
