import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql, sqlState } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, connectLitecoin, faultsOfBooks, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { keepPaidDays } from './days.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, undoApproval } from './payout-acts.ts';
import { readPayoutTotals } from './payout-list.ts';

/** The numbers and points of payouts by state are kept, and agree with the rows after each step. */
const world = await startWorld({ after }, ['litecoin']);
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(110);
const { owner, parts, database, operator } = world;
const INSUFFICIENT_PRIVILEGE = '42501';

const approved = async (amountPoints = 2_000n) => {
  const { id } = await ask(world, await world.member(amountPoints), amountPoints, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  return id;
};
/** The totals as one line for each state, after it was looked whether they agree with the rows. */
const totals = async () => {
  assert.deepEqual(await faultsOfBooks(world), []);
  const read = await readPayoutTotals(database);
  return read.map(({ method, state, count, points }) => `${method} ${state} ${count} ${points}`);
};
const changeCount = async () =>
  (await owner.one<{ count: bigint }>(sql`select count(*) as count from withdrawals.payout_changes`)).count;

test('follow each payout from its approval to its end', async () => {
  assert.deepEqual(await totals(), []);
  await approved();
  await approved(3_000n);
  assert.deepEqual(await totals(), ['litecoin queued 2 5000']);
  await sweepNow(world);
  assert.deepEqual(await totals(), ['litecoin broadcast 2 5000']);
  await keepPaidDays(database);
  assert.equal(await changeCount(), 0n);
  assert.deepEqual(await totals(), ['litecoin broadcast 2 5000']);
  await node.mine(6);
  await sweepNow(world);
  assert.deepEqual(await totals(), ['litecoin confirmed 2 5000']);
});

test('follow an approval that is taken back, and a payout that is given up', async () => {
  await changeSettings(database, 'sandbox', { payoutDelaySeconds: 600 });
  const undone = await approved();
  await undoApproval(parts, operator, undone);
  assert.deepEqual(await totals(), ['litecoin confirmed 2 5000']);
  await changeSettings(database, 'sandbox', { payoutDelaySeconds: 0 });
  const failed = await approved();
  await failPayout({ platform: parts, operatorId: operator, id: failed, reason: 'Not wanted any more' });
  assert.deepEqual(await totals(), ['litecoin confirmed 2 5000', 'litecoin failed 1 2000']);
});

test('lose nothing while many are approved and the sums are kept at the same time', async () => {
  const ids = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const { id } = await ask(world, await world.member(1_000n), 1_000n, node.foreignAddress());
      return id;
    }),
  );
  await Promise.all([
    ...ids.map((id) => approveWithdrawal(parts, operator, id)),
    ...Array.from({ length: 10 }, () => keepPaidDays(database)),
  ]);
  const expected = ['litecoin confirmed 2 5000', 'litecoin failed 1 2000', 'litecoin queued 20 20000'];
  assert.deepEqual(await totals(), expected);
  await keepPaidDays(database);
  assert.equal(await changeCount(), 0n);
  assert.deepEqual(await totals(), expected);
});

test('are not the application’s to write', async () => {
  for (const change of [
    sql`update withdrawals.payout_sums set payout_count = 0`,
    sql`insert into withdrawals.payout_changes (method, state, payout_count, points) values ('litecoin', 'x', 1, 1)`,
    sql`delete from withdrawals.payout_changes`,
  ])
    await assert.rejects(database.rows(change), (error) => sqlState(error) === INSUFFICIENT_PRIVILEGE);
});
