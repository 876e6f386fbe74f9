import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { after, test } from 'node:test';
import pino from 'pino';
import { sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import { ask, connectLitecoin, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { readPayout } from './payout-list.ts';
import { sweepPayouts } from './payouts.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/** An operator's pause of all payouts. */
const world = await startWorld({ after });
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { owner, parts, database, operator } = world;
const PAUSED = 'Payouts are paused by an operator. Nothing is signed or sent until they are resumed.';

const approved = async () => {
  const address = node.foreignAddress();
  const { id } = await ask(world, await world.member(2_000n), 2_000n, address);
  await approveWithdrawal(parts, operator, id);
  return { id, address };
};
const setPaused = (payoutsPaused: boolean) =>
  changeSettings(database, 'sandbox', { payoutsPaused }, operator);
const payoutOf = (id: string) =>
  owner.one<{ state: string; trouble: string | null }>(
    sql`select state, trouble from withdrawals.payouts where withdrawal_id = ${id}`,
  );
/** A payment of the record that names this withdrawal, and that no list shows. */
const nameBy = (reference: string, id: string) =>
  owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
      withdrawal_id, member_id, points)
    select method, ${reference}, destination, 1, now(), now(), id, member_id, amount_points
    from withdrawals.withdrawals where id = ${id}`);
const stopOf = (part: string) => parts.health.stops().find(({ name }) => name === part)?.trouble;

test('signs and sends nothing while payouts are paused, follows what was sent, and goes on after', async () => {
  const sent = await approved();
  await sweepNow(world);
  const stored = await approved();
  await storeUnsent(parts, stored.id);
  await setPaused(true);
  const queued = [];
  for (let count = 0; count < 4; count += 1) queued.push(await approved());
  await node.mine(6);
  await sweepNow(world);
  assert.equal(stopOf('payouts-paused'), PAUSED);
  assert.deepEqual(await payoutOf(stored.id), { state: 'signed', trouble: null });
  for (const { id } of queued) assert.deepEqual(await payoutOf(id), { state: 'queued', trouble: null });
  for (const { id } of [stored, ...queued]) {
    const { trouble, isTroubled } = await readPayout(database, id);
    assert.deepEqual([trouble, isTroubled], [PAUSED, false]);
    assert.equal((await readWithdrawal(database, id)).payoutObstacle, 'paused');
  }
  for (const { address } of [stored, ...queued]) assert.deepEqual(await node.outputsTo(address), []);
  assert.equal((await payoutOf(sent.id)).state, 'confirmed');

  await setPaused(false);
  await sweepNow(world);
  assert.equal(stopOf('payouts-paused'), undefined);
  for (const { id, address } of [stored, ...queued]) {
    assert.deepEqual(await payoutOf(id), { state: 'broadcast', trouble: null });
    assert.equal((await node.outputsTo(address)).length, 1);
  }
});

test('leaves each pause and its end in the audit trail', async () => {
  const acts = await owner.rows<{ act: string; after: unknown }>(sql`
    select act, after from platform.acts where operator_id = ${operator} and target_kind = 'site' order by id`);
  assert.deepEqual(acts, [
    { act: 'payouts.pause', after: { payoutsPaused: true } },
    { act: 'payouts.resume', after: { payoutsPaused: false } },
  ]);
});

test('does not send a parked payment while payouts are paused', async () => {
  const parked = await approved();
  await storeUnsent(parts, parked.id);
  await owner.rows(sql`
    update withdrawals.payouts set state = 'parked', trouble = 'refused' where withdrawal_id = ${parked.id}`);
  await setPaused(true);
  await sweepNow(world);
  assert.deepEqual(await node.outputsTo(parked.address), []);
  assert.deepEqual(await payoutOf(parked.id), { state: 'parked', trouble: 'refused' });
  assert.equal((await readWithdrawal(database, parked.id)).payoutObstacle, 'troubled');
  await setPaused(false);
  await sweepPayouts(parts);
  await sweepNow(world);
  assert.equal((await payoutOf(parked.id)).state, 'broadcast');
});

test('names no debt of a member that ended while payouts are paused', async () => {
  const member = await world.member(2_000n);
  const { id } = await ask(world, member, 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  await owner.rows(sql`
    select ledger.post_one(${member}, ${`reversal:${member}`}, 'reversal', -500, 'operator', 'x', null, null, true)`);
  await setPaused(true);
  await sweepNow(world);
  assert.match((await readPayout(database, id)).trouble ?? '', /^The member’s balance is below zero\./);
  await world.grant(member, 500n);
  await sweepNow(world);
  const { trouble, isTroubled } = await readPayout(database, id);
  assert.deepEqual([trouble, isTroubled], [PAUSED, false]);
  await setPaused(false);
  await sweepNow(world);
  assert.equal((await payoutOf(id)).state, 'broadcast');
});

test('keeps the reason that a payout had before a pause, and logs only the begin and the end', async () => {
  const { id } = await approved();
  await owner.rows(sql`
    update withdrawals.payouts set trouble = 'The node is not reachable.' where withdrawal_id = ${id}`);
  await setPaused(true);
  const lines: string[] = [];
  const written = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  const log = pino({ level: 'info' }, written);
  const logged = { ...world, parts: { ...parts, log, health: createHealth(log) } };
  for (let turn = 0; turn < 3; turn += 1) await sweepNow(logged);
  const { trouble, isTroubled } = await readPayout(database, id);
  assert.deepEqual([trouble, isTroubled], ['The node is not reachable.', true]);
  assert.equal((await readWithdrawal(database, id)).payoutObstacle, 'troubled');
  const saysPaused = () => lines.filter((line) => line.includes('payouts-paused'));
  assert.equal(saysPaused().length, 1, lines.join(''));
  assert.deepEqual(
    lines.filter((line) => line.includes(id)),
    [],
    'no line of the payout',
  );
  await setPaused(false);
  assert.equal((await payoutOf(id)).trouble, 'The node is not reachable.', 'after the end');
  await sweepNow(logged);
  assert.equal(saysPaused().length, 2);
  assert.deepEqual(await payoutOf(id), { state: 'broadcast', trouble: null });
});

test('parks a payout that an unnoted payment names also while payouts are paused', async () => {
  const member = await world.member(2_000n);
  const { id } = await ask(world, member, 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  await setPaused(true);
  await sweepNow(world);
  assert.deepEqual(await payoutOf(id), { state: 'queued', trouble: null });
  await nameBy('named', id);
  await sweepNow(world);
  const named = await payoutOf(id);
  assert.equal(named.state, 'parked');
  assert.match(named.trouble ?? '', /named/);
  await owner.rows(sql`update withdrawals.unaccounted_payments set seen_at = now()`);
  await setPaused(false);
});

test('keeps a reason of a named payout that can’t be compared while payouts are paused', async () => {
  const member = await world.member(2_000n);
  const { id } = await ask(world, member, 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  await owner.rows(sql`
    select ledger.post_one(${member}, ${`reversal:${member}`}, 'reversal', -500, 'operator', 'x', null, null, true)`);
  await node.mine(6);
  await sweepNow(world);
  assert.match((await payoutOf(id)).trouble ?? '', /^The member’s balance is below zero\./);
  await nameBy('unlisted', id);
  await connectLitecoin(world, { ...node.access, port: 1 });
  await setPaused(true);
  await sweepNow(world);
  assert.match((await payoutOf(id)).trouble ?? '', /^The node is not reachable/);
  await connectLitecoin(world, node.access);
  await sweepNow(world);
  assert.equal((await payoutOf(id)).state, 'parked');
  await setPaused(false);
});
