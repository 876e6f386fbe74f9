import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, backUp, runProcess, startWorld, sweepNow, takeUp } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { noteNotOwed } from './notes-command.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { findPayout } from './queries.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { findRecordStart, findSentPayments, recordSentPayment } from './sent-payments.ts';
import { verifyTimeline } from './timelines.ts';

/** The record of sent payments, outside the database. */
const world = await startWorld({ after }, ['litecoin']);
const { owner, parts } = world;
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(parts, 'litecoin', { credentials: party.credentials });
const folder = recordFolderOf(parts.config.dataDir);

const approved = async () => {
  const member = await world.member(3_000n);
  const { id } = await ask(world, member, 1_500n, randomRegtestAddress());
  await approveWithdrawal(parts, world.operator, id);
  return { id, member };
};
const referenceOf = async (id: string) => {
  const { reference } = await owner.one<{ reference: string }>(
    sql`select reference from withdrawals.payouts where withdrawal_id = ${id}`,
  );
  return reference;
};

test('names the member and points of a payment that a restored database does not know', async (t) => {
  const member = await world.member(3_000n);
  const backup = await backUp(t, world);
  const { id } = await ask(world, member, 1_500n, randomRegtestAddress());
  await approveWithdrawal(parts, world.operator, id);
  await sweepNow(world);
  const reference = await referenceOf(id);
  const restored = await backup.restore();
  await verifyTimeline(restored.parts);
  const told = async () =>
    (await reconcilePayouts(restored.parts)).lines.filter((line) => line.includes(reference));
  const [line, ...others] = await told();
  assert.match(
    line ?? 'nothing',
    new RegExp(`; no request holds its points: revoke --key paid-${id} ${member} 1500$`),
  );
  assert.deepEqual(others, []);
  const note = (references: string[]) =>
    noteNotOwed(restored.parts, references, 'The points were taken back');
  assert.equal((await note([reference, 'unknown'])).isDone, false);
  assert.equal((await told()).length, 1, 'all of them or none');
  assert.equal((await note([reference])).isDone, true);
  assert.deepEqual(await told(), []);
  const acts = await restored.owner.rows<{ target: string; reason: string | null }>(
    sql`select target, reason from platform.acts where act = 'payout.reconcile'`,
  );
  assert.deepEqual(acts, [{ target: reference, reason: 'The points were taken back' }]);
});

test('is on the disk before a payment is sent, and readable by the site alone', async () => {
  await takeUp(world);
  const { id } = await approved();
  assert.equal(await runProcess(world, { act: 'sweep' }, 'after_mark'), 'SIGKILL');
  const reference = await referenceOf(id);
  const [name = ''] = readdirSync(folder);
  const file = join(folder, name);
  assert.match(readFileSync(file, 'utf8'), new RegExp(`"reference":"${reference}"`));
  assert.equal(statSync(file).mode & 0o077, 0);
});

test('keeps 30 days, and is read past a line that a crash cut off', async () => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const dayBefore = (days: number) =>
    `${new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)}.jsonl`;
  for (const days of [29, 32]) writeFileSync(join(folder, dayBefore(days)), '{"reference":"cut o');
  const { id, member } = await approved();
  await sweepNow(world);
  const names = readdirSync(folder);
  assert.deepEqual([names.includes(dayBefore(29)), names.includes(dayBefore(32))], [true, false]);
  const payment = await owner.one<{ method: string; reference: string; destination: string }>(
    sql`select method, reference, destination from withdrawals.payouts where withdrawal_id = ${id}`,
  );
  const found = await findSentPayments(parts.config.dataDir, [payment]);
  assert.deepEqual(
    [...found.values()].map(({ memberId, points }) => [memberId, points]),
    [[String(member), '1500']],
  );
  const [sent] = found.values();
  const unreadable = { ...sent, reference: 'f'.repeat(64), memberId: '9999999999' };
  writeFileSync(join(folder, dayBefore(29)), JSON.stringify(unreadable));
  const asked = { ...payment, reference: unreadable.reference };
  assert.equal((await findSentPayments(parts.config.dataDir, [asked])).size, 0, 'no number of a member');
});

test('keeps whole what is recorded at the same time, and what is young whatever this node’s clock says', async () => {
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  const { id } = await approved();
  const yesterday = new Date(Date.now() - 86_400_000);
  const kept = join(folder, `${yesterday.toISOString().slice(0, 10)}.jsonl`);
  writeFileSync(kept, '');
  writeFileSync(join(folder, '.note'), 'not ours');
  const payout = await findPayout(owner, id);
  assert.ok(payout);
  const references = Array.from({ length: 20 }, (_, index) => `payment-${index}`);
  const ahead = new Date(Date.now() + 40 * 86_400_000);
  await Promise.all(references.map((reference) => recordSentPayment(parts, payout, reference, ahead)));
  const { method, destination } = payout;
  const asked = references.map((reference) => ({ method, reference, destination }));
  assert.equal((await findSentPayments(parts.config.dataDir, asked)).size, 20);
  assert.ok(existsSync(kept) && existsSync(join(folder, '.note')));
});

test('tells since when it is whole, also after a day or all of it was removed', async () => {
  const { dataDir } = parts.config;
  rmSync(folder, { recursive: true });
  assert.equal(await findRecordStart(dataDir), undefined);
  const { id } = await approved();
  const payout = await findPayout(owner, id);
  assert.ok(payout);
  const today = Math.floor(Date.now() / 86_400_000);
  const dayBefore = (days: number) => new Date((today - days) * 86_400_000).toISOString().slice(0, 10);
  for (const days of [9, 6, 3])
    await recordSentPayment(parts, payout, `payment-${days}`, new Date((today - days + 0.5) * 86_400_000));
  assert.equal(await findRecordStart(dataDir), dayBefore(9));
  writeFileSync(join(folder, `${dayBefore(12)}.jsonl`), '\n{"reference":"from before the links"}\n');
  writeFileSync(join(folder, `${dayBefore(3)}.jsonl`), '\n{"formerD\n{"reference":"of a cut off link"}\n');
  assert.equal(await findRecordStart(dataDir), dayBefore(9), 'the day of 9 days ago was the first one');
  rmSync(join(folder, `${dayBefore(9)}.jsonl`));
  assert.equal(await findRecordStart(dataDir), dayBefore(8), 'the payments of 9 days ago are missing');
  rmSync(folder, { recursive: true });
  assert.equal(await findRecordStart(dataDir), undefined);
  await recordSentPayment(parts, payout, 'payment-0');
  assert.equal(await findRecordStart(dataDir), dayBefore(0));
});

test('stops payments before they are signed while it can’t be written, and says so in health', async () => {
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'in its place');
  assert.match((await verifyTimeline(parts, true)) ?? 'well', /E(EXIST|NOTDIR)/);
  rmSync(folder);
  assert.equal(await verifyTimeline(parts, true), undefined);
});
