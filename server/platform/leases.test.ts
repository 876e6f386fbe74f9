import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { testDatabase } from '../../test/database.ts';
import { openDatabase, sql } from './database.ts';
import { createHealth } from './health.ts';
import { checkLease, findHolder, processName, processOf, readLeases, takeLease } from './leases.ts';
import { createLog } from './log.ts';

const { database, owner, appUrl } = await testDatabase({ after });
const parts = { database, log: createLog(), health: createHealth(createLog('silent')) };

/** As after the time of the lease. */
const expire = (name: string) =>
  owner.rows(sql`update platform.leases set expires_at = clock_timestamp() where name = ${name}`);
const isHeldInDatabase = (lease: { name: string; token: bigint }) =>
  database.transaction((tx) => checkLease(tx, lease));

test('gives a lease to one holder at a time, and again after its release', async () => {
  const takers = await Promise.all(Array.from({ length: 8 }, () => takeLease(parts, 'one')));
  const [first, ...others] = takers.filter((lease) => lease !== undefined);
  assert.ok(first);
  assert.deepEqual(others, []);
  assert.ok(first.isHeld());
  assert.ok(await isHeldInDatabase(first));
  const other = await takeLease(parts, 'other');
  assert.ok(other);
  await first.release();
  assert.equal(first.isHeld(), false);
  assert.equal(await isHeldInDatabase(first), false);
  const second = await takeLease(parts, 'one');
  assert.ok(second);
  assert.ok(second.token > first.token, 'a token is never used twice');
  await Promise.all([second.release(), other.release()]);
});

test('gives a lease for 15 s by the clock of the database', async () => {
  const lease = await takeLease(parts, 'timed');
  assert.ok(lease);
  const { seconds } = await owner.one<{ seconds: number }>(sql`
    select extract(epoch from expires_at - clock_timestamp())::float8 as seconds
    from platform.leases where name = 'timed'`);
  assert.ok(seconds > 9 && seconds <= 15, String(seconds));
  await lease.release();
});

test('gives an expired lease to another holder, and tells the former one within a renewal', async () => {
  let lostCount = 0;
  const onLost = () => {
    lostCount += 1;
  };
  const former = await takeLease(parts, 'expiring', { onLost });
  assert.ok(former);
  await expire('expiring');
  assert.equal(await isHeldInDatabase(former), false);
  const next = await takeLease(parts, 'expiring', { place: 'the next' });
  assert.ok(next);
  assert.equal(await isHeldInDatabase(former), false, 'the former token stays invalid');
  await sleep(6_000);
  assert.equal(former.isHeld(), false);
  assert.equal(lostCount, 1);
  await former.release();
  assert.ok(await isHeldInDatabase(next), 'a late release frees nothing');
  assert.ok(next.isHeld());
  await next.release();
});

test('renews a lease for as long as its holder runs', async () => {
  const lease = await takeLease(parts, 'long');
  assert.ok(lease);
  await owner.rows(sql`
    update platform.leases set expires_at = clock_timestamp() + interval '7 seconds' where name = 'long'`);
  await sleep(9_000);
  assert.ok(lease.isHeld());
  assert.ok(await isHeldInDatabase(lease));
  assert.equal(await takeLease(parts, 'long'), undefined);
  await lease.release();
});

test('renews a lease every 5 s', async () => {
  const lease = await takeLease(parts, 'renewed');
  assert.ok(lease);
  const readEnd = async () =>
    Number(
      (
        await owner.one<{ end: string }>(sql`
        select extract(epoch from expires_at)::text as end from platform.leases where name = 'renewed'`)
      ).end,
    );
  const ends = new Set([await readEnd()]);
  for (let tries = 0; tries < 120 && ends.size < 3; tries += 1) {
    await sleep(100);
    ends.add(await readEnd());
  }
  const [first = 0, second = 0, third = 0] = ends;
  for (const seconds of [second - first, third - second])
    assert.ok(seconds > 4 && seconds < 6, String([...ends]));
  await lease.release();
});

test('takes a lease that a clock wrote hours ahead, because its holder may have ended', async () => {
  const former = await takeLease(parts, 'ahead');
  assert.ok(former);
  await owner.rows(sql`
    update platform.leases set expires_at = clock_timestamp() + interval '55 minutes' where name = 'ahead'`);
  assert.equal(await findHolder(database, 'ahead'), undefined);
  assert.equal((await readLeases(database)).find(({ name }) => name === 'ahead')?.isHeld, false);
  assert.equal(await isHeldInDatabase(former), false, 'and its holder writes nothing by it');
  const shown = await database.rows(sql`select name from platform.held_leases where name = 'ahead'`);
  assert.deepEqual(shown, [], 'and no operator reads that it is held');
  const next = await takeLease(parts, 'ahead', { place: 'the next' });
  assert.ok(next);
  assert.equal(await isHeldInDatabase(former), false);
  assert.ok(await isHeldInDatabase(next));
  await Promise.all([former.release(), next.release()]);
});

test('keeps a lease during a transaction that has checked it', async () => {
  const lease = await takeLease(parts, 'checked');
  assert.ok(lease);
  const order: string[] = [];
  let next: ReturnType<typeof takeLease> | undefined;
  await database.transaction(async (tx) => {
    assert.ok(await checkLease(tx, lease));
    next = takeLease(parts, 'checked', { endedHolder: processName });
    void next.then(() => order.push('taken'));
    await sleep(300);
    order.push('committed');
  });
  const taken = await next;
  assert.deepEqual(order, ['committed', 'taken']);
  await Promise.all([lease.release(), taken?.release()]);
});

test('takes the lease of a holder that is known to have ended, and of no other', async () => {
  const held = await takeLease(parts, 'ended', { place: 'machine /data a' });
  assert.ok(held);
  const holder = (await findHolder(database, 'ended')) ?? '';
  assert.deepEqual(processOf(holder), { host: hostname(), pid: process.pid, place: 'machine /data a' });
  assert.equal(await takeLease(parts, 'ended', { endedHolder: `${holder} b` }), undefined);
  const taken = await takeLease(parts, 'ended', { endedHolder: holder });
  assert.ok(taken);
  await Promise.all([held.release(), taken.release()]);
  assert.equal(await findHolder(database, 'ended'), undefined);
});

test('takes no lease whose name is not the one of metrics and health', async () => {
  const health = createHealth(createLog('silent'));
  await assert.rejects(takeLease({ ...parts, health }, 'only node'), /violates check constraint/);
});

test('reports a lease that nobody can take, and that it is well once somebody holds it', async () => {
  const names = () => parts.health.troubles().map(({ name }) => name);
  const release = Promise.withResolvers<void>();
  await owner.rows(sql`insert into platform.leases values ('garden-gate', 'a', 1, now(), '-infinity')`);
  const locked = owner.transaction(async (tx) => {
    await tx.rows(sql`select from platform.leases where name = 'garden-gate' for update`);
    await release.promise;
  });
  const hasty = openDatabase({ url: `${appUrl}?options=-c%20lock_timeout=200`, connectionsMax: 1 });
  await assert.rejects(takeLease({ ...parts, database: hasty }, 'garden-gate'), /lock timeout/);
  assert.deepEqual(names(), ['lease-garden-gate']);
  release.resolve();
  await locked;
  const lease = await takeLease(parts, 'garden-gate');
  assert.ok(lease);
  assert.deepEqual(names(), []);
  assert.equal(await takeLease(parts, 'garden-gate'), undefined);
  assert.deepEqual(names(), [], 'a lease that somebody else holds is no trouble');
  await Promise.all([lease.release(), hasty.close()]);
});

test('reports a lease that can’t be renewed, and no more once it is given back', async () => {
  const isReported = () => parts.health.troubles().some(({ name }) => name === 'lease-slow');
  const hasty = openDatabase({ url: `${appUrl}?options=-c%20lock_timeout=50`, connectionsMax: 1 });
  const lease = await takeLease({ ...parts, database: hasty }, 'slow', { lastsMs: 300 });
  assert.ok(lease);
  await owner.transaction(async (tx) => {
    await tx.rows(sql`select from platform.leases where name = 'slow' for update`);
    while (!isReported()) await sleep(20);
  });
  await lease.release();
  assert.equal(isReported(), false);
  await hasty.close();
});
