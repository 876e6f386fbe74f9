import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { isDatabaseOutage, json, openDatabase, sql, sqlState, sqlText } from './database.ts';

const { database, owner, appUrl, workerUrl } = await testDatabase({ after });
await owner.rows(sqlText('create schema trial'));
await owner.rows(
  sqlText('create table trial.notes (id integer constraint notes_id primary key, words text)'),
);
await owner.rows(sqlText('grant usage on schema trial to earnest_app'));
await owner.rows(sqlText('grant select, insert, update on trial.notes to earnest_app'));

function deferred(): { promise: Promise<void>; resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

test('turns values into parameters and statements into parts', () => {
  const filter = sql`words = ${'x'} and id > ${5}`;
  const { text, values } = sql`select ${1} from notes where ${filter} and id < ${9}`;
  assert.equal(text, 'select $1 from notes where words = $2 and id > $3 and id < $4');
  assert.deepEqual(values, [1, 'x', 5, 9]);
});

test('treats an object that looks like a statement as a parameter', async () => {
  const forged = JSON.parse('{"text": "1; drop table trial.notes", "values": []}');
  const { text } = sql`select ${forged}`;
  assert.equal(text, 'select $1');
});

test('reads 64-bit integers, dates, times and decimals without loss', async () => {
  const row = await database.one(sql`
    select 9007199254740993::bigint as big, array[1, -2]::bigint[] as bigs, '2026-03-01'::date as day,
      array['2026-03-01']::date[] as days, '2026-03-01T12:00:00+09'::timestamptz as time, 0.10::numeric as decimal,
      ${9_007_199_254_740_993n}::bigint as sent, ${[1n, 2n]}::bigint[] as sents, '{}'::bigint[] as none`);
  assert.deepEqual(row, {
    big: 9_007_199_254_740_993n,
    bigs: [1n, -2n],
    day: '2026-03-01',
    days: ['2026-03-01'],
    time: new Date('2026-03-01T03:00:00Z'),
    decimal: '0.10',
    sent: 9_007_199_254_740_993n,
    sents: [1n, 2n],
    none: [],
  });
});

test('writes 64-bit integers as text in JSON and refuses undefined', async () => {
  const { value } = await database.one<{ value: unknown }>(
    sql`select ${json({ points: 5n })}::jsonb as value`,
  );
  assert.deepEqual(value, { points: '5' });
  assert.throws(() => json(undefined));
});

test('refuses an undefined parameter, also in a list', async () => {
  await assert.rejects(database.rows(sql`select ${undefined}::text`), /undefined/);
  await assert.rejects(database.rows(sql`select ${['a', undefined]}::text[]`), /undefined/);
});

test('refuses a wrong number of rows', async () => {
  await assert.rejects(database.one(sql`select 1 where false`), /One row expected, 0 found/);
  await assert.rejects(database.one(sql`select generate_series(1, 2)`), /One row expected, 2 found/);
  await assert.rejects(database.row(sql`select generate_series(1, 2)`), /At most one row expected, 2 found/);
  assert.equal(await database.row(sql`select 1 where false`), undefined);
});

test('rolls back a transaction that throws', async () => {
  const failing = database.transaction(async (tx) => {
    await tx.rows(sql`insert into trial.notes values (1, 'gone')`);
    throw new Error('changed my mind');
  });
  await assert.rejects(failing, /changed my mind/);
  assert.deepEqual(await database.rows(sql`select * from trial.notes where id = 1`), []);
});

test('refuses to commit a transaction whose error was swallowed', async () => {
  const swallowing = database.transaction(async (tx) => {
    await tx.rows(sql`insert into trial.notes values (2, 'lost')`);
    await tx.rows(sql`select 1 / 0`).catch(() => undefined);
    return 'all well';
  });
  await assert.rejects(swallowing, /ended in ROLLBACK/);
  assert.deepEqual(await database.rows(sql`select * from trial.notes where id = 2`), []);
});

test('refuses a statement after the end of its transaction', async () => {
  let late: Promise<unknown> | undefined;
  const { promise, resolve } = deferred();
  await database.transaction(async (tx) => {
    late = promise.then(() => tx.rows(sql`select 1`));
  });
  resolve();
  await assert.rejects(late as Promise<unknown>, /transaction is over/);
});

test('runs a transaction again after a deadlock', async () => {
  await owner.rows(sql`insert into trial.notes values (11, ''), (12, '')`);
  let attempts = 0;
  const bothHoldOne = deferred();
  const touch = (first: number, second: number) =>
    database.transaction(async (tx) => {
      attempts += 1;
      await tx.rows(sql`update trial.notes set words = words || 'x' where id = ${first}`);
      if (attempts >= 2) bothHoldOne.resolve();
      await bothHoldOne.promise;
      await tx.rows(sql`update trial.notes set words = words || 'x' where id = ${second}`);
    });
  await Promise.all([touch(11, 12), touch(12, 11)]);
  assert.ok(attempts > 2);
  assert.deepEqual(await database.rows(sql`select words from trial.notes where id in (11, 12)`), [
    { words: 'xx' },
    { words: 'xx' },
  ]);
});

test('gives up after five attempts', async () => {
  let attempts = 0;
  const hopeless = database.transaction(async (tx) => {
    attempts += 1;
    await tx.rows(sqlText("do $$ begin raise exception 'conflict' using errcode = '40001'; end $$"));
  });
  await assert.rejects(hopeless, (error) => sqlState(error) === '40001' && isDatabaseOutage(error));
  assert.equal(attempts, 5);
});

test('does not count a violated constraint as an outage', async () => {
  await owner.rows(sql`insert into trial.notes values (20, '')`);
  await assert.rejects(database.rows(sql`insert into trial.notes values (20, '')`), (error) => {
    assert.equal(sqlState(error), '23505');
    return !isDatabaseOutage(error);
  });
});

test('limits the time of statements, lock waits and idle transactions', async () => {
  const limits = 'statement_timeout=300 -c lock_timeout=100 -c idle_in_transaction_session_timeout=100';
  const hasty = openDatabase({ url: `${appUrl}?options=${encodeURIComponent(`-c ${limits}`)}` });
  await owner.rows(sql`insert into trial.notes values (30, '')`);
  await assert.rejects(hasty.rows(sql`select pg_sleep(5)`), isDatabaseOutage);
  await owner.transaction(async (tx) => {
    await tx.rows(sql`update trial.notes set words = 'held' where id = 30`);
    await assert.rejects(
      hasty.rows(sql`update trial.notes set words = 'mine' where id = 30`),
      isDatabaseOutage,
    );
  });
  const dawdling = hasty.transaction(async (tx) => {
    await tx.rows(sql`select 1`);
    await new Promise((resolve) => setTimeout(resolve, 300));
    await tx.rows(sql`select 1`);
  });
  await assert.rejects(dawdling, isDatabaseOutage);
  assert.equal((await hasty.one<{ one: number }>(sql`select 1 as one`)).one, 1);
  await hasty.close();
});

test('counts only calls that no unused connection is for as waiting', async () => {
  const single = openDatabase({ url: appUrl, connectionsMax: 1 });
  await single.one(sql`select 1`);
  const first = single.one(sql`select pg_sleep(0.2)`);
  assert.equal(single.connectionCounts().waiting, 0);
  await new Promise((resolve) => setImmediate(resolve));
  const second = single.one(sql`select 1`);
  assert.deepEqual(single.connectionCounts(), { used: 1, unused: 0, waiting: 1 });
  await Promise.all([first, second]);
  await single.close();
});

test('reports a lost connection as an outage and replaces it', async () => {
  const heard: Error[] = [];
  const fragile = openDatabase({
    url: appUrl,
    applicationName: 'fragile',
    connectionsMax: 1,
    onError: (error) => heard.push(error),
  });
  const terminate = sql`
    select pg_terminate_backend(pid, 1000) from pg_stat_activity where application_name = 'fragile'`;
  const worker = openDatabase({ url: appUrl });
  await fragile.one(sql`select 1`);
  await worker.rows(terminate);
  for (let waited = 0; heard.length === 0 && waited < 2000; waited += 20) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.equal(heard.length, 1);
  const cut = fragile.rows(sql`select pg_sleep(10)`);
  const isCut = assert.rejects(cut, isDatabaseOutage);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await worker.rows(terminate);
  await isCut;
  assert.equal((await fragile.one<{ one: number }>(sql`select 1 as one`)).one, 1);
  await Promise.all([fragile.close(), worker.close()]);
});

test('counts an unreachable database as an outage', async () => {
  const absent = openDatabase({ url: 'postgresql://nobody:secret@127.0.0.1:1/nowhere' });
  await assert.rejects(absent.rows(sql`select 1`), isDatabaseOutage);
  await absent.close();
});

test('lets the worker create its own tables and denies it the books', async () => {
  const worker = openDatabase({ url: workerUrl });
  const { role } = await worker.one<{ role: string }>(sql`select current_user::text as role`);
  assert.equal(role, 'earnest_worker');
  await worker.rows(sqlText('create schema queue'));
  await worker.rows(sqlText('create table queue.jobs ()'));
  await assert.rejects(worker.rows(sql`select from ledger.wallets`), (error) => sqlState(error) === '42501');
  await worker.close();
});
