import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { literalsOf, type Source, type SqlText, sqlTextsOf, withoutComments } from './sql-texts.ts';

/**
 * The architecture of the SQL. A schema's tables are its own. Others may use what the schema lists as `Open to others`
 * at the top of its `functions.sql`, along the edges below. SQL keeps to what PostgreSQL 15 and YugabyteDB run.
 *
 * Tests and benchmarks are exempt, because they read tables to check what the product did. The files in `exempt` are
 * exempt too, each with its reason.
 */
const root = resolve(import.meta.dirname, '..');

/** The allowed edges between schemas: each may use the open views, functions and types of the named ones. */
const sqlEdges: Record<string, string[]> = {
  platform: [],
  ledger: ['platform'],
  members: ['platform', 'ledger'],
  access: ['platform', 'members'],
  earning: ['platform', 'ledger', 'members'],
  withdrawals: ['platform', 'ledger', 'members'],
  support: ['platform', 'members'],
  coinflip: ['platform', 'ledger', 'members'],
  bonus: ['platform', 'ledger'],
  referrals: ['platform', 'ledger', 'members', 'withdrawals'],
  sandbox: ['platform', 'members'],
};
const schemas = Object.keys(sqlEdges);

/** Schemas that a feature owns beside the one with its name. */
const keptBy: Record<string, string> = { jobs: 'platform' };

/** Files that name foreign tables for a reason. */
const exempt: Record<string, string> = {
  'server/sandbox/demo-world.ts':
    'makes three weeks of past in one transaction as the owner: sets the clock back and fills profiles',
};

/** Constructs that PostgreSQL 15 and YugabyteDB do not both run, or that no pooler in transaction mode keeps. */
const forbidden: [RegExp, string][] = [
  [/\bctid\b/i, 'ctid'],
  [/\busing\s+(sp-?)?gist\b/i, 'a GiST index'],
  [/\bexclude\s+using\b/i, 'an exclusion constraint'],
  [/\bdeferrable\b|\binitially\s+deferred\b/i, 'a deferrable constraint'],
  [/\binherits\s*\(/i, 'inheritance'],
  [/\block\s+table\b/i, 'a table lock'],
  [/\bpg_(try_)?advisory_lock(_shared)?\b/i, 'a session advisory lock'],
  [/\bpg_notify\b|^\s*(notify|listen)\s+"?[a-z_]+"?\s*(;|,|$)/im, 'NOTIFY'],
];

/** Files that may use a forbidden construct. */
const allowed: Record<string, Record<string, string>> = {
  'a session advisory lock': {
    'server/platform/database-migrations.ts': 'concurrent starts migrate one after the other',
    'server/platform/database-roles.ts': 'concurrent starts make roles one after the other',
    'server/platform/database-lock.ts':
      'the only node without Redis and the payer of a wallet; leases will replace it',
  },
};

const FUNCTION_LINES_MAX = 70;

/**
 * SQL functions that may be longer, because they are hot. Measured in plpgsql: a call of a function costs 1 to 2
 * microseconds; four arrays of 50 that pass through it and back cost 35, and 2 where they are changed in place.
 */
const longFunctions: Record<string, string> = {
  'ledger.post':
    'decides item by item and changes seven arrays for each: 35 microseconds an item in a function',
  'ledger.post_one':
    'the path of every credit, of about 30 microseconds: each step of its own would cost 1 to 2',
  'earning.book':
    'its steps share arrays of verdicts, members and movements: 35 microseconds for each of three steps',
  'coinflip.play':
    'drawing, posting and keeping share arrays of flips, verdicts and balances: 35 for each step',
};

const isTest = (path: string) =>
  /\.test\.tsx?$/.test(path) || /^(test|bench)\//.test(path) || path.includes('-cases.ts');

const sources: Source[] = globSync('{server,bench}/**/*.{sql,ts}', { cwd: root }).map((path) => ({
  path,
  text: readFileSync(join(root, path), 'utf8'),
}));

/** The schema of a file; undefined for files that have none and may use none. */
function ownerOf(path: string): string | undefined {
  const migration = /^server\/migrations\/\d+_([a-z]+)\.sql$/.exec(path)?.[1];
  const folder = /^server\/([a-z-]+)\//.exec(path)?.[1];
  return schemas.find((schema) => schema === (migration ?? folder));
}

type SqlObject = { kind: string; schema: string; name: string };

/** All objects that SQL files and the sandbox's tables define, by full name. */
function objectsOf(among: readonly Source[]): Map<string, SqlObject> {
  const kinds = 'table|view|function|type|sequence';
  const defining = new RegExp(
    `\\bcreate (?:or replace )?(${kinds}) (?:if not exists )?([a-z_]+)\\.([a-z_]+)`,
    'gi',
  );
  const found = among
    .filter(({ path }) => !isTest(path))
    .flatMap(sqlTextsOf)
    .flatMap(({ text }) => [...text.matchAll(defining)])
    .map(([, kind, schema, name]) => ({ kind, schema, name }) as SqlObject);
  const own = found.map((object) => ({ ...object, schema: keptBy[object.schema] ?? object.schema }));
  return new Map(own.map((object, index) => [`${found[index]?.schema}.${object.name}`, object]));
}

/** The names that a schema lists as open at the top of its `functions.sql`. */
function openOf(schema: string, among: readonly Source[]): Set<string> {
  const file = among.find(({ path }) => path === `server/${schema}/functions.sql`);
  const list = /^-- Open to others: ((?:[^.\n]|\n-- )+)\./m.exec(file?.text ?? '')?.[1] ?? '';
  const names = list.replaceAll('\n--', ' ').split(/[\s,]+/);
  return new Set(names.filter((name) => name !== '' && name !== 'none'));
}

/** Uses of tables of other schemas, of objects that are not open, and of edges that are not listed. */
function wallFaults(among: readonly Source[], edges = sqlEdges): string[] {
  const objects = objectsOf(among);
  const open = new Map(Object.keys(edges).map((schema) => [schema, openOf(schema, among)]));
  const judge = (user: string | undefined, { schema, name, kind }: SqlObject): string | undefined => {
    if (schema === user) return undefined;
    if (kind === 'table' || kind === 'sequence') return `names the ${kind} ${schema}.${name}`;
    if (!open.get(schema)?.has(name)) return `uses ${schema}.${name}, which is not open to others`;
    return user !== undefined && edges[user]?.includes(schema)
      ? undefined
      : `uses ${schema}.${name}: not a listed edge`;
  };
  return among
    .filter(({ path }) => !isTest(path) && exempt[path] === undefined)
    .flatMap(sqlTextsOf)
    .flatMap((piece) =>
      namesIn(piece, objects).flatMap(({ object, line }) => {
        const fault = judge(ownerOf(piece.path), object);
        return fault === undefined ? [] : [`${piece.path}:${line} ${fault}`];
      }),
    );
}

/** The objects that a piece of SQL names, except in foreign keys to members. */
function namesIn({ line, text }: SqlText, objects: Map<string, SqlObject>) {
  const searched = text.replaceAll(/\breferences members\.members \(id\)/g, '');
  return [...searched.matchAll(/\b[a-z_]+\.[a-z_]+\b/g)].flatMap((match) => {
    const object = objects.get(match[0]);
    return object === undefined
      ? []
      : [{ object, line: line + searched.slice(0, match.index).split('\n').length - 1 }];
  });
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
    .filter(({ path }) => !isTest(path))
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

function dialectFaults(among: readonly Source[]): string[] {
  const texts = among.filter(({ path }) => !isTest(path)).flatMap(sqlTextsOf);
  const faults = texts.flatMap(({ path, text }) =>
    forbidden
      .filter(([pattern, what]) => pattern.test(text) && allowed[what]?.[path] === undefined)
      .map(([, what]) => `${path}: ${what}`),
  );
  return [...faults, ...among.filter(({ path }) => path.endsWith('.sql')).flatMap(brinFaults)];
}

/** An index that YugabyteDB doesn't support needs a comment above it that names the replacement. */
function brinFaults({ path, text }: Source): string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!/\busing brin\b/i.test(line.replace(/--.*/, ''))) return [];
    let first = index;
    while (lines[first - 1]?.startsWith('--')) first -= 1;
    const comment = lines.slice(first, index).join(' ');
    return /YugabyteDB.*ordinary index/.test(comment)
      ? []
      : [`${path}:${index + 1}: BRIN without the other index type`];
  });
}

/**
 * Functions that are too long, counted from `create` to the end of the body: `$$;`, or the last line of a `return`.
 */
function lengthFaults({ path, text }: Source): string[] {
  const lines = withoutComments(text).split('\n');
  return lines.flatMap((line, first) => {
    const name = /^create (?:or replace )?function ([a-z_.]+)/.exec(line)?.[1];
    if (name === undefined || longFunctions[name] !== undefined) return [];
    const after = lines.slice(first + 1);
    const next = after.findIndex((other) => /^create\b/.test(other));
    const end = after.indexOf('$$;');
    const isBody = end >= 0 && (next < 0 || end < next);
    const last = isBody ? end : after.findIndex((other) => other.endsWith(';'));
    return last + 2 > FUNCTION_LINES_MAX ? [`${path}: ${name} has ${last + 2} lines`] : [];
  });
}

const sqlFiles = sources.filter(({ path }) => path.endsWith('.sql'));

describe('the SQL', () => {
  it('is read from files and from TypeScript', () => {
    assert.ok(sqlFiles.length >= 15);
    assert.ok(
      sqlTextsOf({ path: 'a.ts', text: ['tx.rows(sql`select $', '{x}`)'].join('') }).some(
        ({ text }) => text === 'select $1',
      ),
    );
    assert.ok(objectsOf(sources).size > 60);
  });
  it('names no table of another schema, and uses others along the listed edges', () =>
    assert.deepEqual(wallFaults(sources), []));
  it('lists only existing names as open, each used by another schema', () => {
    assert.deepEqual(staleNames(sources), []);
    assert.deepEqual(unusedNames(sources), []);
  });
  it('keeps to what PostgreSQL 15 and YugabyteDB run', () => assert.deepEqual(dialectFaults(sources), []));
  it('keeps functions short', () => assert.deepEqual(sqlFiles.flatMap(lengthFaults), []));
  it('reads the literals of every query in TypeScript', () => {
    const missed = sources.flatMap(({ path, text }) => {
      const found = new Set(literalsOf(text).map(({ line }) => line));
      return text.split('\n').flatMap((line, index) => {
        const isQuery = /(?<![.\w`])sql`/.test(line);
        return isQuery && path.endsWith('.ts') && !found.has(index + 1) ? [`${path}:${index + 1}`] : [];
      });
    });
    assert.deepEqual(missed, []);
  });
  it('lists only edges that are used', () => {
    const objects = objectsOf(sources);
    const used = new Set(
      sources
        .filter(({ path }) => !isTest(path))
        .flatMap((source) =>
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
    const paths = new Set(sources.map(({ path }) => path));
    const named = [...Object.keys(exempt), ...Object.values(allowed).flatMap(Object.keys)];
    assert.deepEqual(
      named.filter((path) => !paths.has(path)),
      [],
    );
    const objects = objectsOf(sources);
    assert.deepEqual(
      Object.keys(longFunctions).filter((name) => !objects.has(name)),
      [],
    );
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
  ];
  for (const [what, path, text] of cases)
    it(`refuse ${what}`, () => assert.equal(faultsOf(path, text).length, 1));

  it('refuse an open name that does not exist or that nothing uses', () => {
    const gone = { path: 'server/ledger/functions.sql', text: '-- Open to others: gone.' };
    assert.deepEqual(staleNames([gone]), ['ledger.gone']);
    assert.deepEqual(unusedNames(world), ['ledger.totals', 'ledger.post']);
  });

  const dialect = [
    'select ctid from x',
    'create index i on x using gist (y)',
    'exclude using btree (y with =)',
    'unique (x) deferrable initially deferred',
    'create table y () inherits (x)',
    'lock table x in exclusive mode',
    'select pg_advisory_lock(1)',
    "select pg_notify('a', 'b')",
    'listen news;',
    'create index i on x using brin (at);',
  ];
  for (const text of dialect)
    it(`refuse: ${text}`, () => {
      assert.equal(dialectFaults([{ path: 'server/a/functions.sql', text }]).length, 1);
      if (!text.includes('brin'))
        assert.equal(dialectFaults([{ path: 'server/a/queries.ts', text: `sql\`${text}\`` }]).length, 1);
    });

  it('refuse a long function', () => {
    const body = Array.from({ length: 80 }, () => '  perform 1;').join('\n');
    const long = (name: string) =>
      `create function ${name}() returns void\nas $$\nbegin\n${body}\nend\n$$;\n`;
    assert.equal(lengthFaults({ path: 'a.sql', text: long('ledger.post') }).length, 0);
  });
});
