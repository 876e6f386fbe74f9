import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { markerFileOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { takeNote } from '../../test/restored-site.ts';
import { ask, backUp, balanceOf, startWorld, sweepNow, type World } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod, setUpRail } from './payment-methods.ts';
import { retryPayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { turnNameOf } from './payout-queries.ts';
import { findPayout } from './queries.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { reconcileMethod } from './reconciliation.ts';
import { clearRequest } from './request-checks.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** Holds after a restore, where one node knows more than another, and where an operator’s act would free them. */
const world = await startWorld({ after }, ['litecoin']);
const party = await vectors.start?.({ after });
assert(party);
const { credentials } = party;
await changePaymentMethod(world.parts, 'litecoin', { credentials });

const pointsInCheck = { code: 'points-in-check' };
const request = async (at: World, member: number, address = randomRegtestAddress()) =>
  (await ask(at, member, 2_000n, address)).id;
const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
const stateOf = async (at: World, id: string) => (await readPayout(at.database, id)).state;
const referenceOf = async (at: World, id: string): Promise<string> => {
  const { reference } = (await findPayout(at.owner, id)) ?? {};
  assert(reference);
  return reference;
};

// A database without withdrawals is believed also by a node that knows nothing.
await request(world, await world.member(2_000n));

/** A payment to a member that was requested, approved and sent after the backup that is restored. */
async function paidAfterBackup(t: TestContext) {
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  const id = await request(world, memberId);
  await approve(world, id);
  await sweepNow(world);
  return { id, memberId, reference: await referenceOf(world, id), copy: await backup.restore() };
}

/** A node on a database, with a folder of its own: as it is made, or with what the former site had recorded. */
function nodeOn(t: TestContext, at: World, knows: 'nothing' | 'the record'): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  if (knows === 'the record') cpSync(world.parts.config.dataDir, dataDir, { recursive: true });
  return { ...at, parts: { ...at.parts, config: { ...at.parts.config, dataDir } } };
}

async function startNode(at: World): Promise<void> {
  await verifyTimeline(at.parts);
  await sweepNow(at);
}

const markerOf = (at: World): string => markerFileOf(at.parts.config.dataDir);
const readMarker = (at: World) => JSON.parse(readFileSync(markerOf(at), 'utf8'));

type Reconciliation = { isDone: boolean; awaited: string[] };
const reconciliationOf = (at: World) =>
  at.owner.one<Reconciliation>(sql`
    select done_at is not null as "isDone", awaited_accounts as awaited from withdrawals.reconciliations
    where method = 'litecoin'`);

test('a payment of an unknown member holds all, also after another node has asked for a comparison', async (t) => {
  const { memberId, copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  await startNode(first);
  const late = await request(first, memberId);
  await assert.rejects(approve(first, late), pointsInCheck);
  const second = nodeOn(t, copy, 'nothing');
  await startNode(second);
  await assert.rejects(approve(second, late), pointsInCheck);
  await takeNote(second, 'Paid by hand');
  await approve(second, late);
});

test('a payment of an unknown member holds a request of the copy that was asked for anew since', async (t) => {
  const memberId = await world.member(2_000n);
  const early = await request(world, memberId);
  const backup = await backUp(t, world);
  await cancelWithdrawal(world.parts, memberId, early);
  const again = await request(world, memberId);
  await approve(world, again);
  await sweepNow(world);
  assert.equal(await stateOf(world, again), 'broadcast');
  const node = nodeOn(t, await backup.restore(), 'nothing');
  await startNode(node);
  await assert.rejects(approve(node, early), pointsInCheck);
});

test('a payment of an unknown member holds a request made before a node saw the restore', async (t) => {
  const former = nodeOn(t, world, 'the record');
  const { memberId, copy } = await paidAfterBackup(t);
  const behind = nodeOn(t, copy, 'nothing');
  cpSync(former.parts.config.dataDir, behind.parts.config.dataDir, { recursive: true });
  await verifyTimeline(behind.parts);
  const late = await request(behind, memberId);
  const node = nodeOn(t, copy, 'nothing');
  await startNode(node);
  await assert.rejects(approve(node, late), pointsInCheck);
});

test('a node that knows nothing forgets no account that is to be compared', async (t) => {
  const { copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  const marker = JSON.parse(readFileSync(markerOf(world), 'utf8'));
  marker.accounts.litecoin = ['former-account', marker.accounts.litecoin.at(-1)];
  mkdirSync(dirname(markerOf(first)), { recursive: true });
  writeFileSync(markerOf(first), JSON.stringify(marker));
  await copy.owner.rows(sql`update withdrawals.paying_accounts set account = 'former-account'`);
  await startNode(first);
  await startNode(nodeOn(t, copy, 'nothing'));
  const { isDone, awaited } = await reconciliationOf(copy);
  assert.deepEqual([isDone, awaited.includes('former-account')], [false, true]);
});

test('a comparison ends none that another node asked for since, for an earlier time', async (t) => {
  const { copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  const second = nodeOn(t, copy, 'the record');
  await copy.owner.rows(
    sql`update withdrawals.counted_payments set stored_at = stored_at - interval '21 days'`,
  );
  const storedAt = new Date(Date.now() - 20 * 86_400_000).toISOString();
  writeFileSync(markerOf(second), JSON.stringify({ ...readMarker(second), storedAt }));
  await verifyTimeline(first.parts);
  const lease = await takeLease(first.parts, turnNameOf('litecoin'));
  assert(lease);
  const setup = await setUpRail(first.parts, 'litecoin');
  assert(setup.kind === 'usable');
  const listedSince: Date[] = [];
  const rail: typeof setup.rail = {
    ...setup.rail,
    list: async (since) => {
      listedSince.push(since);
      const listing = await setup.rail.list(since);
      if (listedSince.length === 1) assert.notEqual(await verifyTimeline(second.parts), undefined);
      return listing;
    },
  };
  const reason = await reconcileMethod({ ...first.parts, lease }, 'litecoin', { kind: 'usable', rail });
  await lease.release();
  assert.equal(reason, undefined);
  const [narrow, wide] = listedSince;
  assert(narrow && wide && wide < narrow, 'it compares again, for the earlier time');
});

test('a method that was connected after the backup is compared once it is connected again', async (t) => {
  const site = await startWorld({ after }, ['litecoin']);
  const memberId = await site.member(2_000n);
  await site.owner.rows(sql`update withdrawals.methods set sealed_credentials = null`);
  const backup = await backUp(t, site);
  await changePaymentMethod(site.parts, 'litecoin', { credentials });
  const first = await request(site, memberId);
  await approve(site, first);
  await sweepNow(site);
  assert.equal(await stateOf(site, first), 'broadcast');
  const restored = await backup.restore();
  await startNode(restored);
  assert.equal((await reconciliationOf(restored)).isDone, false);
  const { lines } = await reconcilePayouts(restored.parts);
  assert.match(lines[0] ?? '', /^litecoin: .+ The payments must be compared first/);
  await changePaymentMethod(restored.parts, 'litecoin', { credentials });
  const late = await request(restored, memberId);
  await assert.rejects(approve(restored, late), { code: 'withdrawal-in-check' });
  await sweepNow(restored);
  assert.equal((await reconciliationOf(restored)).isDone, true);
  await assert.rejects(approve(restored, late), pointsInCheck);
});

test('a payment that the record gives to a request or to a payout is not called another’s', async (t) => {
  const [asked, approved] = [await world.member(2_000n), await world.member(2_000n)];
  const pending = await request(world, asked);
  const queued = await request(world, approved);
  await changeSettings(world.database, 'sandbox', { payoutsPaused: true });
  await approve(world, queued);
  const backup = await backUp(t, world);
  await changeSettings(world.database, 'sandbox', { payoutsPaused: false });
  await approve(world, pending);
  await sweepNow(world);
  const references = [await referenceOf(world, pending), await referenceOf(world, queued)];
  const node = nodeOn(t, await backup.restore(), 'the record');
  await changeSettings(node.database, 'sandbox', { payoutsPaused: false });
  await startNode(node);
  assert.equal(await stateOf(node, queued), 'parked');
  const act = { platform: node.parts, operatorId: node.operator, reason: 'Not this one', shown: references };
  await assert.rejects(clearRequest({ ...act, id: pending }), { code: 'payout-unclear' });
  await assert.rejects(retryPayout({ ...act, id: queued }), { code: 'payout-unclear' });
});

test('a revocation of another member, or of other points, is refused under the key of a payment', async (t) => {
  const { id, memberId, copy } = await paidAfterBackup(t);
  const node = nodeOn(t, copy, 'the record');
  const other = await node.member(2_000n);
  await startNode(node);
  const late = await request(node, memberId);
  const right = `revoke --key paid-${id} ${memberId} 2000`;
  for (const words of [
    [String(other), '2000', 'Paid before'],
    [String(memberId), '1', 'Paid before'],
  ]) {
    const { line } = await revokeByCommand(node.parts, words, `paid-${id}`);
    assert.match(line, new RegExp(right));
  }
  await assert.rejects(approve(node, late), pointsInCheck);
  await revokeByCommand(node.parts, [String(memberId), '2000', 'Paid before'], `paid-${id}`);
  assert.equal(await balanceOf(node, memberId), -2_000n);
});

test('a comparison is not given up over payments that the record of the node knows', async (t) => {
  const { id, memberId, copy } = await paidAfterBackup(t);
  const node = nodeOn(t, copy, 'the record');
  await changePaymentMethod(node.parts, 'litecoin', { credentials: { ...credentials, rpcPort: 1 } });
  await startNode(node);
  const { lines, isDone } = await giveUpComparison(node.parts, 'litecoin', 'The wallet is lost');
  assert.equal(isDone, false);
  assert.match(lines.join('\n'), new RegExp(`revoke --key paid-${id} ${memberId} 2000`));
  await revokeByCommand(node.parts, [String(memberId), '2000', 'Paid before'], `paid-${id}`);
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'The wallet is lost', true)).isDone, true);
});
