import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/database.ts';
import { startDatabaseProxy } from '../../test/tcp-proxy.ts';
import { coalesce, READS } from './coalesce.ts';
import { type Database, isDatabaseOutage, isRead, openDatabase, sql } from './database.ts';
import { type WatchLimits, watchDatabase } from './database-watch.ts';
import { createHealth } from './health.ts';
import { createLog } from './log.ts';

const { appUrl, owner } = await testDatabase({ after });
const health = createHealth(createLog('silent'));

/** A watched pool behind a proxy whose connections can be frozen. */
const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
async function watchedPool(connectionsMax: number, limits: Partial<WatchLimits> = {}) {
  const proxy = await startDatabaseProxy({ after: (close) => closers.push(close) }, appUrl);
  const watch = watchDatabase({ url: proxy.url, health, limits });
  const database = openDatabase({ url: proxy.url, connectionsMax, watch });
  closers.push(async () => {
    await watch.close();
    await database.close();
  });
  await Promise.all(Array.from({ length: connectionsMax }, () => database.rows(sql`select pg_sleep(0.02)`)));
  return { database, proxy };
}

/** How a call ended, and after how long. */
async function timed(work: Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const startedAtMs = performance.now();
  const error = await work.then(
    () => undefined,
    (failure) => failure,
  );
  return { ms: performance.now() - startedAtMs, error };
}
const booking = (database: Database, seconds: number) =>
  database.transaction((tx) => tx.rows(sql`select pg_sleep(${seconds})`));
const names = () => health.troubles().map(({ name }) => name);

describe('a call to a database that answers the probe', () => {
  it('may take the time of a read or that of a booking, and frees its connection', async () => {
    const { database } = await watchedPool(1, { readMs: 500, bookingMs: 1_500 });
    const { pid } = await database.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    const read = await timed(database.rows(sql`select pg_sleep(5)`));
    assert.ok(isDatabaseOutage(read.error), String(read.error));
    assert.ok(read.ms > 490 && read.ms < 1_400, String(read.ms));
    const short = await timed(booking(database, 0.9));
    assert.equal(short.error, undefined);
    const patient = await timed(database.patient.rows(sql`select pg_sleep(2)`));
    assert.equal(patient.error, undefined, 'an export has its own time');
    const { timeout } = await database.one<{ timeout: string }>(
      sql`select current_setting('statement_timeout') as timeout`,
    );
    assert.equal(timeout, '10s', 'which ends with its read');
    const long = await timed(booking(database, 5));
    assert.ok(isDatabaseOutage(long.error), String(long.error));
    assert.ok(long.ms > 1_490 && long.ms < 2_400, String(long.ms));
    const next = await database.one<{ pid: number }>(sql`select pg_backend_pid() as pid`);
    assert.notEqual(next.pid, pid, 'a connection that was given up is not used again');
    assert.deepEqual(names(), []);
  });

  it('has 2 s for a read and 10 s for a booking without other limits', async () => {
    const { database } = await watchedPool(2);
    const [read, booked] = await Promise.all([
      timed(database.rows(sql`select pg_sleep(5)`)),
      timed(booking(database, 14)),
    ]);
    assert.ok(isDatabaseOutage(read.error) && isDatabaseOutage(booked.error), String(booked.error));
    assert.ok(read.ms > 1_990 && read.ms < 4_500, String(read.ms));
    assert.ok(booked.ms > 9_990 && booked.ms < 13_500, String(booked.ms));
  });

  it('fails within 3 s on a connection that swallows bytes, also as a booking', async () => {
    const { database, proxy } = await watchedPool(4);
    proxy.freezeOpen();
    const calls = await Promise.all([timed(database.rows(sql`select 1`)), timed(booking(database, 0))]);
    for (const { ms, error } of calls) {
      assert.ok(isDatabaseOutage(error), String(error));
      assert.ok(ms < 3_000, String(ms));
    }
    // The connections that nobody used were frozen too, and are replaced before a call waits for one.
    const next = await Promise.all(Array.from({ length: 4 }, () => timed(database.rows(sql`select 1`))));
    for (const { ms, error } of next) assert.ok(error === undefined && ms < 1_000, String(error));
    assert.deepEqual(names(), []);
  });

  it('may wait for a lock as long as a booking may, because the server works at it', async () => {
    const { database } = await watchedPool(1);
    const [inserted, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = owner.transaction(async (tx) => {
      await tx.rows(sql`insert into platform.leases values ('waited-for', 'a', 1, now(), now())`);
      inserted.resolve();
      await release.promise;
    });
    await inserted.promise;
    const waiting = timed(
      database.rows(sql`
        insert into platform.leases values ('waited-for', 'b', 1, now(), now()) on conflict do nothing`),
    );
    await sleep(2_700);
    release.resolve();
    await held;
    const { error, ms } = await waiting;
    assert.equal(error, undefined);
    assert.ok(ms > 2_500, String(ms));
  });
});

describe('a database that does not answer', () => {
  it('fails waiting calls within 3 s and new ones at once, and serves again when it answers', async () => {
    const { database, proxy } = await watchedPool(3);
    const batch = coalesce({
      ...READS,
      run: (items: number[]) => database.rows(sql`select ${items.length}`),
    });
    proxy.freeze();
    // More calls than connections, so that some wait for a connection.
    const calls = [
      ...Array.from({ length: 8 }, () => database.rows(sql`select 1`)),
      ...Array.from({ length: 4 }, () => booking(database, 0)),
      ...Array.from({ length: 100 }, (_, item) => batch(item)),
    ];
    for (const { ms, error } of await Promise.all(calls.map(timed))) {
      assert.ok(isDatabaseOutage(error), String(error));
      assert.ok(ms < 3_000, String(ms));
    }
    await sleep(500);
    assert.equal(database.isSilent(), true);
    assert.deepEqual(names(), ['database']);
    const refused = await Promise.all([timed(database.rows(sql`select 1`)), timed(booking(database, 0))]);
    for (const { ms, error } of refused) assert.ok(isDatabaseOutage(error) && ms < 50, String(ms));

    proxy.heal();
    const healedAtMs = performance.now();
    while ((await timed(booking(database, 0))).error !== undefined) {
      assert.ok(performance.now() - healedAtMs < 5_000);
      await sleep(50);
    }
    assert.deepEqual(names(), []);
    assert.equal((await timed(database.rows(sql`select 1`))).error, undefined);
  });

  it('leaves the outcome of a commit without an answer open, and does not repeat it', async () => {
    const { database, proxy } = await watchedPool(1);
    let runs = 0;
    const { error, ms } = await timed(
      database.transaction(async (tx) => {
        runs += 1;
        await tx.rows(sql`select 1`);
        proxy.freeze();
      }),
    );
    assert.ok(isDatabaseOutage(error), String(error));
    assert.ok(ms < 3_000, String(ms));
    assert.equal(runs, 1);
  });
});

describe('isRead', () => {
  it('takes no statement that changes anything for a read', async () => {
    for (const text of ['select 1', 'select platform.business_now()', 'with a as (select 1) select * from a'])
      assert.equal(isRead(text), true, text);
    for (const text of [
      'insert into t values (1)',
      'with a as (delete from t returning 1) select * from a',
      'select from t for update',
      'select * from ledger.post($1)',
      'select platform.holds_lease($1, $2)',
    ])
      assert.equal(isRead(text), false, text);
    const writing = await owner.rows(sql`
      select pronamespace::regnamespace::text as schema, proname::text as name from pg_proc
      where provolatile = 'v' and proname ~ '^(read|find|is)_'
        and pronamespace::regnamespace::text not in ('pg_catalog', 'information_schema', 'graphile_worker')`);
    assert.deepEqual(writing, []);
  });
});
