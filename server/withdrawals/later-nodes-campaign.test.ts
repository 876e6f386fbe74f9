import assert from 'node:assert/strict';
import { after, type TestContext, test } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { approve, chain, nodeOn, request, startNode, stateOf } from '../../test/restored-site.ts';
import { backUp, startWorld, sweepNow, takeUp, type World } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
import { findAct, listRows } from './bulk-queries.ts';
import { sweepBulkActs } from './bulk-runs.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { retryPayout, undoApproval } from './payout-acts.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { verifyTimeline } from './timelines.ts';

/** Nodes that start for the first time when another node has found the restore, and the site has gone on since. */
const world = await startWorld({ after }, ['litecoin']);
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(world.parts, 'litecoin', { credentials: party.credentials });
// What is approved stays queued.
const setDelay = (at: World) =>
  changeSettings(at.database, 'sandbox', { payoutDelaySeconds: 3_600 }, at.operator);
await setDelay(world);

const approved = async (at: World) => {
  const id = await request(at, await at.member(2_000n), randomRegtestAddress());
  await approve(at, id);
  return id;
};
const signIn = async (at: World): Promise<string> => {
  const { id } = await at.owner.one<{ id: string }>(sql`
    insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
      has_passed_gate)
    values (sha256(${crypto.randomUUID()}::bytea), gen_random_uuid(), ${at.operator}, platform.business_now(),
      platform.business_now(), 'Test', '127.0.0.1', true) returning id::text`);
  return id;
};
const sessionsOf = async ({ owner }: World) =>
  (await owner.rows<{ id: string }>(sql`select id::text from access.sessions`)).map(({ id }) => id);

/** A copy that lacks the newest acts of each node, and what it has. */
async function restoredCopy(t: TestContext, afterBackup: () => Promise<void> = async () => {}) {
  await takeUp(world);
  await world.owner.rows(sql`delete from access.sessions`);
  const old = { payout: await approved(world), session: await signIn(world) };
  const backup = await backUp(t, world);
  await afterBackup();
  await undoApproval(world.parts, world.operator, await approved(world));
  await chain(world);
  const copy = await backup.restore();
  return { old, backup, copy, second: nodeOn(t, copy, 'the markers') };
}
/** What the site does once the first node has compared it. */
async function goOn(first: World) {
  await sweepNow(first);
  return { payout: await approved(first), session: await signIn(first) };
}

test('a later node ends no session and parks no approval from after the restore', async (t) => {
  const { old, copy, second } = await restoredCopy(t);
  const first = nodeOn(t, copy, 'the markers');
  await startNode(first);
  assert.deepEqual([await stateOf(first, old.payout), await sessionsOf(first)], ['parked', []]);
  const late = await goOn(first);
  await retryPayout({ platform: first.parts, operatorId: first.operator, id: old.payout, reason: 'Right' });
  assert.match(
    (await verifyTimeline(second.parts)) ?? 'nothing',
    /an older copy was restored|has another act/,
  );
  assert.deepEqual(await sessionsOf(second), [late.session]);
  assert.equal(await stateOf(second, late.payout), 'queued');
  assert.equal(await stateOf(second, old.payout), 'queued', 'an operator has looked at it');
});

test('a later node ends and parks what is older where the first one could not find the restore', async (t) => {
  const { old, copy, second } = await restoredCopy(t);
  const first = nodeOn(t, copy, 'nothing');
  await startNode(first);
  assert.deepEqual([await stateOf(first, old.payout), await sessionsOf(first)], ['queued', [old.session]]);
  const late = await goOn(first);
  assert.match(
    (await verifyTimeline(second.parts)) ?? 'nothing',
    /an older copy was restored|has another act/,
  );
  assert.deepEqual(await sessionsOf(second), [late.session]);
  assert.equal(await stateOf(second, late.payout), 'queued');
  assert.equal(await stateOf(second, old.payout), 'parked');
});

test('a later node tells what is older also where the clock of the restored machine was behind', async (t) => {
  const { old, copy, second } = await restoredCopy(t);
  const ahead = sql`platform.business_now() + interval '1 hour'`;
  await copy.owner.rows(sql`update access.sessions set created_at = ${ahead}, last_seen_at = ${ahead}`);
  await copy.owner.rows(
    sql`update withdrawals.payouts set queued_at = ${ahead} where withdrawal_id = ${old.payout}`,
  );
  await startNode(nodeOn(t, copy, 'nothing'));
  await verifyTimeline(second.parts);
  assert.deepEqual([await stateOf(second, old.payout), await sessionsOf(second)], ['parked', []]);
});

test('a later node tells what is newer also where the copy does not know its timeline', async (t) => {
  const { old, copy, second } = await restoredCopy(t, async () => {
    await verifyTimeline(nodeOn(t, world, 'nothing').parts);
    await takeUp(world);
  });
  const first = nodeOn(t, copy, 'the markers');
  assert.match((await verifyTimeline(first.parts)) ?? 'nothing', /^The database is another one/);
  assert.deepEqual([await stateOf(first, old.payout), await sessionsOf(first)], ['parked', []]);
  const late = await goOn(first);
  assert.match((await verifyTimeline(second.parts)) ?? 'nothing', /^The database is another one/);
  assert.deepEqual(await sessionsOf(second), [late.session]);
  assert.equal(await stateOf(second, late.payout), 'queued');
});

test('a backup that is restored again parks again what it has approved', async (t) => {
  const { old, copy, backup } = await restoredCopy(t);
  const first = nodeOn(t, copy, 'the markers');
  await startNode(first);
  assert.equal(await stateOf(first, old.payout), 'parked');
  await chain(first);
  const again = await backup.restore();
  // Its marker of acts is that of the copy since the first restore.
  const node = { ...again, parts: { ...again.parts, config: first.parts.config } };
  assert.match((await verifyTimeline(node.parts)) ?? 'nothing', /^The database is another one/);
  assert.deepEqual([await stateOf(again, old.payout), await sessionsOf(again)], ['parked', []]);
});

test('a node that missed a restore leaves what it does not know to the node that knows it', async (t) => {
  const { copy, second } = await restoredCopy(t);
  const first = nodeOn(t, copy, 'the markers');
  await startNode(first);
  await chain(first);
  const late = await goOn(first);
  await chain(first);
  await takeUp(first);
  const backup = await backUp(t, first);
  await undoApproval(first.parts, first.operator, late.payout);
  await first.owner.rows(sql`delete from access.sessions`);
  await chain(first);
  for (const order of ['the later one first', 'the other one first']) {
    const again = await backup.restore();
    const on = ({ parts }: World): World =>
      nodeOn(t, { ...again, parts: { ...again.parts, config: parts.config } }, 'the markers');
    const nodes = [on(second), on(first)];
    for (const node of order === 'the later one first' ? nodes : nodes.toReversed())
      assert.notEqual(await verifyTimeline(node.parts), undefined);
    assert.deepEqual([await stateOf(again, late.payout), await sessionsOf(again)], ['parked', []], order);
  }
});

test('an act on many of the copy decides nothing after the restore', async (t) => {
  await takeUp(world);
  const id = await request(world, await world.member(2_000n), randomRegtestAddress());
  const order = { ids: [id], withFlagged: true, answersAtOnce: true };
  const { actId } = await approveAllWithdrawals(world.parts, world.operator, order);
  const backup = await backUp(t, world);
  await sweepBulkActs(world.parts, new AbortController().signal);
  await undoApproval(world.parts, world.operator, id);
  await chain(world);
  const copy = await backup.restore();
  await startNode(nodeOn(t, copy, 'the markers'));
  await sweepBulkActs(copy.parts, new AbortController().signal);
  assert.deepEqual(
    (await listRows(copy.database, actId)).map(({ state, reason, status }) => [state, reason, status]),
    [['failed', sentence('act-of-copy'), 'pending']],
  );
  assert.notEqual((await findAct(copy.database, actId))?.finishedAt, null);
});
