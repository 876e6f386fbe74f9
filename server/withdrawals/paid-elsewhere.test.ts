import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, backUp, balanceOf, startWorld, sweepNow, type World } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { findPayout } from './queries.ts';
import { examineWithdrawal } from './quotes.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { verifyTimeline } from './timelines.ts';

/** Members whose points were paid to an address that a restored database does not know. */
const world = await startWorld({ after });
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(world.parts, 'litecoin', { credentials: party.credentials });

const IN_CHECK = { code: 'withdrawal-in-check' };
const request = async (at: World, member: number, points: bigint) =>
  (await ask(at, member, points, randomRegtestAddress())).id;
const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);

/** Pays points to a member after a backup, by default to one who registered after it, and restores it. */
async function paidAfterBackup(t: TestContext, points: bigint, member: number | null) {
  const backup = await backUp(t, world);
  const paid = member ?? (await world.member(points));
  const id = await request(world, paid, points);
  await approve(world, id);
  await sweepNow(world);
  const payout = await findPayout(world.owner, id);
  assert.ok(payout?.reference);
  return { id, member: paid, reference: payout.reference, restored: await backup.restore() };
}
const lineOf = async (at: World, reference: string, noted: string | null = null) => {
  const { lines } = await reconcilePayouts(at.parts, null, noted);
  return { line: lines.find((line) => line.includes(reference)) ?? 'none', last: lines.at(-1) ?? '' };
};

test('no request of a member is decided whose points were paid to another address after the backup', async (t) => {
  const paid = await world.member(2_000n);
  const other = await world.member(2_000n);
  const { id, member, reference, restored } = await paidAfterBackup(t, 2_000n, paid);
  await verifyTimeline(restored.parts);
  await sweepNow(restored);
  assert.equal(await balanceOf(restored, member), 2_000n, 'the points are back');

  const again = await request(restored, member, 2_000n);
  await assert.rejects(approve(restored, again), IN_CHECK);
  await assert.rejects(rejectWithdrawal(restored.parts, restored.operator, again, 'Why'), IN_CHECK);
  const shown = await examineWithdrawal(restored.parts, restored.operator, again);
  assert.match(shown.trouble ?? '', new RegExp(`^Payment ${reference} of 2000 points to this member`));
  await approve(restored, await request(restored, other, 2_000n));

  const { line, last } = await lineOf(restored, reference);
  assert.match(line, new RegExp(`; no request holds its points: revoke --key paid-${id} ${member} 2000$`));
  assert.match(last, /^Requests of the members named above wait/);
  await revokeByCommand(restored.parts, [String(member), '2000', 'Paid before the restore'], `paid-${id}`);
  await lineOf(restored, reference, 'The points were taken back');
  await assert.rejects(approve(restored, again), { code: 'member-in-debt' });
  await rejectWithdrawal(restored.parts, restored.operator, again, 'Paid before');
  assert.equal(await balanceOf(restored, member), 0n);
});

test('a node that sent a payment names its member when another node found the payment', async (t) => {
  const { member, restored } = await paidAfterBackup(t, 2_000n, await world.member(2_000n));
  const dataDir = mkdtempSync(join(tmpdir(), 'other-node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { config } = restored.parts;
  const otherNode = { ...restored, parts: { ...restored.parts, config: { ...config, dataDir } } };
  await verifyTimeline(otherNode.parts);
  await sweepNow(otherNode);
  const again = await request(restored, member, 2_000n);
  await sweepNow(restored);
  await assert.rejects(approve(restored, again), IN_CHECK);
});

test('nobody is held for a payment to a member who has the same number since the restore', async (t) => {
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
  assert.match(line, new RegExp(`it paid 2000 points of a member ${member} who is not in this database`));
  assert.equal(last, line);
  await approve(restored, await request(restored, member, 2_000n));
});
