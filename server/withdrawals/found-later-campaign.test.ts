import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { chainActs } from '#platform/act-chain.ts';
import { markerFileOf, recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { takeNote } from '../../test/restored-site.ts';
import { ask, backUp, startWorld, sweepNow, takeUp, type World } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { keepActsMarker } from './acts-marker.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { noteNotOwed } from './notes-command.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { retryPayout, settle, undoApproval } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { findPayout } from './queries.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { nameUnaccounted } from './reconciliation.ts';
import { readReconciliationStart } from './reconciliation-queries.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** Payments of unknown members that are found after a restore, by whatever comparison. */
const world = await startWorld({ after }, ['litecoin']);
const [party, other] = [await vectors.start?.({ after }), await vectors.start?.({ after })];
assert(party && other);
const { credentials } = party;
await changePaymentMethod(world.parts, 'litecoin', { credentials });

const pointsInCheck = { code: 'points-in-check' };
const connect = (at: World, to: object) =>
  changePaymentMethod(at.parts, 'litecoin', { credentials: to as never });
const request = async (at: World, member: number, address = randomRegtestAddress()) =>
  (await ask(at, member, 2_000n, address)).id;
const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
const stateOf = async (at: World, id: string) => (await readPayout(at.database, id)).state;
const referenceOf = async (at: World, id: string): Promise<string> => {
  const { reference } = (await findPayout(at.owner, id)) ?? {};
  assert(reference);
  return reference;
};
/** A turn of the sweep of the audit trail. */
const chain = async ({ parts }: World) => {
  await chainActs(parts);
  await keepActsMarker(parts);
};
const markerOf = (at: World): string => markerFileOf(at.parts.config.dataDir);

// A database without withdrawals is believed also by a node that knows nothing.
await request(world, await world.member(2_000n));

/** A node on a database, with a folder of its own: as it is made, with the markers of the former site, or all. */
function nodeOn(t: TestContext, at: World, knows: 'nothing' | 'the markers' | 'the record'): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  if (knows !== 'nothing') cpSync(world.parts.config.dataDir, dataDir, { recursive: true });
  if (knows === 'the markers') {
    const record = recordFolderOf(dataDir);
    for (const name of readdirSync(record).filter((one) => one.endsWith('.jsonl')))
      rmSync(join(record, name));
  }
  return { ...at, parts: { ...at.parts, config: { ...at.parts.config, dataDir } } };
}

async function startNode(at: World): Promise<void> {
  await verifyTimeline(at.parts);
  await sweepNow(at);
}

/** A payment to a member that was requested, approved and sent after the backup that is restored. */
async function paidAfterBackup(t: TestContext) {
  await takeUp(world);
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  const id = await request(world, memberId);
  await approve(world, id);
  await sweepNow(world);
  return { memberId, reference: await referenceOf(world, id), copy: await backup.restore() };
}

test('a payment of an unknown member that is found after the comparison was given up holds all', async (t) => {
  const { memberId, reference, copy } = await paidAfterBackup(t);
  const node = nodeOn(t, copy, 'the markers');
  await connect(node, { ...credentials, rpcPort: 1 });
  await startNode(node);
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'The node is lost')).isDone, true);
  await connect(node, credentials);
  const late = await request(node, memberId);
  const { lines } = await reconcilePayouts(node.parts);
  assert(lines.some((line) => line.includes(reference)));
  await assert.rejects(approve(node, late), pointsInCheck);
  await reconcilePayouts(node.parts, null, 'Looked up on the chain');
  await approve(node, late);
});

test('what another account paid is compared before anything is paid from it after a restore', async (t) => {
  const site = await startWorld({ after }, ['litecoin']);
  await connect(site, credentials);
  const first = await request(site, await site.member(2_000n));
  await approve(site, first);
  await sweepNow(site);
  await party.settle();
  await sweepNow(site);
  assert.equal(await stateOf(site, first), 'confirmed');
  const memberId = await site.member(2_000n);
  const backup = await backUp(t, site);
  await connect(site, other.credentials);
  const moved = { method: 'litecoin', reason: 'Another wallet' };
  assert.equal((await reconcilePayouts(site.parts, moved)).isComplete, true);
  const paid = await request(site, memberId);
  await approve(site, paid);
  await sweepNow(site);
  const reference = await referenceOf(site, paid);

  const node = nodeOn(t, await backup.restore(), 'nothing');
  await startNode(node);
  await takeNote(node, 'What the former wallet paid before');
  const late = await request(node, memberId);
  await approve(node, late);
  await connect(node, { ...other.credentials, rpcPort: 1 });
  assert.equal((await reconcilePayouts(node.parts, moved)).isComplete, false);
  await connect(node, other.credentials);
  await sweepNow(node);
  assert.equal(await stateOf(node, late), 'queued', 'no sweep pays before the comparison');
  const { lines } = await reconcilePayouts(node.parts);
  assert(lines.some((line) => line.includes(reference)));
  await sweepNow(node);
  assert.equal(await stateOf(node, late), 'queued');
  await reconcilePayouts(node.parts, null, 'Not owed');
  await node.owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
  await sweepNow(node);
  assert.equal(await stateOf(node, late), 'broadcast');
});

test('an approval of the copy is not released or retried beside a payment of an unknown member', async (t) => {
  await takeUp(world);
  const memberId = await world.member(2_000n);
  const early = await request(world, memberId);
  await approve(world, early);
  await chain(world);
  const backup = await backUp(t, world);
  await undoApproval(world.parts, world.operator, early);
  await cancelWithdrawal(world.parts, memberId, early);
  const again = await request(world, memberId);
  await approve(world, again);
  await chain(world);
  await sweepNow(world);
  await chain(world);
  assert.equal(await stateOf(world, again), 'broadcast');
  const node = nodeOn(t, await backup.restore(), 'the markers');
  await startNode(node);
  assert.equal(await stateOf(node, early), 'parked');
  const { lines } = await reconcilePayouts(node.parts, null, null, 'Looked at all');
  assert(lines.some((line) => /^Not released: 1 payout\. A payment of which nobody took note/.test(line)));
  const act = { platform: node.parts, operatorId: node.operator, id: early, reason: 'Right' };
  await assert.rejects(retryPayout(act), pointsInCheck);
  await sweepNow(node);
  assert.equal(await stateOf(node, early), 'parked');
  const noted = await reconcilePayouts(node.parts, null, 'Another member’s', 'Looked at all');
  assert(noted.lines.includes('Released 1 payout that the copy has approved.'));
});

test('a comparison lists from the time when it was asked for, whatever is settled meanwhile', async (t) => {
  await takeUp(world);
  const id = await request(world, await world.member(2_000n));
  await approve(world, id);
  const backup = await backUp(t, world);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const copy = await backup.restore();
  const marker = JSON.parse(readFileSync(markerOf(world), 'utf8'));
  const node = nodeOn(t, copy, 'the markers');
  marker.accounts.litecoin = ['former-account', marker.accounts.litecoin.at(-1)];
  writeFileSync(markerOf(node), JSON.stringify({ ...marker, stamp: crypto.randomUUID() }));
  await copy.owner.rows(sql`update withdrawals.paying_accounts set account = 'former-account'`);
  await copy.owner.rows(sql`
    update withdrawals.withdrawals set created_at = created_at - interval '20 days',
      real_since = real_since - interval '20 days' where id = ${id}`);
  await startNode(node);
  assert.equal(await stateOf(node, id), 'parked');
  const { since } = await readReconciliationStart(copy.database, 'litecoin');
  assert(since.getTime() < Date.now() - 19 * 86_400_000);
  const act = { platform: node.parts, operatorId: node.operator, id, reason: 'Paid' };
  await settle({ ...act, reference });
  assert.deepEqual((await readReconciliationStart(copy.database, 'litecoin')).since, since);
});

test('a payment that was noted before its member was known asks for no second revocation', async (t) => {
  const { memberId, reference, copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  await startNode(first);
  await reconcilePayouts(first.parts);
  await revokeByCommand(first.parts, [String(memberId), '2000', 'Found by the address'], 'by-hand');
  await reconcilePayouts(first.parts, null, 'Revoked by hand');
  await first.grant(memberId, 2_000n);
  const late = await request(first, memberId);
  const second = nodeOn(t, copy, 'the record');
  await nameUnaccounted(second.parts);
  await assert.rejects(approve(first, late), pointsInCheck, 'it may have been noted without a revocation');
  const lineOf = async () =>
    (await reconcilePayouts(second.parts)).lines.filter((line) => line.includes(reference));
  assert.match(
    (await lineOf())[0] ?? '',
    /; printed on \d{4}-\S+ before its member was known\. If .* revoked already: reconcile --not-owed \w+ /,
  );
  assert.equal((await noteNotOwed(second.parts, [reference], 'Revoked by hand')).isDone, true);
  assert.deepEqual(await lineOf(), []);
  await approve(first, late);
});

test('a request that this node has paid is held when the comparison is given up', async (t) => {
  await takeUp(world);
  const memberId = await world.member(5_000n);
  const id = await request(world, memberId);
  const backup = await backUp(t, world);
  await approve(world, id);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const node = nodeOn(t, await backup.restore(), 'the record');
  await connect(node, { ...credentials, rpcPort: 1 });
  await startNode(node);
  const giveUp = (isNoted: boolean) => giveUpComparison(node.parts, 'litecoin', 'The node is lost', isNoted);
  const { isDone, lines } = await giveUp(false);
  assert.equal(isDone, false);
  assert(
    lines.some((line) =>
      line.endsWith(`${reference} was sent; its points are held by request ${id}: nothing to revoke`),
    ),
  );
  const { line } = await revokeByCommand(node.parts, [String(memberId), '2000', 'Paid'], `paid-${id}`);
  assert.match(line, /its points are held by request/);
  assert.equal((await giveUp(true)).isDone, true);
  const inCheck = { code: 'withdrawal-in-check' };
  await assert.rejects(approve(node, id), inCheck);
  await assert.rejects(rejectWithdrawal(node.parts, node.operator, id, 'Paid'), inCheck);
  await connect(node, credentials);
  await settle({
    platform: node.parts,
    operatorId: node.operator,
    id,
    reason: 'Paid before',
    reference,
  });
  await sweepNow(node);
  assert.equal(await stateOf(node, id), 'broadcast');
});

test('what was approved since a restore is held by a payment that another node’s comparison finds', async (t) => {
  const { memberId, copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'the markers');
  await connect(first, { ...credentials, rpcPort: 1 });
  await startNode(first);
  assert.equal((await giveUpComparison(first.parts, 'litecoin', 'The node is lost')).isDone, true);
  const late = await request(first, memberId);
  await approve(first, late);
  await connect(first, credentials);
  const second = nodeOn(t, copy, 'nothing');
  await startNode(second);
  await copy.owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
  await sweepNow(second);
  assert.equal(await stateOf(second, late), 'queued');
  await takeNote(second, 'Looked up on the chain');
  await copy.owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
  await sweepNow(second);
  assert.equal(await stateOf(second, late), 'broadcast');
});
