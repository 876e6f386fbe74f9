import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
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
import { findArtifact } from './rails/coin/artifact.ts';

/** Payments that may have paid a payout, and that the coin node lists no more. */
test('a payment that is listed no more', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after });
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { parts, owner, operator } = world;
  const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' });
  const payoutOf = (id: string) => readPayout(parts.database, id);
  const approved = async () => {
    const member = await world.member(2_000n);
    const address = node.foreignAddress();
    const { id } = await ask(world, member, 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    return { id, member, address };
  };
  /** Pays a payout by hand, lets the sweep note it, and makes the node forget it. Returns it as bytes. */
  const payAndForget = async ({ id, address }: { id: string; address: string }) => {
    const { coinAmount: amount } = await payoutOf(id);
    const txid = String(await node.call('sendtoaddress', { address, amount }));
    const { hex } = (await node.call('gettransaction', { txid })) as { hex: string };
    await sweepNow(world);
    assert.equal((await payoutOf(id)).state, 'parked');
    assert.deepEqual(
      (await payoutOf(id)).possiblePayments.map(({ txId }) => txId),
      [txid],
    );
    // This call writes the newest blocks to the disk.
    await node.call('gettxoutsetinfo');
    await node.kill();
    await node.start(['-persistmempool=0', '-walletbroadcast=0']);
    await node.call('abandontransaction', { txid });
    return { txid, hex };
  };

  await t.test('keeps a payout whose own payment can’t be made from being given up by itself', async () => {
    const payout = await approved();
    await storeUnsent(parts, payout.id);
    const { artifact } = await owner.one<{ artifact: string }>(
      sql`select artifact from withdrawals.payouts where withdrawal_id = ${payout.id}`,
    );
    const inputs = (findArtifact(artifact)?.inputs ?? []).map(({ transactionId, outputIndex }) => ({
      txid: transactionId,
      vout: outputIndex,
    }));
    await node.call('lockunspent', { unlock: true, transactions: inputs });
    const outputs = [{ [node.foreignAddress()]: '0.00100000' }];
    const hexstring = await node.call('createrawtransaction', { inputs, outputs });
    const { hex: rival } = (await node.call('signrawtransactionwithwallet', { hexstring })) as {
      hex: string;
    };
    await node.call('sendrawtransaction', { hexstring: rival, maxfeerate: 0 });
    await node.mine(1);
    await sweepNow(world);
    const { txid, hex } = await payAndForget(payout);
    await sweepNow(world);
    await sweepNow(world);
    assert.equal((await payoutOf(payout.id)).state, 'parked');
    assert.match((await payoutOf(payout.id)).trouble ?? '', new RegExp(txid));
    await node.call('sendrawtransaction', { hexstring: hex });
    await node.mine(1);
    assert.equal(await balanceOf(world, payout.member), 0n, 'it was paid, so no point returned');
  });

  await t.test('must be named before its payout is tried again or given up', async () => {
    const payout = await approved();
    const { txid } = await payAndForget(payout);
    const { id, member } = payout;
    await assert.rejects(failPayout(act(id)), { code: 'payout-unclear' });
    await assert.rejects(retryPayout({ ...act(id), shown: [] }), { code: 'payout-unclear' });
    assert.equal((await payoutOf(id)).state, 'parked');
    await failPayout({ ...act(id), shown: [txid] });
    assert.equal(await balanceOf(world, member), 2_000n);
    const acts = await owner.rows<{ after: { cleared?: string[] } }>(
      sql`select after from platform.acts where target = ${id} and act = 'payout.fail'`,
    );
    assert.deepEqual(acts.at(-1)?.after.cleared, [txid]);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});
