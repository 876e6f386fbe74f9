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
  runProcess,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { type Failpoint, payoutFailpoints } from './failpoint.ts';
import { syncWithdrawal } from './payout-acts.ts';
import { amountText, amountUnits } from './payout-amount.ts';
import { sweepPayouts } from './payouts.ts';
import { findArtifact } from './rails/coin/artifact.ts';
import { litecoinWallet } from './rails/litecoin/rail.ts';
import { readWithdrawal } from './withdrawal-list.ts';
import { readWithdrawals } from './withdrawals.ts';

const skip = litecoindMissing();
const CAMPAIGN_RUNS = Number(process.env.CAMPAIGN_RUNS ?? 1);

test('payouts on a Litecoin chain', { skip }, async (t) => {
  const world = await startWorld({ after });
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { parts, operator, owner, database } = world;

  const approved = async (amountPoints = 1_000n, address = node.foreignAddress()) => {
    const member = await world.member(amountPoints);
    const { id } = await ask(world, member, amountPoints, address);
    await approveWithdrawal(parts, operator, id);
    return { id, member, address };
  };
  const payoutOf = async (id: string) =>
    owner.one<{
      state: string;
      trouble: string | null;
      artifact: string | null;
      reference: string | null;
    }>(sql`select state, trouble, artifact, reference from withdrawals.payouts where withdrawal_id = ${id}`);
  const stateOf = async (id: string) => (await payoutOf(id)).state;
  /** Sweeps and mines blocks until the payout is finished. */
  const finish = async (id: string) => {
    for (let round = 0; round < 10; round += 1) {
      await sweepNow(world);
      const { state } = await payoutOf(id);
      if (state === 'confirmed' || state === 'failed') return;
      await node.mine(1);
    }
  };
  /** Spends the coins of a stored payment in another payment. @returns its id */
  const spendOtherwise = async (id: string, outputs: Record<string, string>) => {
    const stored = findArtifact((await payoutOf(id)).artifact ?? '');
    assert(stored);
    const outpoints = stored.inputs.map((input) => ({ txid: input.transactionId, vout: input.outputIndex }));
    await node.call('lockunspent', { unlock: true, transactions: outpoints });
    const hexstring = await node.call('createrawtransaction', { inputs: outpoints, outputs: [outputs] });
    const { hex } = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
    return String(await node.call('sendrawtransaction', { hexstring: hex, maxfeerate: 0 }));
  };
  const confirmationsWanted = (count: number) =>
    owner.rows(sql`
      update withdrawals.methods set settings = jsonb_build_object('confirmations', ${count}::integer)
      where method = 'litecoin'`);

  await t.test(
    'pays an approved withdrawal with exactly the amount, and shows the transaction’s id',
    async () => {
      const { id, member, address } = await approved();
      const isConfirmed = async () =>
        (await readWithdrawals(parts, member, { page: 1, limit: 10 })).data[0]?.isConfirmed;
      assert.equal(await isConfirmed(), false);
      await finish(id);
      assert.equal(await isConfirmed(), true);
      const shown = await readWithdrawal(database, id);
      assert.equal(shown.payoutState, 'confirmed');
      const outputs = await node.outputsTo(address);
      assert.equal(outputs.length, 1);
      assert.equal(outputs[0]?.transactionId, shown.txId);
      assert.equal(amountText(outputs[0]?.amountUnits ?? 0n), shown.coinAmount);
      const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
      assert.equal(data[0]?.txId, shown.txId);
      assert.deepEqual(await faultsOfBooks(world), []);
    },
  );

  // bulk-decisions.test.ts kills the process between the rows of an act on many.
  for (const name of payoutFailpoints) {
    for (let run = 1; run <= CAMPAIGN_RUNS; run += 1) {
      await t.test(`pays once when the process is killed ${name.replaceAll('_', ' ')} (${run})`, () =>
        killAt(name),
      );
    }
  }

  /** Only the process that is killed is one of its own. All other steps are made here, as by the next node. */
  async function killAt(name: Failpoint): Promise<void> {
    const member = await world.member(5_000n);
    const address = node.foreignAddress();
    const dies = async (task: Parameters<typeof runProcess>[1]) =>
      assert.equal(await runProcess(world, task, name), 'SIGKILL', `${task.act} at ${name}`);
    const requestKey = 'the only one';
    if (name === 'after_hold')
      await dies({ act: 'request', memberId: member, amountPoints: '1234', address, requestKey });
    else await ask(world, member, 1_234n, address, requestKey);
    // The member's browser repeats the request with the same key.
    const { id } = await ask(world, member, 1_234n, address, requestKey);
    assert.equal(await balanceOf(world, member), 3_766n);
    const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
    assert.deepEqual(
      data.map((one) => one.id),
      [id],
    );
    if (name === 'after_approve') await dies({ act: 'approve', operatorId: operator, id });
    else await approveWithdrawal(parts, operator, id);
    if (name === 'after_confirm') {
      await sweepPayouts(parts);
      await node.mine(1);
      await owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
    }
    if (name !== 'after_hold' && name !== 'after_approve') await dies({ act: 'sweep' });
    const { artifact: storedArtifact } = await payoutOf(id);
    await sweepPayouts(parts);
    await finish(id);
    const shown = await readWithdrawal(database, id);
    assert.equal(shown.payoutState, 'confirmed');
    const outputs = await node.outputsTo(address);
    assert.equal(outputs.length, 1, 'one output on the chain');
    assert.equal(outputs[0]?.transactionId, shown.txId);
    assert.equal(outputs[0]?.amountUnits, amountUnits(shown.coinAmount));
    if (storedArtifact !== null)
      assert.equal((await payoutOf(id)).artifact, storedArtifact, 'the very same payment');
    assert.equal(await balanceOf(world, member), 3_766n);
    assert.deepEqual(await faultsOfBooks(world), []);
  }

  await t.test('pays each payout once when several processes sweep concurrently', async () => {
    const payouts = [];
    for (let count = 0; count < 12; count += 1) payouts.push(await approved(1_000n + BigInt(count)));
    await Promise.all([1, 2].map(() => runProcess(world, { act: 'sweep' })));
    await sweepPayouts(parts);
    await node.mine(1);
    await sweepNow(world);
    for (const { id, address } of payouts) {
      assert.equal(await stateOf(id), 'confirmed');
      assert.equal((await node.outputsTo(address)).length, 1);
    }
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('fails a payout that the rail refuses permanently, and returns the points once', async () => {
    const { id, member } = await approved(2_000n, await node.ownAddress());
    assert.equal(await balanceOf(world, member), 0n);
    world.announced.length = 0;
    await Promise.all([sweepPayouts(parts), sweepPayouts(parts)]);
    await sweepNow(world);
    const shown = await readWithdrawal(database, id);
    assert.equal(shown.status, 'rejected');
    assert.equal(shown.payoutState, 'failed');
    assert.equal(
      shown.rejectionReason,
      'The payout was refused: The address belongs to the payout wallet itself.',
    );
    assert.equal(await balanceOf(world, member), 2_000n);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test(
    'waits while the node is down or its wallet lacks coins, and pays when the node is back',
    async () => {
      const poor = await approved(100_000_000_000n);
      const { id, address } = await approved();
      await node.kill();
      await sweepNow(world);
      assert.equal(await stateOf(id), 'queued');
      assert.equal((await payoutOf(id)).trouble, 'The node is not reachable.');
      await node.start();
      await finish(id);
      assert.equal(await stateOf(id), 'confirmed');
      assert.equal((await node.outputsTo(address)).length, 1);
      assert.equal(await stateOf(poor.id), 'queued');
      assert.match((await payoutOf(poor.id)).trouble ?? '', /^The wallet lacks .* -4: Insufficient funds$/);
      await owner.rows(
        sql`update withdrawals.payouts set due_at = 'infinity' where withdrawal_id = ${poor.id}`,
      );
      await owner.rows(sql`select withdrawals.fail_payout(${poor.id}, 'queued', 'Too much for this test')`);
      assert.deepEqual(await faultsOfBooks(world), []);
    },
  );

  await t.test('waits for an estimate of the fee, says what to set, and pays later', async () => {
    await node.kill();
    await node.start(['-fallbackfee=0']);
    const { id, address } = await approved();
    for (let sweep = 0; sweep < 3; sweep += 1) await sweepNow(world);
    assert.equal(await stateOf(id), 'queued');
    assert.match((await payoutOf(id)).trouble ?? '', /set fallbackfee .* It says: -4: Fee estimation failed/);
    await node.kill();
    await node.start();
    await finish(id);
    assert.equal((await node.outputsTo(address)).length, 1);
  });

  await t.test('pays once when the node is killed after the broadcast', async () => {
    const { id, address } = await approved();
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast');
    await node.kill();
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast');
    await node.start();
    await finish(id);
    assert.equal(await stateOf(id), 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1);
  });

  await t.test('says that the wallet does not list a sent payment, until it is loaded again', async () => {
    const { id, address } = await approved();
    await sweepNow(world);
    assert.deepEqual([await stateOf(id), (await payoutOf(id)).trouble], ['broadcast', null]);
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.call('createwallet', { wallet_name: 'another' });
    await sweepNow(world);
    const { state, trouble } = await payoutOf(id);
    assert.equal(state, 'broadcast');
    assert.match(trouble ?? '', /^The account that pays does not list this payment\./);
    await node.call('unloadwallet', { wallet_name: 'another' });
    await node.call('loadwallet', { filename: 'payouts' });
    await sweepNow(world);
    assert.equal((await payoutOf(id)).trouble, null);
    await finish(id);
    assert.equal(await stateOf(id), 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1);
  });

  await t.test(
    'says that a forgotten payment was sent again and refused, and pays it when taken',
    async () => {
      const { id, address } = await approved();
      await sweepNow(world);
      await node.kill();
      await node.start(['-minrelaytxfee=0.1']);
      await sweepNow(world);
      const { state, trouble } = await payoutOf(id);
      assert.equal(state, 'broadcast');
      assert.match(
        trouble ?? '',
        /^It was sent again and not taken: The network fee is below .* -26: .*relay fee/,
      );
      await node.kill();
      await node.start();
      await finish(id);
      assert.deepEqual([await stateOf(id), (await payoutOf(id)).trouble], ['confirmed', null]);
      assert.equal((await node.outputsTo(address)).length, 1);
      assert.deepEqual(await faultsOfBooks(world), []);
    },
  );

  await t.test('waits again after a chain reorganisation, and confirms on the new chain', async () => {
    await confirmationsWanted(3);
    const { id, address } = await approved();
    await sweepNow(world);
    await node.mine(2);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast', 'two of three blocks');
    await node.reorganise(2);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast');
    await node.mine(2);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast');
    await node.mine(1);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1);
    await confirmationsWanted(1);
  });

  await t.test(
    'parks a payout when another payment spent its coins, then fails it once and returns the points',
    async () => {
      await confirmationsWanted(3);
      const { id, member, address } = await approved();
      await storeUnsent(parts, id);
      await spendOtherwise(id, { [node.foreignAddress()]: '0.00100000' });
      await sweepNow(world);
      assert.equal(await stateOf(id), 'signed', 'the rival is in no block yet');
      await node.mine(1);
      await sweepNow(world);
      assert.equal(await stateOf(id), 'parked');
      assert.equal(await balanceOf(world, member), 0n, 'nothing returns while the payment might still win');
      await node.mine(1);
      await sweepNow(world);
      assert.equal(await stateOf(id), 'parked');
      await node.mine(1);
      await Promise.all([sweepNow(world), syncWithdrawal(parts, id, operator)]);
      assert.equal(await stateOf(id), 'failed');
      assert.equal((await readWithdrawal(database, id)).status, 'rejected');
      assert.equal(await balanceOf(world, member), 1_000n);
      assert.deepEqual(await node.outputsTo(address), []);
      assert.deepEqual(await faultsOfBooks(world), []);
      await confirmationsWanted(1);
    },
  );

  await t.test('adopts a manual payment with the same coins to the same address', async () => {
    await confirmationsWanted(3);
    const { id, member, address } = await approved();
    await storeUnsent(parts, id);
    const { reference } = await payoutOf(id);
    const byHand = await spendOtherwise(id, {
      [address]: (await readWithdrawal(database, id)).coinAmount ?? '',
    });
    await node.mine(1);
    await sweepNow(world);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast');
    assert.equal((await readWithdrawal(database, id)).txId, byHand);
    const replaced = await owner.rows(sql`
      select reference from withdrawals.former_payments where withdrawal_id = ${id}`);
    assert.deepEqual(
      replaced,
      [{ reference }],
      'so that the wallet’s list of it is no payment of another payout',
    );
    await node.mine(2);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'confirmed');
    assert.equal(await balanceOf(world, member), 0n, 'who was paid gets no points back');
    assert.equal((await node.outputsTo(address)).length, 1);
    assert.deepEqual(await faultsOfBooks(world), []);
    await confirmationsWanted(1);
  });

  await t.test('leaves a manual payment of another amount to an operator', async () => {
    const { id, member, address } = await approved();
    await storeUnsent(parts, id);
    await spendOtherwise(id, { [address]: '0.00100000' });
    await node.mine(8);
    for (let look = 0; look < 3; look += 1) await sweepNow(world);
    assert.equal(await stateOf(id), 'parked');
    assert.match((await payoutOf(id)).trouble ?? '', /pays the same address another amount/);
    assert.equal(await balanceOf(world, member), 0n);
  });

  await t.test('pays a parked payout after a reorganisation removes the rival’s block', async () => {
    await confirmationsWanted(3);
    const { id, address } = await approved();
    await storeUnsent(parts, id);
    await owner.rows(sql`update withdrawals.payouts set state = 'parked' where withdrawal_id = ${id}`);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'broadcast', 'its coins are free after all');
    await node.mine(3);
    await sweepNow(world);
    assert.equal(await stateOf(id), 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1);
    await confirmationsWanted(1);
  });

  await t.test('advances a payout when an operator asks, and leaves a finished one unchanged', async () => {
    const { id } = await approved();
    await sweepNow(world);
    await node.mine(1);
    await owner.rows(sql`update withdrawals.payouts set due_at = 'infinity' where withdrawal_id = ${id}`);
    assert.equal((await syncWithdrawal(parts, id, operator)).payoutState, 'confirmed');
    assert.equal((await syncWithdrawal(parts, id, operator)).payoutState, 'confirmed');
    const queued = await approved();
    assert.equal((await syncWithdrawal(parts, queued.id, operator)).payoutState, 'queued');
    await finish(queued.id);
    await assert.rejects(syncWithdrawal(parts, '00000000-0000-4000-8000-000000000000', operator), {
      code: 'not-found',
    });
  });

  await t.test('paid every confirmed payout on the chain to the unit, and nothing else', async () => {
    const rows = await owner.rows<{ destination: string; amount_units: bigint; state: string }>(
      sql`select destination, amount_units, state from withdrawals.payouts`,
    );
    const wallet = litecoinWallet(node.access, 'regtest');
    let paid = 0n;
    for (const { destination: address, amount_units: unitsOwed, state } of rows) {
      if ((await wallet.validateAddress(address)).kind === 'refused') continue; // the wallet’s own address
      if (state === 'parked') continue; // paid manually with another amount, above
      const outputs = await node.outputsTo(address);
      const sum = outputs.reduce((total, output) => total + output.amountUnits, 0n);
      assert.equal(sum, state === 'confirmed' ? unitsOwed : 0n, `${address} ${state}`);
      paid += sum;
    }
    assert(paid > 0n);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});
