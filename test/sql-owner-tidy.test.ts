import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planted, type Source } from './source-tree.ts';
import { keptBy, ownerOf } from './sql-schemas.ts';
import { readSqlSources, type SqlText, sqlTextsOf } from './sql-texts.ts';

/**
 * Only a schema's own files change it: its rows, its locks, its objects and the rights on them. Others read what is
 * open and call its functions, which `sql-tidy.test.ts` tests.
 */

/** Changes of another schema, each with the reason. */
const exempt: Record<string, Record<string, string>> = {
  'server/migrations/0001_platform.sql': {
    'alter default privileges revoke execute':
      'holds for every schema: nobody calls a function without a grant',
  },
  'server/migrations/0026_bonus.sql': {
    'insert into platform.settings': 'moves the schedule there once, before its own table is dropped',
  },
  'server/platform/database-roles.ts': {
    'revoke all on database $1': 'makes the database and its roles',
    'grant connect on database $1': 'makes the database and its roles',
    'grant create, connect on database $1': 'makes the role of jobs',
  },
  'server/platform/listed-jobs.ts': {
    'from graphile_worker._private_jobs for update':
      'lets one of several calls at once try a job again, as the owner of the jobs',
  },
  'server/sandbox/demo-world.ts': {
    'from platform.clock for update': 'sets the clock back, to make the past as the owner',
    'update platform.clock': 'sets the clock back, to make the past as the owner',
    'alter table platform.clock': 'a clock that is set back breaks the check of its offset',
    'update members.members': 'gives each account its dates and its name',
    'update notices.notices': 'mails nothing of the past',
  },
};

type Statement = { path: string; line: number; text: string };

/**
 * The statements of a text, those in bodies of functions among them. The content of other strings is left out, because
 * dynamic SQL is refused elsewhere.
 */
function statementsOf({ path, line, text }: SqlText): Statement[] {
  const bare = text.replaceAll(
    /(\b(?:as|do)\s+e?)?'((?:[^']|'')*)'|\$[a-z_]*\$/g,
    (_, start: string | undefined, content: string | undefined) => {
      if (content === undefined) return ';';
      if (start !== undefined) return `${start};${content.replaceAll("''", '  ')};`;
      return `''${content.replaceAll(/[^\n]/g, '')}`;
    },
  );
  let at = line;
  return bare.split(';').map((statement) => {
    const first = at + (/^\s*/.exec(statement)?.[0].split('\n').length ?? 1) - 1;
    at += statement.split('\n').length - 1;
    const flat = statement
      .replaceAll(/\s*\.\s*/g, '.')
      .replaceAll(/\s+/g, ' ')
      .trim();
    return { path, line: first, text: flat };
  });
}

/** A name with its schema, and perhaps with its database. */
const qualified = String.raw`(?:[a-z_]\w*\.)?[a-z_]\w*\.(?:[a-z_]\w*|\$1)`;
const schemaOf = (name: string): string => name.split('.').at(-2) ?? '';

/** Whether a file's schema is the schema, or keeps it. */
const isOwn = (path: string, schema: string): boolean => {
  const owner = ownerOf(path);
  return owner !== undefined && (keptBy[schema] ?? schema) === owner;
};

const namesOf = (text: string): string[] =>
  [...text.matchAll(new RegExp(qualified, 'g'))].map(([name]) => name);

/** Parts in parentheses are left out: columns, and types of parameters. */
function withoutParentheses(text: string): string {
  const shorter = text.replaceAll(/\([^()]*\)/g, ' ');
  return shorter === text ? text : withoutParentheses(shorter);
}

const writing = new RegExp(
  String.raw`\b(insert into|update|delete from|merge into|copy) (?:only )?(${qualified}|\$1(?!\w))`,
  'g',
);

/** Writes to objects of other schemas, and to objects that can't be read. */
function writeFaults({ path, text }: Statement): string[] {
  const written = [...text.matchAll(writing)].map(([, verb, name = '']) => ({ verb, name }));
  const [, emptied = ''] = /\btruncate\s+(?:table )?(?:only )?(.*)/.exec(text) ?? [];
  const names = written.concat(namesOf(emptied).map((name) => ({ verb: 'truncate', name })));
  return names
    .filter(({ name }) => !isOwn(path, schemaOf(name)))
    .filter(({ name }) => name !== '$1' || /^[a-z]/.test(text))
    .map(({ verb, name }) => `${verb} ${name}`);
}

/** Locks on rows of other schemas. */
function lockFaults({ path, text }: Statement): string[] {
  const lock = /\bfor (?:no key update|update|key share|share)\b(?: of ([a-z_]\w*(?: ?, ?[a-z_]\w*)*))?/g;
  const read = new RegExp(String.raw`\b(?:from|join) (${qualified})(?!\s*\()(?: (?:as )?([a-z_]\w*))?`, 'g');
  const foreign = [...text.matchAll(read)].filter(([, name = '']) => !isOwn(path, schemaOf(name)));
  return [...text.matchAll(lock)].flatMap(([, of]) =>
    foreign
      .filter(([, name = '', alias = '']) => {
        const locked = of?.split(/[, ]+/);
        return (
          locked === undefined || locked.includes(alias) || locked.includes(name.split('.').at(-1) ?? '')
        );
      })
      .map(([, name = '']) => `from ${name} for update`),
  );
}

const definingVerbs = 'create|alter|drop|comment on|grant|revoke|reassign|security label|refresh';
const defining = new RegExp(`(?:^|\\b(?:begin|then|else|loop|do) )((?:${definingVerbs}) .*)`);
/** What a literal of TypeScript begins with if it is such a statement and not a sentence. */
const objectKinds =
  'table|view|function|procedure|routine|aggregate|type|domain|sequence|schema|index|trigger|rule|policy';
const definingInCode = new RegExp(
  '^(?:create|alter|drop|comment on) (?:(?:or replace|if exists|unique|unlogged|materialized|recursive|foreign) )*' +
    `(?:${objectKinds})\\b` +
    `|^(?:grant|revoke) .+ on (?:all|schema|database|(?:[a-z]+ )?(?:\\w+\\.|\\$1)).* (?:to|from)\\b`,
);

/** Definitions, changes, removals and rights of what is in another schema, or in none that can be read. */
function definitionFaults({ path, text }: Statement): string[] {
  const found = defining.exec(text)?.[1];
  if (found === undefined || (path.endsWith('.ts') && !definingInCode.test(found))) return [];
  const statement = withoutParentheses(found).replaceAll(/\s+/g, ' ');
  const schemasNamed = [
    ...statement.matchAll(/\bschema (?:if (?:not )?exists )?([a-z_]\w*(?:, ?[a-z_]\w*)*)/g),
  ]
    .flatMap(([, list = '']) => list.split(/, ?/))
    .map((schema) => `${schema}.*`);
  const names = namesOf(statement);
  // Of a table, a view or a function, the first name is what is defined; the walls judge what it uses.
  const isOneObject = /^(?:create(?! schema)|alter)\b/.test(statement);
  const targets = [...schemasNamed, ...(isOneObject ? names.slice(0, 1) : names)];
  const short = statement.slice(0, 70);
  if (targets.length === 0) return [short];
  return targets.some((name) => !isOwn(path, schemaOf(name))) ? [short] : [];
}

const judges = [writeFaults, lockFaults, definitionFaults];

/** Changes of a schema outside its own files. */
const ownerFaults = (sources: readonly Source[], exemptions = exempt): string[] => [
  ...new Set(
    sources
      .flatMap(sqlTextsOf)
      .flatMap(statementsOf)
      .flatMap((statement) =>
        judges.flatMap((judge) => judge(statement).map((what) => ({ ...statement, what }))),
      )
      .filter(
        ({ path, what }) => !Object.keys(exemptions[path] ?? {}).some((start) => what.startsWith(start)),
      )
      .map(({ path, line, what }) => `${path}:${line}: ${what}`),
  ),
];

const sources = readSqlSources();

describe('the owner of a schema', () => {
  it('is alone in changing it', () => assert.deepEqual(ownerFaults(sources), []));
  it('is read in many statements', () => {
    const statements = sources.flatMap(sqlTextsOf).flatMap(statementsOf);
    for (const [what, countMin] of [
      ['insert into', 40],
      ['create', 150],
      ['grant', 50],
    ] as const)
      assert.ok(statements.filter(({ text }) => text.startsWith(what)).length >= countMin, what);
  });
  it('has only exceptions that are needed', () => {
    const faults = ownerFaults(sources, {});
    for (const [path, starts] of Object.entries(exempt))
      for (const start of Object.keys(starts))
        assert.ok(
          faults.some((fault) => fault.startsWith(`${path}:`) && fault.includes(`: ${start}`)),
          `${path}: ${start}`,
        );
  });
});

describe('the guard of a schema’s owner', () => {
  const functionFile = 'server/bonus/functions.sql';
  const inFunction = (body: string) =>
    `create or replace function bonus.gift(m integer) returns void language plpgsql security definer as $$
begin
  ${body};
end
$$;
grant execute on function bonus.gift(integer) to earnest_app;`;
  const writes = [
    'update ledger.wallet_totals set balance = balance + 1000 where member_id = m',
    'update only ledger.history set amount = amount',
    'insert into ledger.history (member_id) values (m)',
    'delete from members.profiles where id = m',
    'merge into ledger.wallet_totals w using bonus.days d on true when matched then delete',
    'truncate bonus.days, ledger.wallets',
    'if m > 0 then update "ledger"."wallet_totals" set balance = 0',
    'with changed as (update ledger.wallet_totals set balance = 0 returning 1) select 1',
    'perform from ledger.wallet_totals w where w.member_id = m for update',
    'perform from bonus.days d join ledger.wallet_totals w on true for no key update of w, d',
    'perform from ledger.history for share of history',
  ];
  for (const text of writes)
    it(`refuses ${text}`, () => {
      assert.equal(ownerFaults(planted(functionFile, inFunction(text))).length, 1);
      const query = ['await tx.rows(sql`\n', text, ' and $', '{isDue}`);'].join('');
      assert.equal(ownerFaults(planted('server/bonus/queries.ts', query)).length, 1);
      assert.equal(
        ownerFaults(planted('server/work.ts', `sqlText(${JSON.stringify(text)});`)).length > 0,
        true,
      );
    });
  it('refuses a write in a body that is a string, and names its line', () => {
    const body =
      "create function bonus.gift() returns void language sql as 'update ledger.history set amount = 0'";
    assert.deepEqual(ownerFaults(planted(functionFile, `select 'a;\n''b';\n\n${body};`)), [
      `${functionFile}:4: update ledger.history`,
    ]);
  });
  it('refuses a write to a name that cannot be read', () => {
    for (const start of ['update', 'insert into', 'delete from'])
      assert.equal(
        ownerFaults(planted('server/bonus/queries.ts', ['sql`', start, ' $', '{table} set x`'].join('')))
          .length,
        1,
      );
  });

  const definitions = [
    'create or replace function members.restrictions(member_id integer) returns boolean language sql return false',
    'create or replace view ledger.wallet_totals as select 1 as member_id',
    'create or replace view "ledger"."wallet_totals" as select 1 as member_id',
    'create or replace view earnest.ledger.wallet_totals as select 1 as member_id',
    'create table if not exists public.kept (id integer)',
    'create table kept (id integer)',
    'create index on ledger.movements (kind)',
    'create trigger t after insert on members.members execute function bonus.gift()',
    'create rule r as on update to ledger.wallet_totals do instead nothing',
    'create policy p on members.members using (true)',
    'create schema extra',
    'create schema bonus create view ledger.more as select 1',
    'drop view members.profiles cascade',
    'drop function if exists bonus.gift(integer), members.restrictions(integer)',
    'drop schema referrals cascade',
    'drop schema if exists bonus, referrals',
    'drop trigger t on members.members',
    'drop owned by earnest_app',
    'alter schema withdrawals rename to w2',
    'alter table ledger.wallets add column gift bigint',
    'alter function bonus.gift(integer) set schema ledger',
    'alter default privileges grant all on tables to earnest_app',
    'alter role earnest_app superuser',
    'comment on table members.members is null',
    'grant select, insert, update on all tables in schema ledger to earnest_app',
    'grant update on bonus.days, ledger.wallets to earnest_app',
    'grant update (balance) on ledger.wallets to earnest_app',
    'grant execute on function members.anonymise(integer) to earnest_app',
    'grant usage on schema ledger to public',
    'grant earnest_owner to earnest_app',
    'revoke select on ledger.history from earnest_app',
    'do $$ begin drop view members.profiles; end $$',
    "do 'begin drop view members.profiles; end'",
    "create function bonus.gift() returns void language sql as 'drop view members.profiles'",
    "create function bonus.gift() returns void language sql as e'select ''x''; drop view members.profiles'",
    'do $$ begin if true then alter schema withdrawals rename to w2; end if; end $$',
  ];
  for (const text of definitions)
    it(`refuses ${text}`, () => {
      assert.equal(ownerFaults(planted('server/migrations/0009_bonus.sql', `${text};`)).length, 1);
      assert.equal(ownerFaults(planted(functionFile, `select 1;\n-- A comment.\n${text};`)).length, 1);
    });
  it('refuses a definition in a query', () => {
    for (const text of ['drop schema ledger', 'grant select on ledger.wallets to earnest_app'])
      assert.equal(ownerFaults(planted('server/bonus/queries.ts', `sqlText('${text}');`)).length, 1);
  });
  it('allows a schema’s own files everything in it, with foreign keys, types and calls of others', () => {
    const text = `create table bonus.days (id integer references members.members (id), at timestamptz
        default platform.business_now());
      create function bonus.item_of(i ledger.item) returns ledger.item language sql return i;
      grant execute on function bonus.item_of(ledger.item) to earnest_app;
      alter table bonus.days add column by integer references members.members (id);
      grant usage on schema bonus to earnest_app;
      insert into bonus.days select from members.profiles on conflict do update set id = 1;
      select from bonus.days d cross join platform.site_clock for no key update of d;`;
    assert.deepEqual(ownerFaults(planted(functionFile, text)), []);
    assert.deepEqual(ownerFaults(planted('server/platform/jobs.ts', "sqlText('create schema jobs');")), []);
    assert.deepEqual(
      ownerFaults(planted('server/bonus/a.ts', "say('Grant rights on the list to Ann');")),
      [],
    );
  });
});
