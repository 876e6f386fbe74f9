import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { ask, connectLitecoin, faultsOfBooks, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { settlePayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { reconcilePayouts } from './reconcile-command.ts';

/** A method that pays from another wallet than before. */
test('the wallet that pays, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);

  const requested = async () => {
    const [member, address] = [await world.member(2_000n), node.foreignAddress()];
    return { ...(await ask(world, member, 2_000n, address)), address, member };
  };
  const approve = (id: string) => approveWithdrawal(world.parts, world.operator, id);
  const stateOf = async (id: string) => (await readPayout(world.database, id)).state;
  const accountOf = async () =>
    (await world.owner.row<{ account: string }>(sql`select account from withdrawals.paying_accounts`))
      ?.account;
  const changeAccount = (isLost = false) => reconcilePayouts(world.parts, { method: 'litecoin', isLost });

  await t.test('is not changed while a payout is sent or may be paid already, which it lists', async () => {
    const [sent, parked] = [await requested(), await requested()];
    await approve(sent.id);
    await approve(parked.id);
    const amount = (await readPayout(world.database, parked.id)).coinAmount;
    const byHand = String(await node.call('sendtoaddress', { address: parked.address, amount }));
    await sweepNow(world);
    assert.deepEqual([await stateOf(sent.id), await stateOf(parked.id)], ['broadcast', 'parked']);
    const account = await accountOf();
    const { reference } = await world.owner.one<{ reference: string }>(
      sql`select reference from withdrawals.payouts where withdrawal_id = ${sent.id}`,
    );
    const refused = await changeAccount();
    assert.equal(refused.isComplete, false);
    assert.match(refused.lines[0] ?? '', /^litecoin: the account was not changed\. Only the former account/);
    const listed = [
      `litecoin: payout ${sent.id} of ${amount} is broadcast: ${reference}`,
      `litecoin: payout ${parked.id} of ${amount} is parked: ${byHand}`,
    ];
    assert.deepEqual(refused.lines.slice(1, 3), listed);
    assert.equal(await accountOf(), account);
    const act = { platform: world.parts, operatorId: world.operator, id: parked.id, reason: 'Paid by hand' };
    await settlePayout({ ...act, reference: byHand });
    await node.mine(1);
    await sweepNow(world);
    assert.deepEqual([await stateOf(sent.id), await stateOf(parked.id)], ['confirmed', 'confirmed']);
    assert.equal((await changeAccount()).isComplete, true);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('is not changed silently for a method that is not set up', async () => {
    const { lines, isComplete } = await reconcilePayouts(world.parts, { method: 'dash' });
    assert.equal(isComplete, false);
    assert.match(lines[0] ?? '', /^dash: the account was not changed\. The method is not set up/);
  });

  await t.test('is changed all the same by an operator who says that it is lost', async () => {
    const { id } = await requested();
    await approve(id);
    await sweepNow(world);
    assert.equal((await changeAccount()).isComplete, false);
    assert.equal((await changeAccount(true)).isComplete, true);
    const acts = await world.owner.rows(sql`
      select after from platform.acts where act = 'payout.reconcile' and target = 'litecoin' order by id desc limit 1`);
    assert.deepEqual(acts, [{ after: { isLost: true } }]);
    await node.mine(1);
    await sweepNow(world);
  });
});
