import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import {
  ask,
  backUp,
  balanceOf,
  startWorld,
  sweepNow,
  takeUp,
  type World,
} from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { readUnaccounted } from './accounted-queries.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { readPayout } from './payout-list.ts';
import { findPayout } from './queries.ts';
import { examineWithdrawal } from './quotes.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { verifyTimeline } from './timelines.ts';
import { readWithdrawals } from './withdrawals.ts';

/** Members whose points were paid to an address that a restored database does not know. */
const world = await startWorld({ after }, ['litecoin']);
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(world.parts, 'litecoin', { credentials: party.credentials });

const POINTS_IN_CHECK = { code: 'points-in-check' };
const request = async (at: World, member: number, points: bigint) =>
  (await ask(at, member, points, randomRegtestAddress())).id;
const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);

/** Pays points to a member after a backup, by default to one who registered after it, and restores it. */
async function paidAfterBackup(t: TestContext, points: bigint, member: number | null) {
  await takeUp(world);
  const backup = await backUp(t, world);
  const paid = member ?? (await world.member(points));
  const id = await request(world, paid, points);
  await approve(world, id);
  await sweepNow(world);
  const payout = await findPayout(world.owner, id);
  assert.ok(payout?.reference);
  return { id, member: paid, reference: payout.reference, restored: await backup.restore() };
}
/** A node with a DATA_DIR of its own, which sent nothing yet. */
function nodeWithoutRecord(t: TestContext, at: World): World {
  const dataDir = mkdtempSync(join(tmpdir(), 'other-node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  return { ...at, parts: { ...at.parts, config: { ...at.parts.config, dataDir } } };
}
const lineOf = async (at: World, reference: string, noted: string | null = null) => {
  const { lines } = await reconcilePayouts(at.parts, null, noted);
  return { line: lines.find((line) => line.includes(reference)) ?? 'none', last: lines.at(-1) ?? '' };
};

test('nobody waits for a payment to a person whom the database does not have', async (t) => {
  const { member, reference, restored } = await paidAfterBackup(t, 2_000n, null);
  await restored.owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, last_name, role, referral_code,
      terms_version, created_at, phone_number, phone_verified_at)
    values (${member}, 'later@example.com', 'later@example.com', 'Jisu', 'Han', 'user', 'LATER', '1',
      platform.business_now(), '+821099999999', platform.business_now())`);
  await restored.owner.rows(sql`select ledger.open_wallet(${member})`);
  await restored.grant(member, 2_000n);
  await verifyTimeline(restored.parts);
  await sweepNow(restored);
  const { line, last } = await lineOf(restored, reference);
  assert.match(line, /; it paid 2000 points of a member who is not in this database: nothing to revoke$/);
  assert.equal(last, line);
  await approve(restored, await request(restored, member, 2_000n));
});

test('no request of a member is decided whose points were paid to another address after the backup', async (t) => {
  const paid = await world.member(4_000n);
  const other = await world.member(2_000n);
  const early = await request(world, paid, 2_000n);
  const { id, member, reference, restored } = await paidAfterBackup(t, 2_000n, paid);
  await approve(restored, early);
  await verifyTimeline(restored.parts);
  await sweepNow(restored);
  assert.equal(await balanceOf(restored, member), 2_000n, 'the points are back');
  const waiting = await readPayout(restored.database, early);
  assert.deepEqual([waiting.state, waiting.trouble], ['queued', sentence('points-possibly-paid')]);

  const again = await request(restored, member, 2_000n);
  await assert.rejects(approve(restored, again), POINTS_IN_CHECK);
  const { data } = await readWithdrawals(restored.parts, member, { page: 1, limit: 1 });
  assert.equal(data[0]?.waitsFor, 'points-in-check');
  const shown = await examineWithdrawal(restored.parts, restored.operator, again);
  assert.match(shown.trouble ?? '', new RegExp(`^Payment ${reference} of 2000 points to this member`));
  await approve(restored, await request(restored, other, 2_000n));

  const { line, last } = await lineOf(restored, reference);
  assert.match(line, new RegExp(`; no request holds its points: revoke --key paid-${id} ${member} 2000$`));
  assert.match(last, /^No request of a member named here is paid before the revoke/);
  const { last: refused } = await lineOf(restored, reference, 'Not looked at');
  assert.match(
    refused,
    new RegExp(
      `^Not noted, because its points were not revoked: ${reference}\\. .+ --not-owed ${reference} REASON`,
    ),
  );
  await assert.rejects(approve(restored, again), POINTS_IN_CHECK);
  await revokeByCommand(restored.parts, [String(member), '2000', 'Paid before the restore'], `paid-${id}`);
  assert.equal((await lineOf(restored, reference)).line, 'none', 'the revocation is the note');
  await assert.rejects(approve(restored, again), { code: 'member-in-debt' });
  await rejectWithdrawal(restored.parts, restored.operator, again, 'Paid before');
  assert.equal(await balanceOf(restored, member), 0n);
  await sweepNow(restored);
  assert.equal((await readPayout(restored.database, early)).state, 'broadcast');
});

test('a node that sent a payment names its member when another node found the payment', async (t) => {
  const { member, restored } = await paidAfterBackup(t, 2_000n, await world.member(2_000n));
  const otherNode = nodeWithoutRecord(t, restored);
  await verifyTimeline(otherNode.parts);
  await sweepNow(otherNode);
  const again = await request(restored, member, 2_000n);
  await sweepNow(restored);
  await assert.rejects(approve(restored, again), POINTS_IN_CHECK);
});

test('a request made since the restore waits while no node knows whose a payment is', async (t) => {
  const [paid, other] = [await world.member(2_000n), await world.member(4_000n)];
  const before = await request(world, other, 2_000n);
  const { reference, restored } = await paidAfterBackup(t, 2_000n, paid);
  const otherNode = nodeWithoutRecord(t, restored);
  await verifyTimeline(otherNode.parts);
  await sweepNow(otherNode);
  const late = await request(otherNode, paid, 2_000n);
  await assert.rejects(approve(otherNode, late), POINTS_IN_CHECK);
  const shown = await examineWithdrawal(otherNode.parts, otherNode.operator, late);
  assert.equal(shown.trouble, sentence('points-possibly-paid'));
  await assert.rejects(approve(otherNode, before), POINTS_IN_CHECK);

  const { lines } = await reconcilePayouts(otherNode.parts);
  await reconcilePayouts(otherNode.parts, null, 'Found by the address');
  assert(lines.some((line) => line.includes(reference) && line.endsWith(' MEMBER POINTS')));
  assert(lines.some((line) => line.startsWith('The record of sent payments of this node is empty.')));
  await approve(otherNode, late);
  await approve(otherNode, before);
});

test('a file of the record that is put back is read at once', async (t) => {
  const { member, reference, restored } = await paidAfterBackup(t, 2_000n, await world.member(2_000n));
  const otherNode = nodeWithoutRecord(t, restored);
  await verifyTimeline(otherNode.parts);
  const memberOf = async () => {
    await sweepNow(otherNode);
    const found = await readUnaccounted(otherNode.database, 100);
    return found.find((payment) => payment.reference === reference)?.memberId;
  };
  assert.equal(await memberOf(), null);
  const folderOf = ({ parts }: World) => recordFolderOf(parts.config.dataDir);
  for (const name of readdirSync(folderOf(world)).filter((one) => one.endsWith('.jsonl')))
    copyFileSync(join(folderOf(world), name), join(folderOf(otherNode), name));
  assert.equal(await memberOf(), member);
});
