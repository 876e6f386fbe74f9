import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, randomRegtestAddress, startLitecoind } from '../../test/litecoind.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import {
  ask,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { coins } from '../sandbox/coin-registry.ts';
import { testPaymentMethod } from './connection.ts';
import { approveWithdrawal } from './decisions.ts';
import { settlePayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { findBoundAccount, findPayingAccount, notePayingAccount } from './payout-queries.ts';
import { reconcilePayouts } from './reconcile-command.ts';

test('an account that may have paid is left by an operator’s word alone', async () => {
  const { owner, parts, member, database, operator } = await startWorld({ after }, ['litecoin']);
  const noted = async (account: string) => {
    await notePayingAccount(database, 'litecoin', account);
    return findPayingAccount(database, 'litecoin');
  };
  assert.deepEqual([await noted('first'), await noted('second')], ['first', 'second']);
  const { id } = await ask({ parts } as World, await member(2_000n), 2_000n, randomRegtestAddress());
  await approveWithdrawal(parts, operator, id);
  assert.equal(await noted('third'), 'third', 'what is approved is not paid');
  const traces = [
    sql`update withdrawals.payouts set account = 'third'`,
    sql`update withdrawals.payouts set state = 'parked'`,
    sql`insert into withdrawals.former_payments (method, reference, withdrawal_id, artifact, reason, ended_at)
      values ('litecoin', 'one', ${id}, '', '', now())`,
    sql`insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at)
      values ('litecoin', 'one', 'somebody', 1, now(), now())`,
    sql`insert into withdrawals.reconciliations (method, reason, asked_at, done_at)
      values ('litecoin', 'A restore', now(), now())`,
  ];
  for (const trace of traces) {
    const undo = new Error('what this trace has changed');
    const tried = owner.transaction(async (tx) => {
      await tx.rows(trace);
      await notePayingAccount(tx, 'litecoin', 'fourth');
      assert.equal(await findPayingAccount(tx, 'litecoin'), 'third', JSON.stringify(trace));
      assert.equal(await findBoundAccount(tx, 'litecoin'), 'third');
      throw undo;
    });
    await assert.rejects(tried, undo);
  }
  assert.equal(await noted('fourth'), 'fourth');
  await owner.rows(sql`update withdrawals.payouts set state = 'parked'`);
  assert.equal(await noted('fifth'), 'fourth');
  for (const { id: coin } of coins) {
    await owner.rows(sql`insert into withdrawals.methods (method) values (${coin}) on conflict do nothing`);
    await owner.rows(sql`insert into withdrawals.reconciliations (method, reason, asked_at, done_at)
      values (${coin}, 'A restore', now(), now())`);
    const mayHavePaid = async (account: string) =>
      (await owner.one<{ may: boolean }>(sql`select withdrawals.may_have_paid(${coin}, ${account}) as may`))
        .may;
    assert.equal(await mayHavePaid('another'), true);
    for (const network of ['main', 'test', 'regtest']) {
      const simulated = createHash('sha256').update(`${coin} ${network} seed`).digest('hex').slice(0, 40);
      assert.equal(await mayHavePaid(simulated), false, `${coin} ${network}`);
    }
  }
});

/** A method that pays from another wallet than before. */
test('the wallet that pays, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });

  const requested = async () => {
    const [member, address] = [await world.member(2_000n), node.foreignAddress()];
    return { ...(await ask(world, member, 2_000n, address)), address, member };
  };
  const approve = (id: string) => approveWithdrawal(world.parts, world.operator, id);
  const stateOf = async (id: string) => (await readPayout(world.database, id)).state;
  const accountOf = async () =>
    (await world.owner.row<{ account: string }>(sql`select account from withdrawals.paying_accounts`))
      ?.account;
  /** What the test of the connection says of the former payments; null if the account may pay. */
  const faultOfTest = async () => {
    const test = { method: 'litecoin', body: undefined, operatorId: world.operator };
    const last = (await testPaymentMethod(world.parts, test)).steps.at(-1);
    assert.equal(last?.name, 'payments');
    return last.ok ? null : last.text;
  };
  const changeAccount = (isLost = false) => reconcilePayouts(world.parts, { method: 'litecoin', isLost });

  await t.test('may be an own one after the sandbox’s node and after a wallet that never paid', async () => {
    const simulated = await startSandboxCoinNode({ after });
    await connectLitecoin(world, simulated.access);
    const bySandbox = await requested();
    await approve(bySandbox.id);
    await sweepNow(world);
    await simulated.mine(1);
    await sweepNow(world);
    assert.equal(await stateOf(bySandbox.id), 'confirmed');
    await connectLitecoin(world, node.access);
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.call('createwallet', { wallet_name: 'empty' });
    const first = await requested();
    await approve(first.id);
    await sweepNow(world);
    assert.equal(await stateOf(first.id), 'queued', 'this wallet has nothing');
    const empty = await accountOf();
    await node.call('unloadwallet', { wallet_name: 'empty' });
    await node.call('loadwallet', { filename: 'payouts' });
    assert.equal(await faultOfTest(), null);
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
    assert.equal(await stateOf(first.id), 'confirmed');
    assert.equal((await node.outputsTo(first.address)).length, 1);
    assert.notEqual(await accountOf(), empty);
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.call('loadwallet', { filename: 'empty' });
    assert.match((await faultOfTest()) ?? '', /^The account that pays is another one than before/);
    await node.call('unloadwallet', { wallet_name: 'empty' });
    await node.call('loadwallet', { filename: 'payouts' });
  });

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
