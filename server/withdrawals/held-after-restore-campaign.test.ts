import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import {
  approve,
  chain,
  nodeOn,
  pay,
  referenceOf,
  request,
  startNode,
  startSite,
  stateOf,
  stopOf,
  takeNote,
} from '../../test/restored-site.ts';
import { backUp, sweepNow } from '../../test/withdrawals-world.ts';
import { retryPayout, undoApproval } from './payout-acts.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** A payment of an unknown member holds all that is not signed, whatever was done about it in the copy. */
const pointsInCheck = { code: 'points-in-check' };

test('an approval of the copy that is retried waits for a payment of an unknown member', async (t) => {
  const { world } = await startSite();
  const memberId = await world.member(4_000n);
  const address = randomRegtestAddress();
  const early = await request(world, memberId, address);
  await approve(world, early);
  await chain(world);
  const backup = await backUp(t, world);
  await undoApproval(world.parts, world.operator, early);
  await cancelWithdrawal(world.parts, memberId, early);
  const { reference } = await pay(world, memberId, address, 1_000n);
  await pay(world, memberId, randomRegtestAddress(), 3_000n);
  await chain(world);
  const node = nodeOn(t, await backup.restore(), 'the markers');
  await startNode(node);
  assert.equal(await stateOf(node, early), 'parked');
  const act = { platform: node.parts, operatorId: node.operator, id: early, reason: 'Paid 1,000' };
  await retryPayout({ ...act, shown: [reference] });
  await sweepNow(node);
  assert.equal(await stateOf(node, early), 'queued');
  await takeNote(node, 'Looked up on the chain');
  await sweepNow(node);
  assert.equal(await stateOf(node, early), 'broadcast');
});

test('a halted payout of the copy that is retried waits for a payment of an unknown member', async (t) => {
  const { world, connect, disconnect } = await startSite();
  const memberId = await world.member(2_000n);
  const early = await request(world, memberId);
  await approve(world, early);
  await disconnect(world);
  await assert.rejects(undoApproval(world.parts, world.operator, early), { code: 'payout-halted' });
  await chain(world);
  const backup = await backUp(t, world);
  await connect(world);
  await sweepNow(world);
  await cancelWithdrawal(world.parts, memberId, early);
  await pay(world, memberId);
  await chain(world);
  const node = nodeOn(t, await backup.restore(), 'the markers');
  await verifyTimeline(node.parts);
  await sweepNow(node);
  const act = { platform: node.parts, operatorId: node.operator, id: early, reason: 'Right after all' };
  await retryPayout(act);
  await connect(node);
  await sweepNow(node);
  assert.equal(await stateOf(node, early), 'queued');
  assert.equal(await stopOf(node, early), 'points_in_check');
});

test('a request of the copy that was approved waits for a payment that another node finds', async (t) => {
  const { world, connect, disconnect } = await startSite();
  const memberId = await world.member(2_000n);
  const early = await request(world, memberId);
  const backup = await backUp(t, world);
  await cancelWithdrawal(world.parts, memberId, early);
  await pay(world, memberId);
  const copy = await backup.restore();
  const first = nodeOn(t, copy, 'the markers');
  await disconnect(first);
  await startNode(first);
  assert.equal((await giveUpComparison(first.parts, 'litecoin', 'The node is lost')).isDone, true);
  await approve(first, early);
  await connect(first);
  const second = nodeOn(t, copy, 'nothing');
  await startNode(second);
  await sweepNow(second);
  assert.equal(await stateOf(second, early), 'queued');
  await takeNote(second, 'Looked up on the chain');
  await sweepNow(second);
  assert.equal(await stateOf(second, early), 'broadcast');
});

test('whatever was asked for waits while another method is to be compared', async (t) => {
  const { world, connect, disconnect } = await startSite(['litecoin', 'dash']);
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  await pay(world, await world.member(2_000n));
  const copy = await backup.restore();
  const first = nodeOn(t, copy, 'the record');
  await startNode(first);
  await giveUpComparison(first.parts, 'dash', 'Never used');
  await reconcilePayouts(first.parts);
  const late = await request(first, memberId);
  await disconnect(first);
  await approve(first, late);
  const second = nodeOn(t, copy, 'nothing');
  await verifyTimeline(second.parts);
  await connect(second);
  await sweepNow(second);
  await sweepNow(second);
  assert.equal(await stateOf(second, late), 'queued', 'dash is not compared');
  await giveUpComparison(second.parts, 'dash', 'Never used');
  await sweepNow(second);
  assert.equal(await stateOf(second, late), 'broadcast');
});

test('a request waits for a payment of an unknown member whatever the clock said at the restore', async (t) => {
  const { world } = await startSite();
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  await pay(world, memberId);
  for (const hours of [1, -1]) {
    const copy = await backup.restore();
    const node = nodeOn(t, copy, 'the markers');
    await startNode(node);
    await copy.owner.rows(sql`
      update withdrawals.timelines set began_at = began_at + ${hours} * interval '1 hour' where number > 1`);
    await copy.owner.rows(sql`
      update withdrawals.reconciliations set asked_at = asked_at + ${hours} * interval '1 hour',
        done_at = done_at + ${hours} * interval '1 hour'`);
    await copy.owner.rows(sql`
      update withdrawals.unaccounted_payments set found_at = found_at - ${hours} * interval '1 hour'`);
    const late = await request(node, memberId);
    await assert.rejects(approve(node, late), pointsInCheck);
    await takeNote(node, 'Looked up on the chain');
    await approve(node, late);
  }
});

test('a retried payout of the copy is parked again by the record that names it', async (t) => {
  const { world } = await startSite();
  const memberId = await world.member(4_000n);
  const id = await request(world, memberId);
  await approve(world, id);
  const backup = await backUp(t, world);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const copy = await backup.restore();
  const first = nodeOn(t, copy, 'the markers');
  await startNode(first);
  const act = { platform: first.parts, operatorId: first.operator, id, reason: 'An exchange address' };
  await retryPayout({ ...act, shown: [reference] });
  const second = nodeOn(t, copy, 'the record');
  await sweepNow(second);
  await sweepNow(first);
  assert.equal(await stateOf(first, id), 'parked');
  await assert.rejects(retryPayout({ ...act, shown: [reference] }), { code: 'payout-unclear' });
  const next = await request(first, memberId);
  await assert.rejects(approve(first, next), pointsInCheck);
});
