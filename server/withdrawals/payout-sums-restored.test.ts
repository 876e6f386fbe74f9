import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import {
  ask,
  backUp,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { keepPaidDays } from './days.ts';
import { readPaidDays } from './days-queries.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, retryPayout, settle } from './payout-acts.ts';
import { readPayout, readPayoutTotals } from './payout-list.ts';

/** The kept sums of payouts, and what was paid by day, equal the payouts, whatever became of each of them. */
let world = await startWorld({ after }, ['litecoin']);
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(110);

const requested = async (points: bigint) =>
  (await ask(world, await world.member(points), points, node.foreignAddress())).id;
const approved = async (points: bigint) => {
  const id = await requested(points);
  await approveWithdrawal(world.parts, world.operator, id);
  return id;
};
const act = (id: string, reason: string) => ({
  platform: world.parts,
  operatorId: world.operator,
  id,
  reason,
});
const pay = async () => {
  await sweepNow(world);
  await node.mine(6);
  await sweepNow(world);
};
const park = (id: string) =>
  world.owner.rows(sql`
    update withdrawals.payouts set state = 'parked', trouble = 'The wallet is short.' where withdrawal_id = ${id}`);

/** The kept figures and those of the payouts themselves, by state and by day. */
async function figuresOf({ database, owner }: World) {
  const rows = await owner.rows<{ method: string; state: string; count: bigint; points: string }>(sql`
    select p.method, p.state, count(*) as count, sum(w.amount_points)::text as points
    from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
    group by p.method, p.state order by p.method, p.state`);
  const days = await owner.rows<{ method: string; day: string; payoutCount: bigint; points: string }>(sql`
    select p.method, platform.site_day(p.finished_at)::text as day, count(*) as "payoutCount",
      sum(w.amount_points)::text as points
    from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
    where p.state = 'confirmed' group by 1, 2 order by 2, 1`);
  return {
    kept: { totals: await readPayoutTotals(database), days: await readPaidDays(database, '2000-01-01') },
    expected: { totals: rows.map(({ count, ...row }) => ({ ...row, count: Number(count) })), days },
  };
}

/** Compares the figures, before and after the sweep that keeps them, and returns the states. */
async function statesOf(at: World) {
  const before = await figuresOf(at);
  assert.deepEqual(before.kept.totals, before.expected.totals);
  await keepPaidDays(at.database);
  const { kept, expected } = await figuresOf(at);
  assert.deepEqual(kept, expected);
  assert.deepEqual(await faultsOfBooks(at), []);
  return Object.fromEntries(kept.totals.map(({ state, count, points }) => [state, `${count} ${points}`]));
}

test('agree while one is paid on another day, one fails, and one is tried again', async () => {
  const first = await approved(2_000n);
  await pay();
  await world.owner.rows(sql`
    update withdrawals.payouts set finished_at = finished_at - interval '1 day' where withdrawal_id = ${first}`);
  const failing = await approved(3_000n);
  await failPayout(act(failing, 'Not wanted any more'));
  const retried = await approved(4_000n);
  await park(retried);
  assert.deepEqual(await statesOf(world), { confirmed: '1 2000', failed: '1 3000', parked: '1 4000' });
  await retryPayout(act(retried, 'The wallet was filled'));
  assert.deepEqual(await statesOf(world), { confirmed: '1 2000', failed: '1 3000', queued: '1 4000' });
  await pay();
  assert.deepEqual(await statesOf(world), { confirmed: '2 6000', failed: '1 3000' });
  assert.equal((await readPaidDays(world.database, '2000-01-01')).length, 2);
});

test('agree after a restore of an older copy, and after another amount was accepted', async (t) => {
  const id = await requested(2_500n);
  const kept = await approved(1_500n);
  const backup = await backUp(t, world);
  await approveWithdrawal(world.parts, world.operator, id);
  await sweepNow(world);
  const paid = await readPayout(world.database, id);
  assert.ok(paid.txId);
  await node.mine(6);
  await sweepNow(world);
  assert.deepEqual(await statesOf(world), { confirmed: '4 10000', failed: '1 3000' });
  const { txId } = await readPayout(world.database, kept);
  assert.ok(txId);

  world = await backup.restore();
  assert.deepEqual(await statesOf(world), { confirmed: '2 6000', failed: '1 3000', queued: '1 1500' });
  world.rates.body = '{"litecoin":{"usd":80.1},"dash":{"usd":25}}';
  await world.owner.rows(sql`delete from withdrawals.rates`);
  await approveWithdrawal(world.parts, world.operator, id);
  await sweepNow(world);
  const approvedAgain = await readPayout(world.database, id);
  assert.equal(approvedAgain.state, 'parked');
  assert.notEqual(approvedAgain.coinAmount, paid.coinAmount);
  assert.deepEqual(await statesOf(world), { confirmed: '2 6000', failed: '1 3000', parked: '2 4000' });
  await settle({
    ...act(id, 'It was paid before the restore'),
    reference: paid.txId,
    acceptedAmount: paid.coinAmount,
  });
  await settle({ ...act(kept, 'It was paid before the restore'), reference: txId });
  await pay();
  assert.equal((await readPayout(world.database, id)).coinAmount, paid.coinAmount);
  assert.deepEqual(await statesOf(world), { confirmed: '4 10000', failed: '1 3000' });
});
