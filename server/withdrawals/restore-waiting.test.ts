import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { readRestoreState } from './payout-list.ts';
import { countWaitingForRestore } from './restore-queries.ts';

/** What operators read of a restore: how many payouts and requests wait for it, and whose the payments are. */
const world = await startWorld({ after }, ['litecoin']);
const { parts, operator, owner, database } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

test('counts what waits for a comparison, and for the member of a payment that none accounts for', async () => {
  const [paid, other] = [await world.member(3_000n), await world.member(3_000n)];
  const request = async (member: number) => (await ask(world, member, 1_000n, randomRegtestAddress())).id;
  for (const member of [paid, paid, other]) await approveWithdrawal(parts, operator, await request(member));
  for (const member of [paid, other, other]) await request(member);
  const counts = async () => {
    const state = await readRestoreState(database);
    return [state.waitingPayoutCount, state.waitingRequestCount];
  };
  assert.deepEqual(await counts(), [0, 0]);
  const withdrawalId = crypto.randomUUID();
  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
      withdrawal_id, member_id, points)
    values ('litecoin', 'lost', 'elsewhere', 1, now(), now(), ${withdrawalId}, ${paid}, 2000)`);
  assert.deepEqual(await counts(), [2, 1], 'those of its member');
  const [payment] = (await readRestoreState(database)).unaccounted;
  assert.deepEqual(
    [payment?.withdrawalId, payment?.memberId, payment?.points],
    [withdrawalId, String(paid), '2000'],
  );
  await owner.rows(sql`
    insert into withdrawals.reconciliations (method, reason, asked_at) values ('litecoin', 'restore', now())`);
  assert.deepEqual(await counts(), [3, 3], 'all of a method that is not compared');
});

test('counts from the payments towards their members, however many requests wait', async () => {
  const count = 3_000;
  await owner.rows(sql`
    with made as (
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
      select 500000000 + n, 'm' || n || '@x.example', 'm' || n || '@x.example', 'M', 'MANY' || n, '1', now()
      from generate_series(1, ${count}::integer) n returning id)
    select count(ledger.open_wallet(id)) from made`);
  await owner.rows(sql`
    insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
      created_at, state)
    select 500000000 + n, 1, 'litecoin', 'x' || n, 1000, 10, now(), 'pending'
    from generate_series(1, ${count}::integer) n`);
  await owner.rows(sql`update withdrawals.reconciliations set done_at = now()`);
  await owner.rows(sql`analyze`);
  const timeOf = async (read: () => Promise<unknown>) => {
    const times: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      const beganAt = performance.now();
      await read();
      times.push(performance.now() - beganAt);
    }
    return Math.min(...times);
  };
  const ofEachMs = await timeOf(() =>
    owner.rows(sql`
      select count(*) filter (where withdrawals.is_possibly_paid(id)) from withdrawals.withdrawals
      where state = 'pending'`),
  );
  const countedMs = await timeOf(() => countWaitingForRestore(database));
  assert.deepEqual(await countWaitingForRestore(database), { payoutCount: 2, requestCount: 1 });
  assert.ok(countedMs < ofEachMs / 3, `${countedMs} ms, and ${ofEachMs} ms to ask for each request`);
  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at)
    values ('litecoin', 'unnamed', 'elsewhere', 1, now(), now())`);
  assert.deepEqual(
    await countWaitingForRestore(database),
    { payoutCount: 2, requestCount: 1 },
    'not restored',
  );
  assert.ok((await timeOf(() => countWaitingForRestore(database))) < ofEachMs / 3);
  await owner.rows(sql`update withdrawals.reconciliations set done_at = null`);
  assert.deepEqual(await countWaitingForRestore(database), { payoutCount: 3, requestCount: 1_000 });
  assert.ok((await timeOf(() => countWaitingForRestore(database))) < ofEachMs);
});
