import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { markerFileOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { takeNote } from '../../test/restored-site.ts';
import {
  ask,
  backUp,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { readUnaccounted } from './accounted-queries.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { noteNeverMade } from './notes-command.ts';
import { undoApproval } from './payout-acts.ts';
import { amountText } from './payout-amount.ts';
import { sweepPayouts } from './payouts.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { clearRequest, settleRequest } from './request-checks.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** Pending requests of an older copy that were paid after it, while the wallet, the node or the rate is another. */
test('requests that were paid after a backup, on a Litecoin chain', {
  skip: litecoindMissing(),
}, async (t) => {
  // Each restore goes on from there: the next subtest uses the restored database.
  let world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const IN_CHECK = { code: 'withdrawal-in-check' };

  const requested = async (at: World, address = node.foreignAddress()) => {
    const member = await at.member(2_000n);
    return { ...(await ask(at, member, 2_000n, address)), address, member };
  };
  const pay = async (at: World) => {
    await sweepNow(at);
    await node.mine(1);
    await sweepNow(at);
  };
  const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
  const actOn = (id: string) => ({ platform: world.parts, operatorId: world.operator, id, reason: 'Looked' });
  const referenceOf = async (at: World, id: string) =>
    (
      await at.owner.one<{ reference: string }>(
        sql`select reference from withdrawals.payouts where withdrawal_id = ${id}`,
      )
    ).reference;
  /** Requests that are pending in the restored copy, each paid after the backup. */
  const paidAfterBackup = async (count: number) => {
    const asked = [];
    for (let number = 0; number < count; number += 1) asked.push(await requested(world));
    const backup = await backUp(t, world);
    for (const { id } of asked) await approve(world, id);
    await pay(world);
    const paid = [];
    for (const one of asked) paid.push({ ...one, reference: await referenceOf(world, one.id) });
    world = await backup.restore();
    return paid;
  };

  // A site has stored rates from before.
  const before = await requested(world);
  await approve(world, before.id);
  await pay(world);

  await t.test('keeps a check when another wallet, whose list lacks the payment, is accepted', async () => {
    const paid = await paidAfterBackup(2);
    const [one, other] = paid;
    assert(one && other);
    await sweepPayouts(world.parts);
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.call('createwallet', { wallet_name: 'other' });
    assert.equal((await reconcilePayouts(world.parts)).isComplete, false);
    const { lines, isComplete } = await reconcilePayouts(world.parts, { method: 'litecoin' });
    assert.equal(isComplete, true);
    for (const { id, member, reference } of paid) {
      await assert.rejects(cancelWithdrawal(world.parts, member, id), IN_CHECK);
      await assert.rejects(rejectWithdrawal(world.parts, world.operator, id, 'Wrong'), IN_CHECK);
      assert(lines.some((line) => line.includes(`request ${id} waits`) && line.includes(reference)));
    }
    assert(!lines.some((line) => line.includes('revoke --key')), 'the requests hold the points');
    assert.equal(await balanceOf(world, one.member), 0n);

    await node.call('unloadwallet', { wallet_name: 'other' });
    await node.call('loadwallet', { filename: 'payouts' });
    await reconcilePayouts(world.parts, { method: 'litecoin' });
    const settled = await settleRequest({ ...actOn(one.id), reference: one.reference });
    assert.equal(settled.txId, one.reference);
    const acts = await world.owner.rows(sql`
      select before, after from platform.acts where act = 'payout.settle' and target = ${one.id}`);
    const after = { status: 'approved', state: 'broadcast', reference: one.reference };
    assert.deepEqual(acts, [
      { before: { status: 'pending' }, after: { ...after, payoutAmount: settled.coinAmount } },
    ]);
    await assert.rejects(clearRequest({ ...actOn(other.id), shown: [other.reference] }), {
      code: 'payout-unclear',
      message: /^The record of sent payments says that/,
    });
    await settleRequest({ ...actOn(other.id), reference: other.reference });
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('clears a check while another wallet is in use only by an operator who says so', async () => {
    const [paid] = await paidAfterBackup(1);
    assert(paid);
    await sweepPayouts(world.parts);
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.call('loadwallet', { filename: 'other' });
    await reconcilePayouts(world.parts, { method: 'litecoin' });
    for (const act of [actOn(paid.id), { ...actOn(paid.id), shown: [] }])
      await assert.rejects(clearRequest(act), {
        code: 'payout-unclear',
        extensions: { txIds: [paid.reference] },
      });
    const clear = () => clearRequest({ ...actOn(paid.id), shown: [paid.reference] });
    await assert.rejects(clear(), { code: 'payout-unclear', message: /^The record of sent payments says/ });
    const noted = await noteNeverMade(world.parts, paid.reference, 'Never made');
    assert.equal(noted.isDone, true);
    await clear();
    await reconcilePayouts(world.parts);
    await cancelWithdrawal(world.parts, paid.member, paid.id);
    await node.call('unloadwallet', { wallet_name: 'other' });
    await node.call('loadwallet', { filename: 'payouts' });
    await reconcilePayouts(world.parts, { method: 'litecoin' });
  });

  await t.test('finds a restore that the payments of another node have caught up with', async () => {
    await pay(world);
    const { dataDir } = world.parts.config;
    const other = mkdtempSync(join(tmpdir(), 'behind-'));
    after(() => rmSync(other, { recursive: true, force: true }));
    await verifyTimeline(world.parts);
    cpSync(markerFileOf(dataDir), markerFileOf(other));
    const [paid] = await paidAfterBackup(1);
    assert(paid);
    const { parts } = world;
    const behind = { ...world, parts: { ...parts, config: { ...parts.config, dataDir: other } } };
    assert.equal(await verifyTimeline(behind.parts), undefined, 'its marker is older than the backup');
    await cancelWithdrawal(behind.parts, paid.member, paid.id);
    const next = await requested(behind);
    await approve(behind, next.id);
    await pay(behind);
    // As if the copy ran for days before the other node came back.
    await world.owner.rows(sql`
      update withdrawals.payouts set signed_at = signed_at + interval '9 days' where withdrawal_id = ${next.id}`);

    assert.match(
      (await verifyTimeline(parts)) ?? '',
      /^Up to payment \d+ the database knows others than this node/,
    );
    await sweepPayouts(parts);
    const unaccounted = await readUnaccounted(world.database, 100);
    assert(unaccounted.some(({ reference }) => reference === paid.reference));
    assert.equal(await verifyTimeline(parts), undefined);
    assert.equal(await verifyTimeline(behind.parts), undefined, 'once');
    await takeNote(world, 'Looked into');
  });

  await t.test('judges the amount of a settled request by the rate at the time of the payment', async () => {
    const [paid] = await paidAfterBackup(1);
    assert(paid);
    await sweepPayouts(world.parts);
    world.rates.status = 500;
    await world.owner.rows(sql`delete from withdrawals.rates`);
    await world.owner.rows(sql`delete from withdrawals.rate_history`);
    const calls = world.rates.calls;
    await settleRequest({ ...actOn(paid.id), reference: paid.reference });
    assert.equal(world.rates.calls, calls, 'no rate of today is asked for');
    assert.equal(await referenceOf(world, paid.id), paid.reference);
  });

  await t.test('takes an amount that no stored rate explains by an operator’s word', async () => {
    world.rates.status = 200;
    const [paid] = await paidAfterBackup(1);
    assert(paid);
    await sweepPayouts(world.parts);
    await world.owner.rows(sql`delete from withdrawals.rate_history`);
    await world.owner.rows(sql`
      update withdrawals.withdrawals set decided_at = decided_at - interval '3 days' where state = 'approved'`);
    const settle = { ...actOn(paid.id), reference: paid.reference };
    const error = {
      code: 'payment-mismatch',
      message: /^It pays 0\.\d{8}, and no rate of that time is stored\./,
    };
    await assert.rejects(settleRequest(settle), error);
    await assert.rejects(settleRequest({ ...settle, acceptedAmount: '0.00000001' }), error);
    const [output] = await node.outputsTo(paid.address);
    assert(output);
    await settleRequest({ ...settle, acceptedAmount: amountText(output.amountUnits) });
    assert.equal(await referenceOf(world, paid.id), paid.reference);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test(
    'holds no request for a comparison that an operator asks for while the node is away',
    async () => {
      const asked = await requested(world);
      await connectLitecoin(world, { ...node.access, port: 1 });
      const { lines, isComplete } = await reconcilePayouts(world.parts);
      assert.deepEqual([lines[0], isComplete], ['litecoin: not compared: The node is not reachable.', false]);
      await cancelWithdrawal(world.parts, asked.member, asked.id);
      await connectLitecoin(world, node.access);
    },
  );

  await t.test('ends a comparison that can never be made, by an act with a reason', async () => {
    const [open, checked, unpaid] = [await requested(world), await requested(world), await requested(world)];
    const backup = await backUp(t, world);
    await approve(world, checked.id);
    await pay(world);
    const reference = await referenceOf(world, checked.id);
    world = await backup.restore();
    await sweepPayouts(world.parts);
    const again = await backUp(t, world);
    await pay(world);
    await approve(world, open.id);
    await pay(world);
    world = await again.restore();
    const { parts } = world;
    await connectLitecoin(world, { ...node.access, port: 1 });
    await sweepPayouts(parts);
    for (const { id, member } of [open, unpaid])
      await assert.rejects(cancelWithdrawal(parts, member, id), IN_CHECK);
    const refused = await reconcilePayouts(parts, { method: 'litecoin' });
    assert.match(
      refused.lines[0] ?? '',
      /^litecoin: the account was not changed\. The database knows \d+ payments/,
    );
    assert.equal(refused.isComplete, false);
    assert.equal((await giveUpComparison(parts, 'dash', 'Gone')).isDone, false);
    assert.equal((await giveUpComparison(parts, 'litecoin', 'The coin is given up', true)).isDone, true);
    assert.equal((await giveUpComparison(parts, 'litecoin', 'Again')).isDone, false);
    const [act] = await world.owner.rows(sql`
      select reason, after from platform.acts where act = 'payout.reconcile' order by id desc limit 1`);
    assert.deepEqual(act, { reason: 'The coin is given up', after: { isGivenUp: true } });
    await cancelWithdrawal(parts, unpaid.member, unpaid.id);
    // The record of this node knows that it was paid.
    await assert.rejects(cancelWithdrawal(parts, open.member, open.id), IN_CHECK);
    await assert.rejects(cancelWithdrawal(parts, checked.member, checked.id), IN_CHECK);
    await assert.rejects(clearRequest({ ...actOn(checked.id), shown: [] }), {
      code: 'payout-unclear',
      extensions: { txIds: [reference] },
    });
    assert.equal((await noteNeverMade(parts, reference, 'Never made')).isDone, true);
    await clearRequest({ ...actOn(checked.id), shown: [reference] });
    await cancelWithdrawal(parts, checked.member, checked.id);
  });

  await t.test('compares with each account that paid since the copy, before anything goes on', async () => {
    await connectLitecoin(world, node.access);
    await pay(world);
    const [approved, pending, firstPaid] = [
      await requested(world),
      await requested(world),
      await requested(world),
    ];
    await approve(world, approved.id);
    const backup = await backUp(t, world);
    const useWallet = async (from: string, to: string) => {
      await node.call('unloadwallet', { wallet_name: from });
      await node.call('loadwallet', { filename: to });
    };
    // The former account pays one of them, and then another account pays the others.
    await undoApproval(world.parts, world.operator, approved.id);
    await approve(world, firstPaid.id);
    await pay(world);
    await useWallet('payouts', 'other');
    await node.fund();
    await reconcilePayouts(world.parts, { method: 'litecoin' });
    for (const { id } of [approved, pending]) await approve(world, id);
    await pay(world);

    world = await backup.restore();
    await pay(world);
    await useWallet('other', 'payouts');
    await pay(world);
    for (const { id, member } of [pending, firstPaid]) {
      await assert.rejects(cancelWithdrawal(world.parts, member, id), IN_CHECK);
      await assert.rejects(rejectWithdrawal(world.parts, world.operator, id, 'Wrong'), IN_CHECK);
    }
    for (const { address } of [approved, pending, firstPaid])
      assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
    const { state, trouble } = await world.owner.one<{ state: string; trouble: string | null }>(
      sql`select state, trouble from withdrawals.payouts where withdrawal_id = ${approved.id}`,
    );
    assert.deepEqual([state, trouble?.includes('may be paid already')], ['parked', true]);
  });
});
