import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { chainActs } from '#platform/act-chain.ts';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import {
  ask,
  backUp,
  balanceOf,
  faultsOfBooks,
  startWorld,
  sweepNow,
  takeUp,
  type World,
} from '../../test/withdrawals-world.ts';
import { keepActsMarker } from './acts-marker.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { failPayout, retryPayout, undoApproval } from './payout-acts.ts';
import { readPayout, readRestoreState } from './payout-list.ts';
import { sweepPayouts } from './payouts.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { verifyTimeline } from './timelines.ts';

/** Copies of the database from before an act without a payment: its approvals may have been taken back since. */
const world = await startWorld({ after }, ['litecoin']);
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(world.parts, 'litecoin', { credentials: party.credentials });

const approved = async (at: World) => {
  const member = await at.member(1_000n);
  const { id } = await ask(at, member, 1_000n, randomRegtestAddress());
  await approveWithdrawal(at.parts, at.operator, id);
  return { id, member };
};
/** A turn of the sweep of the audit trail. */
const chain = async ({ parts }: World) => {
  await chainActs(parts);
  await keepActsMarker(parts);
};
const stateOf = async (at: World, id: string) => {
  const { state, trouble } = await readPayout(at.database, id);
  return [state, state === 'parked' ? trouble : null];
};
const PARKED = ['parked', sentence('approved-in-copy')];
const troubleOf = ({ parts }: World) =>
  parts.health.troubles().find(({ name }) => name === 'restore')?.trouble;
const signIn = async (at: World) => {
  await at.owner.rows(sql`
    insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
      has_passed_gate)
    values (sha256(${crypto.randomUUID()}::bytea), gen_random_uuid(), ${at.operator}, platform.business_now(),
      platform.business_now(), 'Test', '127.0.0.1', true)`);
};
const sessionCountOf = async ({ owner }: World) =>
  (await owner.one<{ count: bigint }>(sql`select count(*) as count from access.sessions`)).count;
/** A node with a DATA_DIR of its own. */
function newNode(t: TestContext, at: World): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'new-node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return { ...at, parts: { ...at.parts, config: { ...at.parts.config, dataDir } } };
}

test('an approval that was taken back since the backup is not paid from the copy', async (t) => {
  const [undone, wanted, retried] = [await approved(world), await approved(world), await approved(world)];
  await signIn(world);
  const backup = await backUp(t, world);
  await undoApproval(world.parts, world.operator, undone.id);
  await chain(world);

  const restored = await backup.restore();
  assert.match(
    (await verifyTimeline(restored.parts)) ?? '',
    /^The audit trail has \d+ acts, and this node knows of \d+: an older copy was restored\.$/,
  );
  assert.equal(await sessionCountOf(restored), 0n, 'sessions may have been ended since');
  assert.equal(await verifyTimeline(restored.parts), undefined, 'once');
  const { id: since } = await approved(restored).catch(() => ({ id: '' }));
  assert.equal(since, '', 'requests wait for the comparison');
  await sweepNow(restored);
  await sweepNow(restored);
  for (const { id } of [undone, wanted, retried]) assert.deepEqual(await stateOf(restored, id), PARKED);
  assert.match(
    troubleOf(restored) ?? '',
    /: an older copy was restored\. 3 payouts were approved in the restored copy/,
  );
  assert.equal((await readRestoreState(restored.database)).approvedCount, 3);
  const later = await approved(restored);
  await sweepNow(restored);
  assert.deepEqual(
    await stateOf(restored, later.id),
    ['broadcast', null],
    'the comparison has ended by itself',
  );

  const { parts, operator: operatorId } = restored;
  const act = { platform: parts, operatorId, reason: 'Taken back before the restore' };
  assert.equal((await failPayout({ ...act, id: undone.id })).state, 'failed');
  assert.equal(await balanceOf(restored, undone.member), 1_000n);
  await retryPayout({ ...act, id: retried.id, reason: 'Right' });
  const { lines } = await reconcilePayouts(parts);
  assert.match(lines.at(-1) ?? '', /^1 payout approved in the copy\./);
  assert.deepEqual(await stateOf(restored, wanted.id), PARKED);
  await reconcilePayouts(parts, null, 'A note of payments');
  assert.deepEqual(await stateOf(restored, wanted.id), PARKED, 'a note of payments releases none');
  const noted = await reconcilePayouts(parts, null, null, 'Looked at all');
  assert.equal(noted.lines.at(-1), 'Released 1 payout that the copy has approved.');
  await sweepNow(restored);
  for (const { id } of [wanted, retried]) assert.deepEqual(await stateOf(restored, id), ['broadcast', null]);
  assert.equal(troubleOf(restored), undefined);
  assert.equal((await readRestoreState(restored.database)).approvedCount, 0);
  const acts = await restored.owner.rows(sql`
    select actor, act, reason, before, after from platform.acts where target = ${wanted.id} order by id desc limit 1`);
  assert.deepEqual(acts, [
    {
      actor: 'command-line',
      act: 'payout.retry',
      reason: 'Looked at all',
      before: { state: 'parked' },
      after: { state: 'queued' },
    },
  ]);
  assert.deepEqual(await faultsOfBooks(restored), []);
});

test('an ordinary restart parks nothing and ends no session', async (t) => {
  const at = await (await backUp(t, world)).restore();
  await verifyTimeline(at.parts);
  await reconcilePayouts(at.parts);
  await reconcilePayouts(at.parts, null, 'Looked at all', 'Looked at all');
  await chain(at);
  const { id } = await approved(at);
  await signIn(at);
  const count = await sessionCountOf(at);
  const isOrdinary = async (what: string) => {
    assert.equal(await verifyTimeline(at.parts), undefined, what);
    assert.equal((await readPayout(at.database, id)).state, 'queued', what);
    assert.equal(await sessionCountOf(at), count, what);
  };
  await isOrdinary('with an act that is not chained yet');
  await chainActs(at.parts);
  await isOrdinary('with a marker that is behind');
  const file = join(recordFolderOf(at.parts.config.dataDir), 'acts.json');
  const { number } = JSON.parse(readFileSync(file, 'utf8')) as { number: string };
  // The last commits of a chain may be lost with a server whose acts are all there.
  await at.owner.rows(sql`
    update platform.acts set chain_number = null, chain_hash = null where chain_number = ${BigInt(number)}`);
  await at.owner.rows(sql`
    update platform.acts_chain_end e set number = a.chain_number, hash = a.chain_hash
    from platform.acts a where a.chain_number = ${BigInt(number) - 1n}`);
  await isOrdinary('with an act that is chained again');
});

test('acts of another copy under the same number are seen', async (t) => {
  await verifyTimeline(world.parts);
  await reconcilePayouts(world.parts);
  await reconcilePayouts(world.parts, null, 'Looked at all', 'Looked at all');
  const backup = await backUp(t, world);
  const record = (at: World) => approved(at).then(() => chainActs(at.parts));
  await record(world);
  await verifyTimeline(world.parts);
  const restored = await backup.restore();
  const behind = newNode(t, restored);
  await record(behind);
  assert.match(
    (await verifyTimeline(restored.parts)) ?? '',
    /^Up to act \d+ the audit trail has others than this node knows/,
  );
});

test('a node without markers has its payouts compared only', async (t) => {
  const at = await (await backUp(t, world)).restore();
  await verifyTimeline(at.parts);
  await reconcilePayouts(at.parts);
  await reconcilePayouts(at.parts, null, 'Looked at all', 'Looked at all');
  const { id } = await approved(at);
  await signIn(at);
  assert.match((await verifyTimeline(newNode(t, at).parts)) ?? '', /^This node has no marker/);
  assert.deepEqual(await stateOf(at, id), ['queued', null]);
  assert.equal(await sessionCountOf(at), 1n);
});

test('what the comparison shows to be clear is paid while the trail lacks no act', async (t) => {
  await takeUp(world);
  const [paid, clear] = [await approved(world), await approved(world)];
  await chain(world);
  const backup = await backUp(t, world);
  await world.owner.rows(sql`
    update withdrawals.payouts set due_at = platform.business_now()
      + case when withdrawal_id = ${clear.id} then interval '1 hour' else '0' end`);
  await sweepPayouts(world.parts);
  assert.deepEqual(await stateOf(world, paid.id), ['broadcast', null]);
  const at = await backup.restore();
  await verifyTimeline(at.parts);
  await sweepNow(at);
  assert.equal((await stateOf(at, paid.id))[0], 'parked');
  assert.deepEqual(await stateOf(at, clear.id), ['broadcast', null]);
});
