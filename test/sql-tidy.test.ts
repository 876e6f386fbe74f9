import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planted, type Source } from './source-tree.ts';
import { keptBy, ownerOf, schemas, sqlEdges } from './sql-schemas.ts';
import { readSqlSources, type SqlText, sqlTextsOf } from './sql-texts.ts';
import { lineAt, type Node, nodesOf, textOf } from './syntax.ts';

/**
 * The walls of the SQL. A schema's tables are its own. Others may use what the schema lists as `Open to others` at the
 * top of its `functions.sql`, along the edges in `sql-schemas.ts`. Nobody else changes what is its own, which
 * `sql-owner-tidy.test.ts` tests.
 *
 * Tests and benchmarks are exempt, because they read tables to check what the product did.
 */

/** Objects that are not open and that a file uses for a reason. */
const exempt: Record<string, Record<string, string>> = {
  'server/migrations/0026_bonus.sql': {
    'platform.settings': 'moves the schedule there once, before its own table is dropped',
  },
  'server/migrations/0040_chat.sql': {
    'support.tickets': 'gives the tickets of before a channel, once',
    'support.responses': 'makes the responses of before messages, once',
  },
  'server/sandbox/demo-world.ts': {
    'platform.clock': 'sets the clock back, to make three weeks of past in one transaction as the owner',
    'ledger.movements': 'makes the past only in a database without movements',
    'members.members': 'gives each account its dates and its name',
    'earning.earnings': 'finds the earning that the operator decides',
    'notices.notices': 'mails nothing of the past',
  },
};

type SqlObject = { kind: string; schema: string; name: string };

const kinds = 'table|view|function|procedure|aggregate|type|domain|sequence';
const defining = new RegExp(
  `\\bcreate\\s+(?:or\\s+replace\\s+)?(?:unlogged\\s+|materialized\\s+|recursive\\s+|foreign\\s+)?(${kinds})\\s+` +
    '(?:if\\s+not\\s+exists\\s+)?([a-z_]\\w*)\\s*\\.\\s*([a-z_]\\w*)',
  'g',
);

/** All objects that SQL files and the sandbox's tables define, by full name. */
const objectsOf = (among: readonly Source[]): Map<string, SqlObject> =>
  new Map(
    among
      .flatMap(sqlTextsOf)
      .flatMap(({ text }) => [...text.matchAll(defining)])
      .map(([, kind = '', schema = '', name = '']) => [
        `${schema}.${name}`,
        { kind, schema: keptBy[schema] ?? schema, name },
      ]),
  );

/** The names that a schema lists as open at the top of its `functions.sql`. */
function openOf(schema: string, among: readonly Source[]): Set<string> {
  const file = among.find(({ path }) => path === `server/${schema}/functions.sql`);
  const list = /^-- Open to others: ((?:[^.\n]|\n-- )+)\./m.exec(file?.text ?? '')?.[1] ?? '';
  const names = list.replaceAll('\n--', ' ').split(/[\s,]+/);
  return new Set(names.filter((name) => name !== '' && name !== 'none'));
}

/** What keeps a schema from using an object; undefined if nothing does. */
function faultOf(
  user: string | undefined,
  { schema, name, kind }: SqlObject,
  edges: Record<string, string[]>,
  open: ReadonlySet<string>,
): string | undefined {
  if (schema === user) return undefined;
  if (kind === 'table' || kind === 'sequence') return `names the ${kind} ${schema}.${name}`;
  if (!open.has(name)) return `uses ${schema}.${name}, which is not open to others`;
  return user !== undefined && edges[user]?.includes(schema)
    ? undefined
    : `uses ${schema}.${name}: not a listed edge`;
}

type Exemptions = Record<string, Record<string, string>>;

/** Uses of tables of other schemas, of objects that are not open, and of edges that are not listed. */
function wallFaults(among: readonly Source[], edges = sqlEdges, exemptions: Exemptions = exempt): string[] {
  const objects = objectsOf(among);
  const open = new Map(Object.keys(edges).map((schema) => [schema, openOf(schema, among)]));
  const faults = among.flatMap(sqlTextsOf).flatMap((piece) =>
    namesIn(piece, objects).flatMap(({ object, fullName, line }) => {
      if (exemptions[piece.path]?.[fullName] !== undefined) return [];
      const fault = faultOf(ownerOf(piece.path), object, edges, open.get(object.schema) ?? new Set());
      return fault === undefined ? [] : [`${piece.path}:${line} ${fault}`];
    }),
  );
  return [...new Set(faults)];
}

/** The objects that a piece of SQL names, except in foreign keys to members. */
function namesIn({ line, text }: SqlText, objects: Map<string, SqlObject>) {
  const searched = text.replaceAll(/\breferences members\.members \(id\)/g, '');
  return [...searched.matchAll(/(?<!\w)([a-z_]\w*)(?=\s*\.\s*([a-z_]\w*))/g)].flatMap((match) => {
    const [, schema = '', name = ''] = match;
    const fullName = `${schema}.${name}`;
    const object = objects.get(fullName) ?? sequenceOf(schema, name);
    return object === undefined
      ? []
      : [{ object, fullName, line: line + searched.slice(0, match.index).split('\n').length - 1 }];
  });
}

/** The sequence of an identity column, which no statement defines by name. */
const sequenceOf = (schema: string, name: string): SqlObject | undefined =>
  schemas.includes(schema) && name.endsWith('_seq') ? { kind: 'sequence', schema, name } : undefined;

/** Names of a schema's object that a program puts together, so that they can't be read here. */
function composedNames(among: readonly Source[]): string[] {
  const composed = new RegExp(
    `(?<![\\w.])(${[...schemas, ...Object.keys(keptBy)].join('|')})\\s*\\.\\s*\\$1`,
  );
  return among
    .filter(({ path }) => path.endsWith('.ts'))
    .flatMap(sqlTextsOf)
    .filter(({ text }) => composed.test(text))
    .map(({ path, line }) => `${path}:${line} puts the name of an object together`);
}

/** Folders that may make statements from text: one owns the function, the other makes tables as the owner. */
const mayMakeText = /^server\/(platform|sandbox)\//;

/** Uses of `sqlText` other than a call with text that is written there. */
function madeStatements(among: readonly Source[]): string[] {
  return among
    .filter(({ path }) => path.endsWith('.ts') && !mayMakeText.test(path))
    .flatMap((source) => {
      const nodes = nodesOf(source);
      const allowed = new Set(nodes.flatMap((node) => plainUses(node, source.text)));
      return nodes
        .filter((node) => node.type === 'Identifier' && node.name === 'sqlText' && !allowed.has(node.start))
        .map(({ start }) => `${source.path}:${lineAt(source.text, start)} makes a statement from a value`);
    });
}

/** Where a node names `sqlText` as it may: in an import under its own name, or in a call with plain text. */
function plainUses(node: Node, text: string): number[] {
  if (node.type === 'ImportSpecifier') {
    const [imported, local] = [node.imported as Node, node.local as Node];
    return imported.name === local.name ? [imported.start] : [];
  }
  if (node.type !== 'CallExpression') return [];
  const [first] = node.arguments as Node[];
  const isPlain = first !== undefined && textOf(first, text)?.includes('$1') === false;
  return isPlain ? [(node.callee as Node).start] : [];
}

/** Names that are listed as open and don't exist. */
function staleNames(among: readonly Source[]): string[] {
  const objects = objectsOf(among);
  return schemas.flatMap((schema) =>
    [...openOf(schema, among)]
      .filter((name) => !objects.has(`${schema}.${name}`))
      .map((name) => `${schema}.${name}`),
  );
}

/** Names that are listed as open and used by no other schema. */
function unusedNames(among: readonly Source[]): string[] {
  const objects = objectsOf(among);
  const used = among
    .flatMap((source) =>
      sqlTextsOf(source)
        .flatMap((piece) => namesIn(piece, objects))
        .map(({ object }) => ({ object, user: ownerOf(source.path) })),
    )
    .filter(({ object, user }) => object.schema !== user)
    .map(({ object }) => `${object.schema}.${object.name}`);
  return schemas.flatMap((schema) =>
    [...openOf(schema, among)].map((name) => `${schema}.${name}`).filter((name) => !used.includes(name)),
  );
}

const sources = readSqlSources();

describe('the walls of the SQL', () => {
  it('read files and TypeScript', () => {
    assert.ok(sources.filter(({ path }) => path.endsWith('.sql')).length >= 15);
    assert.ok(
      sqlTextsOf({ path: 'a.ts', text: ['tx.rows(sql`select $', '{x}`)'].join('') }).some(
        ({ text }) => text === 'select $1',
      ),
    );
    assert.ok(objectsOf(sources).size > 60);
  });
  it('names no table of another schema, and uses others along the listed edges', () =>
    assert.deepEqual(wallFaults(sources), []));
  it('makes no statement and no name that cannot be read', () => {
    assert.deepEqual(madeStatements(sources), []);
    assert.deepEqual(composedNames(sources), []);
  });
  it('lists only existing names as open, each used by another schema', () => {
    assert.deepEqual(staleNames(sources), []);
    assert.deepEqual(unusedNames(sources), []);
  });
  it('lists only edges that are used', () => {
    const objects = objectsOf(sources);
    const used = new Set(
      sources.flatMap((source) =>
        sqlTextsOf(source)
          .flatMap((piece) => namesIn(piece, objects))
          .map(({ object }) => `${ownerOf(source.path)} → ${object.schema}`),
      ),
    );
    const listed = Object.entries(sqlEdges).flatMap(([from, to]) =>
      to.map((schema) => `${from} → ${schema}`),
    );
    assert.deepEqual(
      listed.filter((edge) => !used.has(edge)),
      [],
    );
  });
  it('has only exemptions that are needed', () => {
    const faults = wallFaults(sources, sqlEdges, {}).join('\n');
    for (const [path, names] of Object.entries(exempt))
      for (const name of Object.keys(names))
        assert.match(faults, new RegExp(`^${RegExp.escape(path)}:\\d+ .*${RegExp.escape(name)}\\b`, 'm'));
  });
});

describe('the guards of the SQL', () => {
  const world: Source[] = [
    { path: 'server/migrations/0002_ledger.sql', text: 'create table ledger.wallets (member_id integer);' },
    { path: 'server/migrations/0003_members.sql', text: 'create table members.members (id integer);' },
    {
      path: 'server/ledger/functions.sql',
      text: [
        '-- Open to others: totals,',
        '--   post.',
        'create view ledger.totals as select member_id from ledger.wallets;',
        'create function ledger.post() returns void language sql as $$ select $$;',
        'create function ledger.close() returns void language sql as $$ select $$;',
      ].join('\n'),
    },
  ];
  const edges = { ...sqlEdges, support: [], earning: ['ledger'] };
  const faultsOf = (path: string, text: string) => wallFaults([...world, { path, text }], edges);

  it('allow open names along an edge, and foreign keys to members', () => {
    const text =
      'select from ledger.totals; create table earning.e (id integer references members.members (id));';
    assert.deepEqual(faultsOf('server/earning/functions.sql', text), []);
    assert.deepEqual(faultsOf('server/earning/queries.ts', 'const q = sql`select ledger.post()`;'), []);
    assert.deepEqual(faultsOf('server/earning/functions.sql', '-- ledger.wallets\nselect 1;'), []);
  });
  const cases: [what: string, path: string, text: string][] = [
    ['a foreign table in a function', 'server/earning/functions.sql', 'select from ledger.wallets;'],
    [
      'a foreign table in a query',
      'server/earning/queries.ts',
      'tx.rows(sql`\n  select from ledger.wallets`);',
    ],
    [
      'a foreign table in a nested query',
      'server/earning/a.ts',
      ['sql`select $', '{x ? sql`from ledger.wallets` : y}`;'].join(''),
    ],
    ['a foreign table in a string', 'server/earning/a.ts', "sqlText('select from ledger.wallets');"],
    ['a foreign table in a file of no schema', 'server/work.ts', 'sql`select from ledger.wallets`;'],
    [
      'a trigger on a foreign table',
      'server/migrations/0005_earning.sql',
      'create trigger t after insert on members.members',
    ],
    [
      'a foreign key to another table',
      'server/migrations/0005_earning.sql',
      'w integer references ledger.wallets (member_id)',
    ],
    ['a function that is not open', 'server/earning/functions.sql', 'select ledger.close();'],
    ['an edge that is not listed', 'server/support/queries.ts', 'sql`select ledger.post()`;'],
    ['a quoted name', 'server/earning/functions.sql', 'select from "ledger"."wallets";'],
    ['a name in capitals', 'server/earning/queries.ts', 'sql`select from Ledger.WALLETS`;'],
    ['a name with spaces', 'server/earning/functions.sql', 'select from ledger . wallets;'],
    ['a name with its database', 'server/earning/queries.ts', 'sql`select from earnest.ledger.wallets`;'],
    ['a name after dashes in a string', 'server/earning/functions.sql', "select '--' from ledger.wallets;"],
    ['a name in two strings', 'server/earning/queries.ts', "const from = 'from ledger.' +\n 'wallets';"],
    ['a file of cases', 'server/earning/a-cases.ts', 'sql`select from ledger.wallets`;'],
    [
      'an identity’s sequence',
      'server/earning/queries.ts',
      "sql`select nextval('ledger.movements_id_seq')`;",
    ],
  ];
  for (const [what, path, text] of cases)
    it(`refuse ${what}`, () => assert.equal(faultsOf(path, text).length, 1));

  for (const definition of [
    'CREATE UNLOGGED TABLE Ledger.Kept ()',
    'create materialized view ledger.kept as select',
    'create or replace procedure ledger.kept()',
    'create sequence if not exists ledger.kept',
    'create type "ledger".kept as ()',
    'create domain ledger.kept as integer',
  ])
    it(`refuse a foreign object of: ${definition}`, () => {
      const defined = [...world, { path: 'server/migrations/0002_ledger.sql', text: definition }];
      const used = { path: 'server/earning/queries.ts', text: 'sql`select from ledger.kept`;' };
      assert.equal(wallFaults([...defined, used], edges).length, 1);
    });

  const value = ['$', '{table}'].join('');
  for (const text of [
    `sqlText(\`select from ${value}\`);`,
    "sqlText('select from ' + table);",
    'sqlText(statement);',
    'statements.map(sqlText);',
    "import { sqlText as plain } from '#platform/database.ts';",
    'database.sqlText(statement);',
  ])
    it(`refuse a statement made from a value: ${text}`, () => {
      assert.equal(madeStatements(planted('server/earning/queries.ts', text)).length, 1);
      assert.equal(madeStatements(planted('server/sandbox/tables.ts', text)).length, 0);
    });
  it('allow a statement made from plain text', () => {
    const text = "import { sqlText } from '#platform/database.ts'; sqlText('select ' + '1');";
    assert.deepEqual(madeStatements(planted('server/earning/queries.ts', text)), []);
  });
  it('refuse a name put together', () => {
    for (const text of [`sql\`select from ledger.${value}\``, "'ledger.' + table", `\`"ledger".${value}\``])
      assert.equal(composedNames(planted('server/earning/queries.ts', text)).length, 1, text);
  });

  it('refuse an open name that does not exist or that nothing uses', () => {
    const gone = { path: 'server/ledger/functions.sql', text: '-- Open to others: gone.' };
    assert.deepEqual(staleNames([gone]), ['ledger.gone']);
    assert.deepEqual(unusedNames(world), ['ledger.totals', 'ledger.post']);
  });
});
