import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, randomRegtestAddress } from '../../test/litecoind.ts';
import {
  approve,
  nodeOn,
  pay,
  referenceOf,
  request,
  startNode,
  startSite,
  stateOf,
  takeNote,
} from '../../test/restored-site.ts';
import { backUp, faultsOfBooks, sweepNow } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { settle } from './payout-acts.ts';
import { readRestoreState } from './payout-list.ts';
import { examineWithdrawal } from './quotes.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { clearRequest } from './request-checks.ts';

/** Each hold after a restore is printed by `reconcile` with its way out, and each way out can be gone. */
const skip = litecoindMissing();
const [pointsInCheck, inCheck] = [{ code: 'points-in-check' }, { code: 'withdrawal-in-check' }];
const isComplete = (lines: readonly string[], ...parts: string[]) =>
  lines.some((line) => parts.every((part) => line.includes(part)));

/** A request that was paid after the backup, on a node of the restored copy. */
async function paidAfterBackup(t: TestContext, knows: 'the markers' | 'the record') {
  const site = await startSite();
  const { world } = site;
  const memberId = await world.member(2_000n);
  const id = await request(world, memberId);
  const backup = await backUp(t, world);
  await approve(world, id);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const node = nodeOn(t, await backup.restore(), knows);
  await startNode(node);
  const by = { platform: node.parts, operatorId: node.operator, id, reason: 'Looked up' };
  return { ...site, node, id, memberId, reference, by };
}

test('a payment of nobody known is told and noted also while a check names it', { skip }, async (t) => {
  const { node, id, reference } = await paidAfterBackup(t, 'the markers');
  const other = await request(node, await node.member(2_000n));
  await assert.rejects(approve(node, other), pointsInCheck);
  const { lines } = await reconcilePayouts(node.parts);
  assert(isComplete(lines, reference, `request ${id} may be paid by it`));
  assert(isComplete(lines, 'no request of anybody is paid', 'reconcile --noted REASON'));
  const { unaccounted, unaccountedCount, checkedCount } = await readRestoreState(node.database);
  assert.deepEqual([unaccountedCount, checkedCount, unaccounted[0]?.advice], [1, 1, 'checked']);
  await takeNote(node, 'An operator asked for it, and is away');
  await approve(node, other);
  await assert.rejects(approve(node, id), inCheck, 'its own check stays');
  assert.equal((await readRestoreState(node.database)).unaccountedCount, 0);
});

test('a payment is told also while another member’s request is checked for it', { skip }, async (t) => {
  const { world } = await startSite();
  const [payee, other] = [await world.member(2_000n), await world.member(2_000n)];
  const address = randomRegtestAddress();
  const asked = await request(world, other, address);
  const backup = await backUp(t, world);
  const { id, reference } = await pay(world, payee, address);
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  await assert.rejects(approve(node, asked), inCheck);
  const late = await request(node, payee);
  await assert.rejects(approve(node, late), pointsInCheck);
  const { lines } = await reconcilePayouts(node.parts);
  assert(isComplete(lines, reference, `revoke --key paid-${id} ${payee} 2000`));
  await revokeByCommand(node.parts, [String(payee), '2000', 'Paid before'], `paid-${id}`);
  await assert.rejects(approve(node, late), { code: 'member-in-debt' });
  await clearRequest({
    platform: node.parts,
    operatorId: node.operator,
    id: asked,
    reason: 'An exchange address',
    shown: [reference],
  });
  await approve(node, asked);
});

test('a check ends also if the coin node is gone for good after the comparison', { skip }, async (t) => {
  const { node, id, reference, by, disconnect } = await paidAfterBackup(t, 'the markers');
  await disconnect(node);
  const shown = [reference];
  await assert.rejects(clearRequest({ ...by, shown }), { code: 'payout-unavailable' });
  const { lines } = await reconcilePayouts(node.parts);
  assert(isComplete(lines, 'reconcile --give-up litecoin REASON'));
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'The node is lost')).isDone, true);
  await clearRequest({ ...by, shown });
  await assert.rejects(approve(node, id), pointsInCheck, 'of nobody known');
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'Again')).isDone, false);
});

test('a request is settled by the record also if its method has no account any more', { skip }, async (t) => {
  const { node, id, reference, by } = await paidAfterBackup(t, 'the record');
  await node.owner.rows(sql`update withdrawals.methods set sealed_credentials = null`);
  await assert.rejects(settle({ ...by, reference }), { code: 'payout-unavailable' });
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'Never again', true)).isDone, true);
  await settle({ ...by, reference });
  assert.equal(await stateOf(node, id), 'confirmed');
  assert.deepEqual(await faultsOfBooks(node), []);
});

test('a method that can’t be compared is told with its way out, and that all wait for it', {
  skip,
}, async (t) => {
  const { world, disconnect } = await startSite(['litecoin', 'dash']);
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  await pay(world, await world.member(2_000n));
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  const { lines } = await reconcilePayouts(node.parts);
  assert(isComplete(lines, 'until dash is compared', 'any method', 'reconcile --give-up dash REASON'));
  const late = await request(node, memberId);
  const { trouble } = await examineWithdrawal(node.parts, node.operator, late);
  assert.match(trouble ?? '', /which waits for a comparison: dash\./);
  await giveUpComparison(node.parts, 'dash', 'Never used');
  assert.equal((await examineWithdrawal(node.parts, node.operator, late)).trouble, null);
  await disconnect(node);
  const after = await reconcilePayouts(node.parts);
  assert(!isComplete(after.lines, '--give-up'), 'nothing waits for the node');
});
