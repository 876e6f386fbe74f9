import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, sql } from '#platform/database.ts';

/**
 * Keeps the newest request of the next act locked, as a node does that decides it. The other requests wait until it is
 * locked. Returns what lets it go, which also the end of the test does: a failed one would keep the process.
 */
export async function stopAtTheNewest(owner: Database, test: TestContext): Promise<() => Promise<void>> {
  await owner.rows(sql`
    create function withdrawals.wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(7);
      return new;
    end $$`);
  await owner.rows(sql`
    create trigger wait_for_test before update on withdrawals.bulk_rows
    for each row execute function withdrawals.wait_for_test()`);
  let isEnded = false;
  const [isReady, isOver] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const session = owner.transaction(async (tx) => {
    await tx.rows(sql`select pg_advisory_lock(7)`);
    isReady.resolve();
    const lockNewest = () =>
      tx.row(sql`
        select place from withdrawals.bulk_rows
        where state = 'waiting' and withdrawal_id = (
          select id from withdrawals.withdrawals where state <> 'rejected' order by queue_number desc limit 1)
        for update`);
    while (!isEnded && (await lockNewest()) === undefined) await sleep(20);
    await tx.rows(sql`select pg_advisory_unlock(7)`);
    await isOver.promise;
  });
  await isReady.promise;
  const letGo = async () => {
    isEnded = true;
    isOver.resolve();
    await session;
  };
  test.after(letGo);
  return letGo;
}

/** Another member uses the address of the oldest pending request. */
export const shareAddressOfOldest = (owner: Database) =>
  owner.rows(sql`
    insert into withdrawals.destinations (member_id, method, destination, first_used_at)
    select m.id, w.method, w.destination, w.created_at
    from (
        select * from withdrawals.withdrawals where state = 'pending' order by queue_number limit 1) w
      cross join lateral (select id from members.members m where m.id <> w.member_id limit 1) m`);

const TRIES_MAX = 500;

/** Returns once a session waits for a row that another one holds. */
export async function waitForLock(owner: Database): Promise<void> {
  const waits = sql`select from pg_locks where locktype = 'transactionid' and not granted limit 1`;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    if ((await owner.row(waits)) !== undefined) return;
    await sleep(20);
  }
  throw new Error('No session waits for a row');
}
