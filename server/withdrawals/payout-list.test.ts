import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Sql, sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, connectLitecoin, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { readPayout } from './payout-list.ts';

/** Operators read why a payout is not done, and whether that is a fault. */
const world = await startWorld({ after }, ['litecoin']);
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { owner, parts, database, operator } = world;

const approved = async (payoutDelaySeconds = 0) => {
  await changeSettings(database, 'sandbox', { payoutDelaySeconds });
  const { id } = await ask(world, await world.member(2_000n), 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  return id;
};
const change = (id: string, changed: Sql) =>
  owner.rows(sql`update withdrawals.payouts set ${changed} where withdrawal_id = ${id}`);
const reasonOf = async (id: string) => {
  const { state, trouble, isTroubled } = await readPayout(database, id);
  return [state, trouble, isTroubled];
};

test('says the reason of a payout in the ordinary course without calling it trouble', async () => {
  const delayed = await approved(600);
  const { trouble, troubleAt, isTroubled, dueAt } = await readPayout(database, delayed);
  assert.deepEqual(
    [trouble, isTroubled],
    ['It is prepared after the time in which its approval can be taken back.', false],
  );
  assert.equal(troubleAt, dueAt);
  assert.ok(Math.abs(Date.parse(dueAt) - Date.now() - 600_000) < 60_000, dueAt);
  const id = await approved();
  assert.deepEqual(await reasonOf(id), ['queued', 'It waits for its turn.', false]);
  await sweepNow(world);
  assert.deepEqual(await reasonOf(id), ['broadcast', 'It was sent and is not final yet.', false]);
  assert.equal((await readPayout(database, id)).troubleAt, null);
  await node.mine(6);
  await sweepNow(world);
  assert.deepEqual(await reasonOf(id), ['confirmed', null, false]);
});

test('calls a payout troubled that is late, has a fault, is parked, or was stopped', async () => {
  const faults: [changed: Sql, reason: RegExp][] = [
    [sql`due_at = due_at - interval '1 minute'`, /^It waits for its turn\.$/],
    [sql`trouble = 'The node is not reachable.'`, /^The node is not reachable\.$/],
    [sql`state = 'parked'`, /^It is parked and is looked at again\.$/],
    [sql`halted_by = ${operator}, halt_reason = 'Wrong person'`, /^An operator stopped this payout/],
  ];
  for (const [changed, reason] of faults) {
    const id = await approved();
    await change(id, changed);
    const { trouble, isTroubled, troubleAt } = await readPayout(database, id);
    assert.match(trouble ?? '', reason);
    assert.deepEqual([isTroubled, troubleAt], [true, null], trouble ?? '');
  }
});
