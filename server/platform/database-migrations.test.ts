import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { after, beforeEach, describe, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { ConfigFault } from './config.ts';
import { sql, sqlText } from './database.ts';
import { migrate, schemaDigest } from './database-migrations.ts';
import { compareVersions, thisRelease } from './release.ts';

const { owner, database, ownerUrl } = await testDatabase({ after });
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'migrations-'));
after(() => fs.rmSync(root, { recursive: true }));

const options = {
  directory: path.join(root, 'migrations'),
  featuresDirectory: path.join(root, 'features'),
};
const PLATFORM = 'create table platform.settings (key text primary key, value jsonb not null);';

function write(file: string, text: string): void {
  fs.mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  fs.writeFileSync(path.join(root, file), text);
}

async function run(): Promise<void> {
  await migrate(ownerUrl, options);
}

/** That the next start is refused in one line, as for a fault of the configuration. */
const assertRefused = (pattern: RegExp): Promise<void> =>
  assert.rejects(
    run(),
    (error) => error instanceof ConfigFault && error.lines.length === 1 && pattern.test(error.message),
  );

async function appliedNames(): Promise<string[]> {
  const rows = await owner.rows<{ name: string }>(sql`select name from platform.migrations order by name`);
  return rows.map(({ name }) => name);
}

beforeEach(async () => {
  await owner.rows(sqlText('drop schema if exists platform cascade'));
  await owner.rows(sqlText('drop schema if exists garden cascade'));
  fs.rmSync(root, { recursive: true, force: true });
  write('migrations/0001_platform.sql', PLATFORM);
  write('migrations/0002_garden.sql', 'create schema garden; create table garden.trees (height integer);');
  write(
    'features/garden/functions.sql',
    'create or replace function garden.shade() returns integer return 1;',
  );
});

test('applies migrations once, in order, then functions', async () => {
  await run();
  await run();
  assert.deepEqual(await appliedNames(), ['0001_platform.sql', '0002_garden.sql']);
  assert.deepEqual(await owner.one(sql`select garden.shade() as shade`), { shade: 1 });
});

test('makes concurrent starts wait for each other', async () => {
  await Promise.all([run(), run(), run(), run()]);
  assert.deepEqual(await appliedNames(), ['0001_platform.sql', '0002_garden.sql']);
});

test('rolls back a failed migration, names the place, and applies it once corrected', async () => {
  write('migrations/0003_more.sql', 'create table garden.bushes (); create tabel garden.weeds ();');
  await assert.rejects(run(), /0003_more.sql could not be applied: syntax error .*"tabel" at character \d+/);
  assert.deepEqual(await appliedNames(), ['0001_platform.sql', '0002_garden.sql']);
  write('migrations/0003_more.sql', 'create table garden.bushes (); create table garden.weeds ();');
  await run();
  assert.equal((await appliedNames()).length, 3);
});

test('refuses a migration that was changed after it was applied', async () => {
  await run();
  write('migrations/0002_garden.sql', 'create schema garden; create table garden.trees (height bigint);');
  await assertRefused(/0002_garden.sql was changed after this database applied it: restore its text/);
});

test('refuses a new migration numbered before an applied one', async () => {
  write('migrations/0004_later.sql', 'create table garden.later ();');
  await run();
  write('migrations/0003_earlier.sql', 'create table garden.earlier ();');
  await assertRefused(/0003_earlier.sql comes before 0004_later.sql.*: number it anew/);
});

test('refuses a database of a newer release', async () => {
  await run();
  fs.rmSync(path.join(root, 'migrations/0002_garden.sql'));
  await assertRefused(
    /has migration 0002_garden.sql, which this release does not know: start a newer release/,
  );
});

describe('a release before the newest one that used the database', () => {
  const newest = { version: '1.10.0', oldest: '1.9.2' };
  const runAs = (version: string) => migrate(ownerUrl, { ...options, release: { version, oldest: version } });
  beforeEach(async () => {
    await migrate(ownerUrl, { ...options, release: newest });
    // The older release has neither the newest migration nor the newest function.
    fs.rmSync(path.join(root, 'migrations/0002_garden.sql'));
    write('features/garden/functions.sql', 'drop function garden.shade();');
  });

  test('runs if the newest one says so, and leaves schema and functions as they are', async () => {
    for (const version of ['1.9.2', '1.9.10']) assert.deepEqual(await runAs(version), newest);
    assert.deepEqual(await owner.one(sql`select garden.shade() as shade`), { shade: 1 });
    assert.deepEqual(await appliedNames(), ['0001_platform.sql', '0002_garden.sql']);
  });
  test('is refused in one line if the newest one does not work with it', async () => {
    for (const version of ['1.9.1', '1.2.0', '0.10.0'])
      await assert.rejects(
        runAs(version),
        (error) =>
          error instanceof ConfigFault && error.lines.length === 1 && /1\.9\.2 or later/.test(error.message),
      );
  });
  test('is held by the numbers of this release', () => {
    assert.ok(compareVersions(thisRelease.oldest, thisRelease.version) <= 0);
    assert.throws(() => compareVersions('1.2.0-beta', '1.2.0'), /three numbers/);
  });
});

test('refuses migrations with the same number or without one', async () => {
  write('migrations/0002_other.sql', 'select 1;');
  await assert.rejects(run(), /Two migrations have the number 0002/);
  fs.renameSync(path.join(root, 'migrations/0002_other.sql'), path.join(root, 'migrations/other.sql'));
  await assert.rejects(run(), /"other.sql" is not named/);
});

test('applies changed functions, and keeps the former ones if a file is broken', async () => {
  await run();
  write(
    'features/garden/functions.sql',
    'create or replace function garden.shade() returns integer return 2;',
  );
  await run();
  assert.deepEqual(await owner.one(sql`select garden.shade() as shade`), { shade: 2 });
  write('features/orchard/functions.sql', 'create function garden.fruit() retruns integer;');
  write(
    'features/garden/functions.sql',
    'create or replace function garden.shade() returns integer return 3;',
  );
  await assert.rejects(run(), /orchard\/functions.sql could not be applied/);
  assert.deepEqual(await owner.one(sql`select garden.shade() as shade`), { shade: 2 });
});

test('applies the functions of a feature in the order of its files, and the ledger first', async () => {
  const counting = (words: string) => `insert into garden.order_of_files (words) values ('${words}');`;
  write('migrations/0003_order.sql', 'create table garden.order_of_files (place serial, words text);');
  write('features/garden/functions.sql', counting('garden'));
  write('features/garden/functions-beds.sql', counting('garden beds'));
  write('features/apples/functions.sql', counting('apples'));
  write('features/ledger/functions.sql', counting('ledger'));
  write('features/garden/seeds.sql', 'this is not SQL;');
  await run();
  const rows = await owner.rows<{ words: string }>(
    sql`select words from garden.order_of_files order by place`,
  );
  assert.deepEqual(
    rows.map(({ words }) => words),
    ['ledger', 'apples', 'garden', 'garden beds'],
  );
});

test('grants rights to the application under the name of its role', async () => {
  write(
    'migrations/0003_grant.sql',
    'grant usage on schema garden to earnest_app; grant select on garden.trees to earnest_app;',
  );
  await run();
  assert.deepEqual(await database.rows(sql`select * from garden.trees`), []);
  const another = migrate(ownerUrl, { ...options, appRole: 'earnest_worker' });
  await assert.rejects(another, /granted to the role "earnest_app"/);
});

test('changes the digest with every text of the schema', () => {
  const before = schemaDigest(options);
  assert.equal(schemaDigest(options), before);
  write(
    'features/garden/functions.sql',
    'create or replace function garden.shade() returns integer return 2;',
  );
  assert.notEqual(schemaDigest(options), before);
});
