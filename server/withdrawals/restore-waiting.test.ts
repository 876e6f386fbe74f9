import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { readRestoreState } from './payout-list.ts';

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
