import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planted, type Source } from './source-tree.ts';
import { readSqlSources, sqlTextsOf, withoutComments } from './sql-texts.ts';

/**
 * SQL keeps to what PostgreSQL 15 and YugabyteDB run, says what it does without dynamic SQL, and has short functions.
 * The walls between schemas are tested in `sql-tidy.test.ts`.
 */

/** Constructs that PostgreSQL 15 and YugabyteDB do not both run, or that no pooler in transaction mode keeps. */
const forbidden: [RegExp, string][] = [
  [/\b(ctid|[xc]min|[xc]max)\b/, 'a system column'],
  [/\busing\s+(sp-?)?gist\b/, 'a GiST index'],
  [/\bexclude\s*(using\b|\()/, 'an exclusion constraint'],
  [/\bdeferrable\b|\binitially\s+deferred\b/, 'a deferrable constraint'],
  [/\binherits\s*\(/, 'inheritance'],
  [/\block\s+table\b|\block\s+[\w$.,\s]+\sin\s+[a-z\s]+\smode\b/, 'a table lock'],
  [/(^|;|\b(begin|then|else|loop)\s)\s*lock\s+[\w$.]+\s*(,|;|$)/, 'a table lock'],
  [/\bcreate\s+(global\s+|local\s+)?temp(orary)?\s/, 'a temporary table'],
  [/\bpg_(try_)?advisory_lock(_shared)?\b/, 'a session advisory lock'],
  [/\bpg_notify\b|(^|;|\b(begin|then|else|loop)\s)\s*(un)?(notify|listen)\s+[\w$]+\s*(;|,|$)/m, 'NOTIFY'],
  [/(?<!\b(grant|revoke|for|,)\s+)\bexecute\b(?!\s+(on|function|procedure)\b)/, 'dynamic SQL'],
  [/[^\w.$]\d+_\d/, 'a number with underscores, which came with PostgreSQL 16'],
  [/\bsearch_path\b(?!\s*(=|to)\s*pg_catalog,\s*pg_temp\b(?!\s*,))/, 'another search path'],
];

/** Files that may use a forbidden construct. */
const allowed: Record<string, Record<string, string>> = {
  'a session advisory lock': {
    'server/platform/database-migrations.ts': 'concurrent starts migrate one after the other',
    'server/platform/database-roles.ts': 'concurrent starts make roles one after the other',
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

type Found = { path: string; what: string };

const constructsIn = (among: readonly Source[]): Found[] =>
  among
    .flatMap(sqlTextsOf)
    .flatMap(({ path, text }) =>
      forbidden.filter(([pattern]) => pattern.test(text)).map(([, what]) => ({ path, what })),
    );

const dialectFaults = (among: readonly Source[]): string[] => [
  ...constructsIn(among)
    .filter(({ path, what }) => allowed[what]?.[path] === undefined)
    .map(({ path, what }) => `${path}: ${what}`),
  ...among.filter(({ path }) => path.endsWith('.sql')).flatMap(brinFaults),
];

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

type SqlFunction = { path: string; name: string; linesCount: number };

/** The functions and procedures of a file, from `create` to the semicolon after the body. */
function functionsOf({ path, text }: Source): SqlFunction[] {
  const sql = withoutComments(text);
  const heads = sql.matchAll(/\bcreate\s+(?:or\s+replace\s+)?(?:function|procedure)\s+([\w."]+)/gi);
  return [...heads].map(({ index, 0: head, 1: name = '' }) => ({
    path,
    name: name.toLowerCase().replaceAll('"', ''),
    linesCount: sql.slice(index, endOf(sql, index + head.length)).split('\n').length,
  }));
}

/** The end of the statement that goes on at a position: its first semicolon outside strings and bodies. */
function endOf(sql: string, from: number): number {
  const piece = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|begin\s+atomic\b[\s\S]*?\bend\s*;|;/gi;
  piece.lastIndex = from;
  for (let match = piece.exec(sql); match !== null; match = piece.exec(sql))
    if (match[0].endsWith(';')) return piece.lastIndex;
  return sql.length;
}

const lengthFaults = (source: Source): string[] =>
  functionsOf(source)
    .filter(({ name, linesCount }) => linesCount > FUNCTION_LINES_MAX && longFunctions[name] === undefined)
    .map(({ path, name, linesCount }) => `${path}: ${name} has ${linesCount} lines`);

const sources = readSqlSources();
const sqlFiles = sources.filter(({ path }) => path.endsWith('.sql'));

describe('the SQL', () => {
  it('keeps to what PostgreSQL 15 and YugabyteDB run', () => assert.deepEqual(dialectFaults(sources), []));
  it('has short functions', () => {
    const functions = sqlFiles.flatMap(functionsOf);
    assert.ok(functions.length > 40, `only ${functions.length} functions were found`);
    assert.deepEqual(sqlFiles.flatMap(lengthFaults), []);
  });
  it('has only exemptions that are needed', () => {
    const found = constructsIn(sources).map(({ path, what }) => `${path}: ${what}`);
    for (const [what, files] of Object.entries(allowed))
      for (const path of Object.keys(files))
        assert.ok(found.includes(`${path}: ${what}`), `${path}: ${what}`);
    const long = sqlFiles
      .flatMap(functionsOf)
      .filter(({ linesCount }) => linesCount > FUNCTION_LINES_MAX)
      .map(({ name }) => name);
    assert.deepEqual(long.toSorted(), Object.keys(longFunctions).toSorted());
  });
});

describe('the guards of the SQL', () => {
  const dialect = [
    'select ctid from x',
    'select xmin from x',
    'select XMAX, id from x',
    'create index i on x using gist (y)',
    'exclude using btree (y with =)',
    'exclude (y with =)',
    'unique (x) deferrable initially deferred',
    'create table y () inherits (x)',
    'lock table x in exclusive mode',
    'lock x in share row exclusive mode',
    'lock ledger.wallets;',
    'create temp table x ()',
    'CREATE TEMPORARY VIEW x as select 1',
    'select pg_advisory_lock(1)',
    "select pg_notify('a', 'b')",
    'listen news;',
    'begin listen news; end',
    "execute 'select from ' || name;",
    'return query execute statement;',
    'language sql set search_path = ledger',
    'set search_path to pg_catalog, pg_temp, ledger',
    "select set_config('search_path', 'ledger', true)",
    'select * from x limit 1_000',
    'create index i on x using brin (at);',
  ];
  for (const text of dialect)
    it(`refuse: ${text}`, () => {
      assert.equal(dialectFaults(planted('server/a/functions.sql', text)).length, 1);
      if (!text.includes('brin'))
        assert.equal(dialectFaults(planted('server/a/queries.ts', `sql\`${text}\``)).length, 1);
    });
  it('refuse listening to a channel of a value', () =>
    assert.equal(
      dialectFaults(planted('server/a/queries.ts', ['sql`listen $', '{channel}`'].join(''))).length,
      1,
    ));
  it('allow grants, triggers and the usual search path', () => {
    const text = `grant execute on function a.b() to c; create trigger t execute function a.b();
      create function a.b() language sql set search_path = pg_catalog, pg_temp`;
    assert.deepEqual(dialectFaults(planted('server/a/functions.sql', text)), []);
  });

  const body = Array.from({ length: 80 }, () => '  perform 1;').join('\n');
  const long = (head: string, tag = '$$') =>
    planted('a.sql', `${head} returns void\nas ${tag}\nbegin\n${body}\nend\n${tag};\n`);
  const heads: [string, string?][] = [
    ['create function earning.act()'],
    ['CREATE OR REPLACE FUNCTION earning.act()'],
    ['create or replace\nfunction "earning"."act" ()', '$body$'],
    ['create procedure earning.act()'],
    ['create function ledger.post_all()'],
  ];
  for (const [head, tag] of heads)
    it(`refuse a long function: ${head.replace('\n', ' ')}`, () =>
      assert.equal(long(head, tag).flatMap(lengthFaults).length, 1));
  it('refuse a long function between others, with text after its body', () => {
    const short = 'create function a.b() returns integer language sql return 1;\n';
    const text = `${short}${long('create function a.c()')[0]?.text.replace(/;\n$/, '\nlanguage plpgsql;\n')}${short}`;
    assert.deepEqual(planted('a.sql', text).flatMap(lengthFaults), ['a.sql: a.c has 86 lines']);
  });
  it('allow a long function by its name alone', () =>
    assert.deepEqual(long('create function ledger.post()').flatMap(lengthFaults), []));
});
