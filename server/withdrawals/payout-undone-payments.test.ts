import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { json, sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import {
  ask,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, retryPayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { replacePayment, turnNameOf } from './payout-queries.ts';
import { findPayout } from './queries.ts';
import { findArtifact } from './rails/coin/artifact.ts';
import { reconcilePayouts } from './reconcile-command.ts';

/** A payment that a payout had before, that is listed again, and that may be made or undone. */
test('former payments of payouts on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  const { database, parts, operator } = world;
  const FINAL_DEPTH = 3;
  await connectLitecoin(world, node.access);
  await world.owner.rows(sql`
    update withdrawals.methods set settings = ${json({ confirmations: FINAL_DEPTH })}::jsonb
    where method = 'litecoin'`);
  const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' });
  const payoutOf = (id: string) => readPayout(database, id);
  const outputCountTo = async (address: string) => (await node.outputsTo(address)).length;

  /** A payout that lost its payment, as if that could never be made. The payment is in the mempool all the same. */
  const withFormer = async () => {
    const [member, address] = [await world.member(2_000n), node.foreignAddress()];
    const { id } = await ask(world, member, 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    await sweepNow(world);
    const { reference, artifact } = (await findPayout(database, id)) ?? {};
    assert(reference && artifact);
    const lease = await takeLease(parts, turnNameOf('litecoin'));
    assert(lease);
    assert(await replacePayment(database, lease, { withdrawalId: id, reference }, null, 'Lapsed'));
    await lease.release();
    return { id, member, address, reference, inputs: findArtifact(artifact)?.inputs ?? [] };
  };
  /** Kills the node, and starts it without the payments that no block has. */
  const dropUnmined = async () => {
    await node.call('gettxoutsetinfo');
    await node.kill();
    await node.start(['-persistmempool=0', '-walletbroadcast=0']);
  };
  const spendOtherwise = async (coins: Awaited<ReturnType<typeof withFormer>>['inputs']) => {
    const inputs = coins.map((one) => ({ txid: one.transactionId, vout: one.outputIndex }));
    const outputs = [{ [await node.ownAddress()]: '0.5' }];
    const hexstring = await node.call('createrawtransaction', { inputs, outputs });
    const { hex } = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
    await node.call('sendrawtransaction', { hexstring: hex, maxfeerate: 0 });
  };

  await t.test('waits for one that is listed again and not final, and pays no other', async () => {
    const { id, address, reference } = await withFormer();
    await sweepNow(world);
    assert.equal(await outputCountTo(address), 1, 'no second payment');
    const { state, trouble } = await payoutOf(id);
    assert.equal(state, 'queued');
    assert.match(String(trouble), new RegExp(`^${reference} was prepared for this payout before`));
    await assert.rejects(failPayout(act(id)), { code: 'payout-halted' });
    await retryPayout(act(id));
    await node.mine(FINAL_DEPTH);
    await sweepNow(world);
    await sweepNow(world);
    const paid = await payoutOf(id);
    assert.deepEqual([paid.state, paid.txId], ['confirmed', reference]);
    assert.equal(await outputCountTo(address), 1);
  });

  await t.test('keeps no other payout waiting: three that wait for their own are no outage', async () => {
    const waiting = [await withFormer(), await withFormer(), await withFormer()];
    const address = node.foreignAddress();
    const { id } = await ask(world, await world.member(2_000n), 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    await sweepNow(world);
    for (const one of waiting)
      assert.match((await payoutOf(one.id)).trouble ?? '', new RegExp(`^${one.reference} was prepared`));
    assert.equal((await payoutOf(id)).state, 'broadcast');
    await node.mine(FINAL_DEPTH);
    await sweepNow(world);
    await sweepNow(world);
    for (const one of [...waiting, { id }]) assert.equal((await payoutOf(one.id)).state, 'confirmed');
  });

  await t.test(
    'is paid once or returned once, as an operator says, after one was undone for good',
    async () => {
      const [retried, failed] = [await withFormer(), await withFormer()];
      await node.mine(FINAL_DEPTH);
      await reconcilePayouts(parts);
      for (const { id, reference } of [retried, failed]) {
        const { state, possibleTxIds } = await payoutOf(id);
        assert.deepEqual([state, possibleTxIds], ['parked', [reference]]);
      }
      await node.reorganise(FINAL_DEPTH);
      await dropUnmined();
      for (const { inputs } of [retried, failed]) await spendOtherwise(inputs);
      await node.mine(1);
      await sweepNow(world);
      const notYet = { ...act(retried.id), shown: [retried.reference] };
      await assert.rejects(retryPayout(notYet), {
        code: 'payout-unavailable',
        message: new RegExp(`^${retried.reference} was prepared for this payout before`),
      });
      await assert.rejects(failPayout({ ...act(failed.id), shown: [failed.reference] }), {
        code: 'payout-unavailable',
      });

      await node.mine(FINAL_DEPTH - 1);
      await sweepNow(world);
      for (const { id, reference } of [retried, failed]) {
        const { state, possibleTxIds, trouble } = await payoutOf(id);
        assert.deepEqual([state, possibleTxIds], ['parked', []]);
        assert.match(String(trouble), new RegExp(`can never be made any more: ${reference}\\.`));
      }
      await failPayout({ ...act(failed.id), shown: [failed.reference] });
      const { after: told } = await world.owner.one<{ after: unknown }>(sql`
      select after from platform.acts where act = 'payout.fail' and target = ${failed.id} order by id desc limit 1`);
      assert.deepEqual(told, { state: 'failed' }, 'its own payment is not called another’s');
      await retryPayout(act(retried.id));
      await sweepNow(world);
      await node.mine(FINAL_DEPTH);
      await sweepNow(world);
      assert.equal((await payoutOf(retried.id)).state, 'confirmed');
      assert.equal(await outputCountTo(retried.address), 1, 'paid once');
      assert.equal((await payoutOf(failed.id)).state, 'failed');
      assert.equal(await outputCountTo(failed.address), 0);
      assert.equal(await balanceOf(world, failed.member), 2_000n, 'returned once');
      assert.deepEqual(await faultsOfBooks(world), []);
    },
  );
});
