import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { json, sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import {
  ask,
  backUp,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { firstWithdrawal, readWithdrawalDifferences } from './audit-queries.ts';
import { approveWithdrawal } from './decisions.ts';
import { settle } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/** A payout of an older copy that was approved again at another rate, and that a payment of the former rate paid. */
test('a payout that was paid at another rate, on a Litecoin chain', {
  skip: litecoindMissing(),
}, async (t) => {
  let world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  await world.owner.rows(sql`
    update withdrawals.methods set settings = ${json({ confirmations: 2 })}::jsonb where method = 'litecoin'`);
  const [member, address] = [await world.member(2_000n), node.foreignAddress()];
  const { id } = await ask(world, member, 2_000n, address);
  const backup = await backUp(t, world);
  await approveWithdrawal(world.parts, world.operator, id);
  await sweepNow(world);
  const paid = await readPayout(world.database, id);
  assert(paid.txId);
  world = await backup.restore();
  world.rates.body = '{"litecoin":{"usd":80.1},"dash":{"usd":25}}';
  await world.owner.rows(sql`delete from withdrawals.rates`);
  await approveWithdrawal(world.parts, world.operator, id);
  await sweepNow(world);
  const approved = await readPayout(world.database, id);
  assert.deepEqual([approved.state, approved.possibleTxIds], ['parked', [paid.txId]]);
  assert.notEqual(approved.coinAmount, paid.coinAmount);
  const given = { id, reason: 'It was paid before the restore', reference: paid.txId };
  const settled = (acceptedAmount?: string) =>
    settle({ platform: world.parts, operatorId: world.operator, ...given, acceptedAmount });
  const actsOf = () =>
    world.owner.rows<{ before: unknown; after: unknown }>(sql`
      select before, after from platform.acts where act = 'payout.settle' and target = ${id}`);

  await t.test('names the amount that an operator can accept', async () => {
    const other = `It pays this recipient ${paid.coinAmount}, and the payout is ${approved.coinAmount}.`;
    for (const amount of [undefined, approved.coinAmount])
      await assert.rejects(settled(amount), {
        code: 'payment-mismatch',
        message: `${other} State this amount to accept it.`,
        extensions: { acceptableAmount: paid.coinAmount },
      });
  });

  await t.test('takes no amount of a payment that is not final', async () => {
    await assert.rejects(settled(paid.coinAmount), {
      code: 'payment-mismatch',
      message: `${paid.txId} is not final yet, so its amount can’t be accepted.`,
    });
    assert.equal((await readPayout(world.database, id)).coinAmount, approved.coinAmount);
  });

  await t.test('takes no amount of a payment that may not have paid it', async () => {
    const reference = String(await node.call('sendtoaddress', { address, amount: '0.9' }));
    await node.mine(2);
    await world.owner.rows(sql`
      update withdrawals.payouts set cleared_references = ${[reference]}::text[] where withdrawal_id = ${id}`);
    const act = { platform: world.parts, operatorId: world.operator, id, reason: 'Mine', reference };
    await assert.rejects(settle({ ...act, acceptedAmount: '0.9' }), {
      code: 'payment-mismatch',
      extensions: {},
    });
    // No act says that an operator called it another's, which the audit would find.
    await world.owner.rows(
      sql`update withdrawals.payouts set cleared_references = '{}' where withdrawal_id = ${id}`,
    );
  });

  await t.test('is marked as paid with what was paid, by one act', async () => {
    const answers = await Promise.allSettled([settled(paid.coinAmount), settled(paid.coinAmount)]);
    assert.deepEqual(
      answers.map((one) => (one.status === 'rejected' ? one.reason.code : one.status)),
      ['fulfilled', 'fulfilled'],
    );
    const [act, ...more] = await actsOf();
    assert.deepEqual(more, []);
    assert.deepEqual(act?.after, { state: 'broadcast', reference: paid.txId, payoutAmount: paid.coinAmount });
    assert.equal((act?.before as { payoutAmount: string }).payoutAmount, approved.coinAmount);
    await sweepNow(world);
    const ended = await readPayout(world.database, id);
    assert.deepEqual([ended.state, ended.txId, ended.coinAmount], ['confirmed', paid.txId, paid.coinAmount]);
    assert.equal((await readWithdrawal(world.database, id)).coinAmount, paid.coinAmount);
    assert.equal(
      (await node.outputsTo(address)).filter(({ amountUnits }) => amountUnits < 90_000_000n).length,
      1,
    );
    assert.equal(await balanceOf(world, member), 0n);
    assert.deepEqual(await faultsOfBooks(world), []);
    assert.deepEqual(await readWithdrawalDifferences(world.owner, firstWithdrawal, null), []);
  });
});
