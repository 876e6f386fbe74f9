import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import {
  ask,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { auditSite } from '../ledger/books.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, retryPayout, settlePayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { replacePayment, turnNameOf } from './payout-queries.ts';
import { findPayout } from './queries.ts';
import { railChecksOf } from './rail-audit.ts';
import { findArtifact } from './rails/coin/artifact.ts';
import { reconcilePayouts } from './reconcile-command.ts';

/** Payments of payouts that are not done, from a wallet that is lost: the present one knows nothing of them. */
test('payments of a lost wallet, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { database, owner, parts, operator } = world;
  const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the chain' });
  const payoutOf = (id: string) => readPayout(database, id);
  const actsOn = (id: string, name: string) =>
    owner.rows<{ after: unknown }>(
      sql`select after from platform.acts where target = ${id} and act = ${name} order by id`,
    );

  const sent = async () => {
    const [member, address] = [await world.member(2_000n), node.foreignAddress()];
    const { id } = await ask(world, member, 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    await sweepNow(world);
    const { reference } = (await findPayout(database, id)) ?? {};
    assert(reference);
    return { id, member, address, reference };
  };
  /** A payout that lost its payment, as if that could never be made. */
  const withFormer = async () => {
    const payout = await sent();
    const lease = await takeLease(parts, turnNameOf('litecoin'));
    assert(lease);
    const { id: withdrawalId, reference } = payout;
    assert(await replacePayment(database, lease, { withdrawalId, reference }, null, 'Lapsed'));
    await lease.release();
    return payout;
  };

  const spendOtherwise = async (id: string) => {
    const { artifact } = await owner.one<{ artifact: string }>(sql`
      select artifact from withdrawals.payouts where withdrawal_id = ${id} and artifact is not null
      union all select artifact from withdrawals.former_payments where withdrawal_id = ${id}`);
    const coins = findArtifact(artifact ?? '')?.inputs ?? [];
    const inputs = coins.map((one) => ({ txid: one.transactionId, vout: one.outputIndex }));
    const outputs = [{ [node.foreignAddress()]: '0.00100000' }];
    const hexstring = await node.call('createrawtransaction', { inputs, outputs });
    const { hex } = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
    await node.call('sendrawtransaction', { hexstring: hex, maxfeerate: 0 });
  };

  const made = await withFormer();
  const retried = await withFormer();
  const sentLate = await withFormer();
  const failed = await withFormer();
  const own = await sent();
  const ownFailed = await sent();
  await node.mine(1);
  await reconcilePayouts(parts);
  for (const { id, reference } of [made, retried, sentLate, failed]) {
    const { state, possibleTxIds } = await payoutOf(id);
    assert.deepEqual([state, possibleTxIds], ['parked', [reference]]);
  }
  const kept = await Promise.all(
    [made, own].map(
      async ({ reference: txid }) => ((await node.call('gettransaction', { txid })) as { hex: string }).hex,
    ),
  );
  // The block with the payments is gone, two of them are in another one, and one can never be made.
  await node.reorganise(1);
  await node.call('gettxoutsetinfo');
  await node.kill();
  await node.start(['-persistmempool=0', '-walletbroadcast=0']);
  await node.call('generateblock', { output: node.foreignAddress(), transactions: kept });
  for (const { id } of [retried, failed, ownFailed]) await spendOtherwise(id);
  await node.call('generatetoaddress', { nblocks: 1, address: node.foreignAddress() });
  await node.call('createwallet', { wallet_name: 'other', load_on_startup: true });
  await node.call('unloadwallet', { wallet_name: 'payouts', load_on_startup: false });
  await node.fund();
  const accepted = await reconcilePayouts(parts, {
    method: 'litecoin',
    isLost: true,
    reason: 'The disk broke',
  });
  assert.equal(accepted.isComplete, true, accepted.lines.join('\n'));

  await t.test('are named with what an operator can do, and no act goes without their name', async () => {
    await sweepNow(world);
    for (const { id, reference } of [retried, failed]) {
      const { state, possibleTxIds, trouble } = await payoutOf(id);
      assert.deepEqual([state, possibleTxIds], ['parked', [reference]]);
      assert.match(
        trouble ?? '',
        new RegExp(`${reference} was prepared .* from an account that pays no more`),
      );
      const error = { code: 'payout-unclear', extensions: { txIds: [reference] } };
      await assert.rejects(retryPayout(act(id)), error);
      await assert.rejects(failPayout(act(id)), error);
      await assert.rejects(settlePayout({ ...act(id), reference: own.reference }), {
        code: 'payment-mismatch',
      });
    }
  });

  await t.test('are never called unmade while the chain shows them', async () => {
    const seen = (reference: string) => new RegExp(`^${reference} was prepared .+ no more\\. It was sent:`);
    assert.match((await payoutOf(made.id)).trouble ?? '', seen(made.reference));
    for (const { id, reference } of [made, own])
      await assert.rejects(failPayout({ ...act(id), shown: [reference] }), { message: seen(reference) });
    await assert.rejects(retryPayout({ ...act(made.id), shown: [made.reference] }), {
      message: seen(made.reference),
    });
  });

  await t.test('end a payout as paid by the operator’s word', async () => {
    for (const { id, address, member, reference } of [made, own]) {
      await settlePayout({ ...act(id), reference });
      const { state, txId } = await payoutOf(id);
      assert.deepEqual([state, txId], ['confirmed', reference]);
      assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
      assert.equal(await balanceOf(world, member), 0n);
      assert.deepEqual(await actsOn(id, 'payout.settle'), [{ after: { state: 'confirmed', reference } }]);
      const notices = await owner.rows(
        sql`select from notices.notices where member_id = ${member} and kind = 'paid'`,
      );
      assert.equal(notices.length, 1);
    }
  });

  await t.test('are sent, and no other one, while they can still be made', async () => {
    const { id, address, reference } = sentLate;
    assert.match(
      (await payoutOf(id)).trouble ?? '',
      new RegExp(`${reference} was prepared .+ it still can be`),
    );
    await assert.rejects(failPayout({ ...act(id), shown: [reference] }));
    await changeSettings(database, 'sandbox', { payoutsPaused: true });
    await retryPayout({ ...act(id), shown: [reference] });
    assert.deepEqual(await actsOn(id, 'payout.retry'), [{ after: { state: 'signed', reference } }]);
    await sweepNow(world);
    await node.mine(1);
    assert.equal((await node.outputsTo(address)).length, 0, 'nothing is sent during a pause');
    assert.equal((await payoutOf(id)).state, 'signed');
    await changeSettings(database, 'sandbox', { payoutsPaused: false });
    await sweepNow(world);
    await node.mine(3);
    await sweepNow(world);
    await settlePayout({ ...act(id), reference });
    const { state, txId } = await payoutOf(id);
    assert.deepEqual([state, txId], ['confirmed', reference]);
    assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
  });

  await t.test('let a payout be paid anew by the operator’s word', async () => {
    const { id, address, reference } = retried;
    await retryPayout({ ...act(id), shown: [reference] });
    assert.deepEqual(await actsOn(id, 'payout.retry'), [
      { after: { state: 'queued', cleared: [reference] } },
    ]);
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
    const { state, txId } = await payoutOf(id);
    assert.equal(state, 'confirmed');
    assert.notEqual(txId, reference);
    assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
  });

  await t.test('return the points of a payout once by the operator’s word', async () => {
    const { id, member, address, reference } = failed;
    await failPayout({ ...act(id), shown: [reference] });
    assert.equal((await payoutOf(id)).state, 'failed');
    assert.deepEqual(await actsOn(id, 'payout.fail'), [{ after: { state: 'failed', cleared: [reference] } }]);
    assert.equal(await balanceOf(world, member), 2_000n);
    assert.equal((await node.outputsTo(address)).length, 0);
  });

  await t.test('return the points of a payout whose present payment can never be made', async () => {
    const { id, member, address, reference } = ownFailed;
    assert.equal((await payoutOf(id)).state, 'parked');
    const error = { code: 'payout-unclear', extensions: { txIds: [reference] } };
    await assert.rejects(failPayout(act(id)), error);
    assert.deepEqual((await payoutOf(id)).possibleTxIds, [reference], 'the operator is shown it');
    await failPayout({ ...act(id), shown: [reference] });
    assert.deepEqual(await actsOn(id, 'payout.fail'), [{ after: { state: 'failed', cleared: [reference] } }]);
    assert.equal(await balanceOf(world, member), 2_000n);
    assert.equal((await node.outputsTo(address)).length, 0);
  });

  await t.test('are no differences of the books', async () => {
    assert.deepEqual((await auditSite(parts, railChecksOf(parts))).differences, []);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});
