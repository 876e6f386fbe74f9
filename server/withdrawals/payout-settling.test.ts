import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import {
  ask,
  auditOfDecisions,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  runProcess,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, settlePayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { findPayout } from './queries.ts';
import { noteCheck } from './request-check-queries.ts';
import { settleRequest } from './request-checks.ts';

/** One payment settles one payout, whoever names it, how often, and what took its place meanwhile. */
test('one payment for one payout, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { parts, owner, database, operator } = world;
  const other = await world.member(0n, { role: 'admin' });

  const requested = async (address = node.foreignAddress()) => {
    const member = await world.member(2_000n);
    return { ...(await ask(world, member, 2_000n, address)), member, address };
  };
  const approved = async (address?: string) => {
    const payout = await requested(address);
    await approveWithdrawal(parts, operator, payout.id);
    return payout;
  };
  const payoutOf = (id: string) => readPayout(database, id);
  const act = (id: string, operatorId = operator) => ({
    platform: parts,
    operatorId,
    id,
    reason: 'Looked at the wallet',
  });
  const payByHand = async (address: string, amount: string) =>
    String(await node.call('sendtoaddress', { address, amount, replaceable: true }));
  /** Makes the node drop the payments that are in no block, and send none of the wallet by itself. */
  const dropUnmined = async () => {
    // This call writes the newest blocks to the disk.
    await node.call('gettxoutsetinfo');
    await node.kill();
    await node.start(['-persistmempool=0', '-walletbroadcast=0']);
  };
  /** Replaces a dropped payment by one with the same coins, which pays the same and leaves the rest as its fee. */
  const replace = async (txid: string, address: string, amount: string) => {
    const { hex } = (await node.call('gettransaction', { txid })) as { hex: string };
    const { vin } = (await node.call('decoderawtransaction', { hexstring: hex })) as {
      vin: { txid: string; vout: number }[];
    };
    const inputs = vin.map(({ txid: id, vout }) => ({ txid: id, vout }));
    const hexstring = await node.call('createrawtransaction', { inputs, outputs: [{ [address]: amount }] });
    const signed = (await node.call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
    return String(await node.call('sendrawtransaction', { hexstring: signed.hex, maxfeerate: 0 }));
  };
  const finish = async () => {
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
  };
  const settledActs = async (ids: readonly string[]) =>
    (
      await owner.rows(sql`
        select id from platform.acts where act = 'payout.settle' and target = any (${ids}::text[])`)
    ).length;
  const paymentCount = async () =>
    (
      await owner.one<{ count: bigint }>(
        sql`select sum(payment_count)::bigint as count from withdrawals.timelines`,
      )
    ).count;
  /** Expects that one of two acts at once succeeded, and returns why the other was refused. */
  const refusalOf = async (acts: readonly Promise<unknown>[]) => {
    const answers = await Promise.allSettled(acts);
    const refused = answers.filter((answer) => answer.status === 'rejected');
    assert.equal(refused.length, 1, JSON.stringify(answers));
    const { code, message } = refused[0]?.reason as { code: string; message: string };
    return [code, message];
  };
  const expectOneOutput = async (address: string) =>
    assert.equal((await node.outputsTo(address)).length, 1, 'paid once');

  await t.test('settles one of two payouts for which two operators name it at once', async () => {
    const one = await approved();
    const two = await approved(one.address);
    const reference = await payByHand(one.address, (await payoutOf(one.id)).coinAmount);
    await sweepNow(world);
    const refused = await refusalOf([
      settlePayout({ ...act(one.id), reference }),
      settlePayout({ ...act(two.id, other), reference }),
    ]);
    const isFirst = (await payoutOf(one.id)).txId === reference;
    const [winner, loser] = isFirst ? [one, two] : [two, one];
    assert.deepEqual(refused, ['payment-mismatch', `It is the payment of withdrawal ${winner.id}.`]);
    assert.equal(await settledActs([one.id, two.id]), 1);
    await failPayout(act(loser.id));
    await finish();
    assert.equal((await payoutOf(winner.id)).state, 'confirmed');
    await expectOneOutput(one.address);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('is named for the same payout twice at once, and counted once', async () => {
    const { id, address } = await approved();
    const reference = await payByHand(address, (await payoutOf(id)).coinAmount);
    await sweepNow(world);
    const before = await paymentCount();
    const settled = await Promise.all([
      settlePayout({ ...act(id), reference }),
      settlePayout({ ...act(id, other), reference }),
    ]);
    assert.deepEqual(
      settled.map(({ state, txId }) => [state, txId]),
      [
        ['broadcast', reference],
        ['broadcast', reference],
      ],
    );
    assert.deepEqual([await settledActs([id]), await paymentCount()], [1, before + 1n]);
    await finish();
  });

  await t.test('stays as it was prepared when an operator names it', async () => {
    const { id } = await approved();
    assert.equal(await runProcess(world, { act: 'sweep' }, 'after_broadcast'), 'SIGKILL');
    const stored = await findPayout(database, id);
    assert(stored?.reference);
    assert.equal(stored.state, 'signed');
    const before = await paymentCount();
    await settlePayout({ ...act(id), reference: stored.reference });
    const { artifact, isFound, state } = (await findPayout(database, id)) ?? {};
    assert.deepEqual([artifact, isFound, state], [stored.artifact, false, 'broadcast']);
    assert.equal(await paymentCount(), before);
    await finish();
  });

  /** A pending request that a payment by hand may have paid. */
  const checked = async (id: string, reference: string, destination: string) => {
    const at = new Date();
    const payments = [{ reference, destination, amountUnits: 1n, at, withdrawalId: null }];
    await database.transaction((tx) =>
      noteCheck(tx, id, { payments, references: [reference], reason: 'It may be paid already.' }),
    );
  };

  await t.test('settles a request with an accepted amount once, for two operators at once', async () => {
    const { id, address } = await requested();
    const reference = await payByHand(address, '0.50000000');
    await checked(id, reference, address);
    const settle = (operatorId: number, acceptedAmount: string) =>
      settleRequest({ ...act(id, operatorId), reference, acceptedAmount });
    await assert.rejects(settle(operator, '0.40000000'), { code: 'payment-mismatch' });
    const [code] = await refusalOf([settle(operator, '0.50000000'), settle(other, '0.50000000')]);
    assert.equal(code, 'already-decided');
    assert.equal(await settledActs([id]), 1);
    await finish();
    assert.deepEqual([(await payoutOf(id)).state, (await payoutOf(id)).txId], ['confirmed', reference]);
    await expectOneOutput(address);
  });

  await t.test('settles one of two requests to one address with an accepted amount', async () => {
    const one = await requested();
    const two = await requested(one.address);
    const reference = await payByHand(one.address, '0.50000000');
    for (const { id } of [one, two]) await checked(id, reference, one.address);
    const settle = ({ id }: { id: string }, operatorId: number) =>
      settleRequest({ ...act(id, operatorId), reference, acceptedAmount: '0.5' });
    const refused = await refusalOf([settle(one, operator), settle(two, other)]);
    const [row] = await owner.rows<{ id: string }>(sql`
      select withdrawal_id as id from withdrawals.payouts where reference = ${reference}`);
    assert.deepEqual(refused, ['payment-mismatch', `It is the payment of withdrawal ${row?.id}.`]);
    await finish();
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('is not one that another transaction has replaced', async () => {
    const { id, address } = await approved();
    const { coinAmount: amount } = await payoutOf(id);
    const replaced = await payByHand(address, amount);
    await dropUnmined();
    const present = await replace(replaced, address, amount);
    await sweepNow(world);
    const settle = (reference: string) => settlePayout({ ...act(id), reference });
    const refused = { code: 'payment-mismatch', message: `Another transaction took its place: ${present}.` };
    await assert.rejects(settle(replaced), refused);
    assert.equal((await settle(present)).txId, present);
    await finish();
    await assert.rejects(settle(replaced), { code: 'payout-finished' });
    assert.equal((await payoutOf(id)).state, 'confirmed');
    await expectOneOutput(address);
  });

  await t.test('is the payment of one payout after its replacement was named for another', async () => {
    const one = await approved();
    const two = await approved(one.address);
    const { coinAmount: amount } = await payoutOf(one.id);
    const replaced = await payByHand(one.address, amount);
    await sweepNow(world);
    await settlePayout({ ...act(one.id), reference: replaced });
    const present = await replace(replaced, one.address, amount);
    await settlePayout({ ...act(two.id), reference: present });
    await finish();
    await sweepNow(world);
    assert.equal((await payoutOf(two.id)).state, 'confirmed');
    const { state, trouble } = await payoutOf(one.id);
    assert.deepEqual([state, trouble], ['parked', `${present} is another payout’s payment.`]);
    const taken = { code: 'payment-mismatch', message: `It is the payment of withdrawal ${two.id}.` };
    await assert.rejects(settlePayout({ ...act(one.id), reference: present }), taken);
    await failPayout(act(one.id));
    assert.deepEqual([await balanceOf(world, one.member), await balanceOf(world, two.member)], [2_000n, 0n]);
    await expectOneOutput(one.address);
    assert.deepEqual(await faultsOfBooks(world), []);
    assert.deepEqual(await auditOfDecisions(world), []);
  });
});
