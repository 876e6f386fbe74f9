import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing } from '../../test/litecoind.ts';
import {
  approve,
  nodeOn,
  pay,
  referenceOf,
  request,
  startNode,
  startSite,
  stateOf,
} from '../../test/restored-site.ts';
import { backUp, sweepNow, type World } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { readUnaccountedOfWithdrawal } from './accounted-queries.ts';
import type { Json } from './lossless-json.ts';
import { noteNeverMade } from './notes-command.ts';
import { settle } from './payout-acts.ts';
import { readPayout, readRestoreState } from './payout-list.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { recordSentPayment } from './sent-payments.ts';

/** Payments that the record gives to a withdrawal which has, or had, another payment. */
const skip = litecoindMissing();
const REFERENCE = 'ab'.repeat(32);

/** Adds a line to the record of a node: another payment of the withdrawal. */
async function recordOther(at: World, id: string, reference = REFERENCE): Promise<void> {
  const row = await at.owner.one<{ destination: string }>(sql`
    select destination from withdrawals.withdrawals where id = ${id}`);
  await recordSentPayment(at.parts, { withdrawalId: id, method: 'litecoin', ...row }, reference);
}
const adviceOf = async (at: World, reference: string) => {
  const { unaccounted } = await readRestoreState(at.database);
  return unaccounted.find(({ txId }) => txId === reference);
};
const pointsOf = async (at: World, id: string) =>
  (await readUnaccountedOfWithdrawal(at.owner, id)).map(({ pointsAre }) => pointsAre);
const revoke = (at: World, memberId: number, id: string) =>
  revokeByCommand(at.parts, [String(memberId), '2000', 'Paid'], `paid-${id}`);

test('points that a sent payout of the copy holds are not taken back for its other payment', {
  skip,
}, async (t) => {
  const { world, node: coins } = await startSite();
  const memberId = await world.member(4_000n);
  const id = await request(world, memberId);
  await approve(world, id);
  await sweepNow(world);
  assert.equal(await stateOf(world, id), 'broadcast');
  const backup = await backUp(t, world);
  await recordOther(world, id);
  const node = nodeOn(t, await backup.restore(), 'the record');
  await recordOther(node, await request(node, await node.member(2_000n)), 'cd'.repeat(32));
  await startNode(node);
  await reconcilePayouts(node.parts);
  assert.deepEqual(await pointsOf(node, id), ['held']);
  const shown = await adviceOf(node, REFERENCE);
  assert.deepEqual([shown?.advice, shown?.revocation], ['held', null]);
  assert.match((await revoke(node, memberId, id)).line, /its points are held by request/);

  await coins.mine(1);
  await sweepNow(node);
  assert.equal(await stateOf(node, id), 'confirmed');
  const { txId } = await readPayout(node.database, id);
  const paid = await adviceOf(node, REFERENCE);
  assert.deepEqual([paid?.advice, paid?.paidBy], ['maybe-twice', txId]);
  const { lines } = await reconcilePayouts(node.parts);
  assert(
    lines.some((line) => line.includes(`${paid?.revocation} REASON`) && line.includes(`${txId}, and no`)),
  );
  assert.match((await revoke(node, memberId, id)).line, /has not made this payment/);
  assert.equal((await noteNeverMade(node.parts, REFERENCE, 'Looked up')).isDone, true);
  assert.equal(await adviceOf(node, REFERENCE), undefined);
});

test('a sent payout of a lost wallet is settled by its other payment of the record', { skip }, async (t) => {
  const { world, node: coins } = await startSite();
  const id = await request(world, await world.member(2_000n));
  await approve(world, id);
  await sweepNow(world);
  const backup = await backUp(t, world);
  await recordOther(world, id);
  await pay(world, await world.member(2_000n));
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  const by = { platform: node.parts, operatorId: node.operator, id, reason: 'Looked up' };
  await assert.rejects(settle({ ...by, reference: REFERENCE }), { code: 'payout-unclear' });
  await coins.call('unloadwallet', { wallet_name: 'payouts' });
  await coins.call('createwallet', { wallet_name: 'other' });
  await reconcilePayouts(node.parts, { method: 'litecoin', isLost: true, reason: 'Lost' });
  await settle({ ...by, reference: REFERENCE });
  assert.equal(await stateOf(node, id), 'confirmed');
  assert.equal((await readPayout(node.database, id)).txId, REFERENCE);
});

test('a payment that another one replaced for good is noted by the sweep', { skip }, async (t) => {
  const { world, node: coins } = await startSite();
  const memberId = await world.member(4_000n);
  const address = coins.foreignAddress();
  const id = await request(world, memberId, address);
  const backup = await backUp(t, world);
  const order = { address, amount: '0.02000000', replaceable: true };
  const replaced = String(await coins.call('sendtoaddress', order));
  const { hex } = (await coins.call('gettransaction', { txid: replaced })) as { hex: string };
  const { vin } = (await coins.call('decoderawtransaction', { hexstring: hex })) as { vin: Json[] };
  const outputs = [{ [address]: '0.02000000' }];
  const hexstring = await coins.call('createrawtransaction', { inputs: vin, outputs });
  const signed = (await coins.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
  const { txid } = (await coins.call('decoderawtransaction', { hexstring: signed.hex })) as { txid: string };
  for (const reference of [replaced, txid]) await recordOther(world, id, reference);
  // Shows the restore.
  await pay(world, await world.member(2_000n));
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  assert.deepEqual(await pointsOf(node, id), ['held', 'held']);
  assert.equal((await noteNeverMade(node.parts, replaced, 'Replaced')).isDone, false, 'it is not replaced');
  await coins.call('generateblock', { output: await coins.ownAddress(), transactions: [signed.hex] });
  const by = { platform: node.parts, operatorId: node.operator, id, reason: 'Paid' };
  const acceptedAmount = '0.02000000';
  await assert.rejects(settle({ ...by, reference: replaced, acceptedAmount }), {
    code: 'payment-mismatch',
    message: /took its place/,
  });
  await settle({ ...by, reference: txid, acceptedAmount });
  await sweepNow(node);
  await reconcilePayouts(node.parts);
  assert.equal(await stateOf(node, id), 'confirmed');
  assert.deepEqual(await pointsOf(node, id), []);
  const acts = await node.owner.rows(sql`
    select actor, target from platform.acts where act = 'payout.reconcile' and after ? 'isNeverMade'`);
  assert.deepEqual(acts, [{ actor: 'site', target: replaced }]);
});

test('a payment that was noted as never made is open again once a list has it', { skip }, async (t) => {
  const { world, node: coins, connect } = await startSite();
  const memberId = await world.member(2_000n);
  const id = await request(world, memberId);
  const backup = await backUp(t, world);
  await approve(world, id);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  const fault = await noteNeverMade(node.parts, reference, 'Not found');
  assert.equal(fault.isDone, false);
  await coins.call('unloadwallet', { wallet_name: 'payouts' });
  await coins.call('createwallet', { wallet_name: 'other' });
  const wrong = await noteNeverMade(node.parts, reference, 'Not found');
  assert.match(wrong.lines.join(), /another one than before/, 'the wallet that answers is another one');
  await reconcilePayouts(node.parts, { method: 'litecoin', isLost: true, reason: 'Lost' });
  assert.equal((await noteNeverMade(node.parts, reference, 'Lost')).isDone, true);
  assert.deepEqual(await pointsOf(node, id), []);
  await coins.call('unloadwallet', { wallet_name: 'other' });
  await coins.call('loadwallet', { filename: 'payouts' });
  await connect(node);
  await reconcilePayouts(node.parts, { method: 'litecoin', isLost: true, reason: 'Found again' });
  assert.deepEqual(await pointsOf(node, id), ['held']);
});

test('a payment that has the place of another one holds its member’s points', { skip }, async (t) => {
  const { world, node: coins } = await startSite();
  const memberId = await world.member(2_000n);
  const address = coins.foreignAddress();
  const backup = await backUp(t, world);
  const id = await request(world, memberId, address);
  const order = { address, amount: '0.02000000', replaceable: true };
  const former = String(await coins.call('sendtoaddress', order));
  await recordOther(world, id, former);
  const { hex } = (await coins.call('gettransaction', { txid: former })) as { hex: string };
  const { vin } = (await coins.call('decoderawtransaction', { hexstring: hex })) as { vin: Json[] };
  const outputs = [{ [address]: '0.02000000' }];
  const hexstring = await coins.call('createrawtransaction', { inputs: vin, outputs });
  const signed = (await coins.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
  const { txid } = (await coins.call('decoderawtransaction', { hexstring: signed.hex })) as { txid: string };
  // Shows the restore.
  await pay(world, await world.member(2_000n));
  const node = nodeOn(t, await backup.restore(), 'the record');
  await startNode(node);
  const late = await request(node, memberId);
  await assert.rejects(approve(node, late), { code: 'points-in-check' });
  // The fee is raised after the comparison.
  await coins.call('generateblock', { output: await coins.ownAddress(), transactions: [signed.hex] });
  await coins.mine(6);
  const again = nodeOn(t, node, 'the record');
  await approve(again, await request(again, await again.member(2_000n)));
  await sweepNow(again);
  await assert.rejects(approve(again, late), { code: 'points-in-check' });
  const left = (await readUnaccountedOfWithdrawal(again.owner, id)).map(({ reference }) => reference);
  assert.deepEqual(left, [txid]);
  assert.equal((await adviceOf(again, txid))?.revocation, `revoke --key paid-${id} ${memberId} 2000`);
});
