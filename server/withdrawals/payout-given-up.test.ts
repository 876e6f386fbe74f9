import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import {
  ask,
  backUp,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  spendCoinsOf,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { failPayout, retryPayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { notePossible, parkUnprepared, replacePayment, turnNameOf } from './payout-queries.ts';
import { sweepPayouts } from './payouts.ts';
import { failPayout as failInDatabase, findPayout, park } from './queries.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { verifyTimeline } from './timelines.ts';

/** Points that must not return: of payouts whose own payment was made, or that another account may have paid. */
test('a payout that is given up on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  // A restore goes on from there: the next subtest uses the restored database.
  let world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);

  const requested = async () => {
    const [member, address] = [await world.member(2_000n), node.foreignAddress()];
    return { ...(await ask(world, member, 2_000n, address)), address, member };
  };
  const approve = (id: string) => approveWithdrawal(world.parts, world.operator, id);
  const approved = async () => {
    const withdrawal = await requested();
    await approve(withdrawal.id);
    return withdrawal;
  };
  const pay = async () => {
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
  };
  const act = (id: string) => ({ platform: world.parts, operatorId: world.operator, id, reason: 'Looked' });
  const payoutOf = async (id: string) => {
    const payout = await findPayout(world.database, id);
    assert(payout);
    return payout;
  };
  const inTurn = async (work: (lease: { name: string; token: bigint }) => Promise<unknown>) => {
    const lease = await takeLease(world.parts, turnNameOf('litecoin'));
    assert(lease);
    assert(await work(lease));
    await lease.release();
  };
  const connect = async (wallet: 'payouts' | 'other', former: string) => {
    await node.call('loadwallet', { filename: wallet });
    await node.call('unloadwallet', { wallet_name: former });
  };
  /** A payout that is queued again, although the payment that it had can still be made. */
  const queuedAgain = async () => {
    const withdrawal = await approved();
    await sweepNow(world);
    const { reference, artifact } = await payoutOf(withdrawal.id);
    assert(reference && artifact);
    const payout = { withdrawalId: withdrawal.id, reference };
    await inTurn((lease) => replacePayment(world.database, lease, payout, null, 'Lapsed'));
    return { ...withdrawal, reference, bytes: JSON.parse(artifact).bytesHex as string };
  };
  const expectPaid = async ({ id, member, address }: { id: string; member: number; address: string }) => {
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
    assert.equal(await balanceOf(world, member), 0n);
    assert.deepEqual(await faultsOfBooks(world), []);
  };

  await t.test('keeps its points when an operator names its own former payment, which paid it', async () => {
    const payout = await queuedAgain();
    await node.mine(1);
    const given = failPayout({ ...act(payout.id), shown: [payout.reference] });
    await assert.rejects(given, {
      code: 'payout-unclear',
      message: `${payout.reference} was prepared for this payout and was made after all.`,
    });
    const { reference, clearedReferences } = await payoutOf(payout.id);
    assert.deepEqual([reference, clearedReferences], [payout.reference, []]);
    await sweepNow(world);
    await expectPaid(payout);
    const acts = await world.owner.rows(sql`select after from platform.acts where target = ${payout.id}
      and act = 'payout.fail'`);
    assert.deepEqual(acts, [{ after: { state: 'halted' } }]);
  });

  await t.test('keeps its own former payment when it is tried again while the node is away', async () => {
    const { id, address: destination } = await approved();
    await storeUnsent(world.parts, id);
    await spendCoinsOf(world, node, id, [await node.ownAddress(), '0.1']);
    await node.mine(1);
    const reference = 'a'.repeat(64);
    await world.owner.rows(sql`
      insert into withdrawals.former_payments (method, reference, withdrawal_id, artifact, reason, ended_at)
      values ('litecoin', ${reference}, ${id}, 'former', 'Lapsed', platform.business_now())`);
    const payments = [{ reference, destination, amountUnits: 1n, at: new Date(), withdrawalId: null }];
    await inTurn((lease) => park(world.database, lease, id, 'Refused'));
    await inTurn((lease) =>
      notePossible(world.database, lease, id, { payments, references: [reference], reason: 'Paid?' }),
    );
    await node.kill();
    await retryPayout({ ...act(id), shown: [reference] });
    await node.start();
    assert.deepEqual((await payoutOf(id)).clearedReferences, []);
    await world.owner.rows(sql`update withdrawals.payouts set cleared_references = ${[reference]}::text[]
      where withdrawal_id = ${id}`);
    assert.deepEqual((await payoutOf(id)).clearedReferences, [], 'whatever was stored before');
    const acts = await world.owner.rows(sql`select after from platform.acts where target = ${id}
      and act = 'payout.retry'`);
    assert.deepEqual(acts, [{ after: { state: 'parked', cleared: [] } }]);
  });

  await t.test('keeps its points while the list of the account that paid is awaited', async () => {
    await world.owner.rows(sql`update withdrawals.payouts set state = 'failed' where state = 'parked'`);
    world = await startWorld({ after }, ['litecoin']);
    await connectLitecoin(world, node.access);
    await pay();
    const [paid, parked, later] = [await approved(), await approved(), await requested()];
    const other = 'f'.repeat(64);
    const possible = { payments: [], references: [other], reason: 'Paid?' };
    await inTurn((lease) => parkUnprepared(world.database, lease, parked.id, possible));
    const backup = await backUp({ after }, world);
    await retryPayout({ ...act(parked.id), shown: [other] });
    await pay();
    await node.call('createwallet', { wallet_name: 'other' });
    await node.call('unloadwallet', { wallet_name: 'payouts' });
    await node.fund();
    assert.equal((await reconcilePayouts(world.parts, { method: 'litecoin' })).isComplete, true);
    await approve(later.id);
    await pay();
    world = await backup.restore();
    await verifyTimeline(world.parts);
    await sweepPayouts(world.parts);

    await assert.rejects(failPayout(act(paid.id)), { code: 'payout-halted' });
    await assert.rejects(failPayout(act(parked.id)), {
      code: 'payout-unavailable',
      message: /Each account that paid since the copy must be connected once/,
    });
    assert.match((await readPayout(world.database, paid.id)).trouble ?? '', /must be connected once/);
    for (const { id, member, address } of [paid, parked]) {
      const { state } = await payoutOf(id);
      const { status } = await world.database.transaction((tx) => failInDatabase(tx, id, state, 'Looked'));
      assert.equal(status, 'changed', 'the database refuses it as well');
      assert.equal(await balanceOf(world, member), 0n);
      assert.equal((await node.outputsTo(address)).length, 1);
    }

    await connect('payouts', 'other');
    await sweepNow(world);
    await connect('other', 'payouts');
    await sweepNow(world);
    for (const { id, member } of [paid, parked]) {
      assert.equal((await payoutOf(id)).state, 'parked', 'it may be paid already');
      assert.equal(await balanceOf(world, member), 0n);
    }
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});
