import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import {
  ask,
  auditOfDecisions,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  spendCoinsOf,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { failPayout, retryPayout, settlePayout, undoApproval } from './payout-acts.ts';
import { amountText } from './payout-amount.ts';
import { readPayout } from './payout-list.ts';
import { turnNameOf } from './payout-queries.ts';
import { readWithdrawal } from './withdrawal-list.ts';

test('operators’ acts on payouts, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  const world = await startWorld({ after });
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { parts, owner, operator } = world;

  const approved = async (address = node.foreignAddress()) => {
    const member = await world.member(2_000n);
    const { id } = await ask(world, member, 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    return { id, member, address };
  };
  const payoutOf = (id: string) => readPayout(parts.database, id);
  const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' });
  const amountOf = async (id: string) => (await payoutOf(id)).coinAmount;
  const payByHand = async (address: string, amount: string) =>
    String(await node.call('sendtoaddress', { address, amount }));
  const trailOf = (id: string) =>
    owner.rows<{ act: string; reason: string | null; operator: number | null }>(sql`
      select act, reason, operator_id as operator from platform.acts
      where target = ${id} and act like 'payout.%' order by id`);
  const finish = async () => {
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
  };
  const spendOtherwise = (id: string) => spendCoinsOf(world, node, id, [node.foreignAddress(), '0.00100000']);
  /** A payout that a payment by hand may have paid. */
  const held = async () => {
    const payout = await approved();
    const byHand = await payByHand(payout.address, await amountOf(payout.id));
    await sweepNow(world);
    assert.equal((await payoutOf(payout.id)).state, 'parked');
    return { ...payout, byHand };
  };

  await t.test('settles a payout by the payment that an operator names', async () => {
    const { id, address, byHand, member } = await held();
    assert.match((await payoutOf(id)).trouble ?? '', new RegExp(byHand));
    await assert.rejects(failPayout(act(id)), { code: 'payout-unclear' });
    const settled = await settlePayout({ ...act(id), reference: byHand });
    assert.deepEqual([settled.state, settled.txId], ['broadcast', byHand]);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.equal((await payoutOf(id)).trouble, null);
    assert.equal((await node.outputsTo(address)).length, 1);
    assert.equal(await balanceOf(world, member), 0n);
    assert.deepEqual(await trailOf(id), [{ act: 'payout.settle', reason: 'Looked at the wallet', operator }]);
    await assert.rejects(settlePayout({ ...act(id), reference: byHand }), { code: 'payout-finished' });
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test(
    'refuses a payment of another amount, to another, of another payout, or that is none',
    async () => {
      const one = await held();
      const other = await held();
      const less = await payByHand(one.address, '0.00100000');
      const none = '0'.repeat(64);
      await assert.rejects(settlePayout({ ...act(one.id), reference: less }), {
        message:
          /^It pays this recipient 0\.00100000, and the payout is [\d.]+\. State this amount to accept it\.$/,
      });
      for (const reference of [less, other.byHand, none, 'x'])
        await assert.rejects(
          settlePayout({ ...act(one.id), reference }),
          { code: 'payment-mismatch' },
          reference,
        );
      const both = await approved(one.address);
      await settlePayout({ ...act(one.id), reference: one.byHand });
      await assert.rejects(settlePayout({ ...act(both.id), reference: one.byHand }), {
        code: 'payment-mismatch',
      });
      assert.deepEqual(await trailOf(both.id), []);
      await settlePayout({ ...act(other.id), reference: other.byHand });
      await retryPayout(act(both.id));
      await finish();
    },
  );

  await t.test('takes one payment for one payout, whatever the spelling of its id', async () => {
    const one = await approved();
    await finish();
    const { txId } = await payoutOf(one.id);
    const both = await approved(one.address);
    const reference = txId?.toUpperCase() ?? '';
    await assert.rejects(settlePayout({ ...act(both.id), reference }), { code: 'payment-mismatch' });
    await finish();
    assert.equal((await node.outputsTo(one.address)).length, 2);
    const other = await held();
    const settled = await settlePayout({ ...act(other.id), reference: other.byHand.toUpperCase() });
    assert.equal(settled.txId, other.byHand);
    await finish();
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('settles by no payment of another wallet, and again where the wallet lost one', async () => {
    const { id, address, byHand } = await held();
    const another = await payByHand(address, await amountOf(id));
    // The wallet forgets the payment, which the node still has: to the wallet it is another's.
    await node.call('removeprunedfunds', { txid: byHand });
    const byOther = settlePayout({ ...act(id), reference: byHand });
    await assert.rejects(byOther, {
      code: 'payment-mismatch',
      message: /^The paying wallet does not list this/,
    });
    await node.mine(1);
    await settlePayout({ ...act(id), reference: byHand });
    await assert.rejects(settlePayout({ ...act(id), reference: another }), { code: 'payout-unclear' });
    await node.call('removeprunedfunds', { txid: byHand });
    await sweepNow(world);
    assert.match((await payoutOf(id)).trouble ?? '', /^The account that pays does not list this payment/);
    assert.equal((await settlePayout({ ...act(id), reference: another })).txId, another);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    await node.call('rescanblockchain');
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('pays a payout whose listed payments are others, as an operator says', async () => {
    const { id, address, byHand } = await held();
    await assert.rejects(retryPayout(act(id)), { code: 'payout-unclear', extensions: { txIds: [byHand] } });
    assert.equal((await retryPayout({ ...act(id), shown: [byHand] })).state, 'queued');
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.equal((await node.outputsTo(address)).length, 2, 'by hand, and for the payout');
    const later = await approved(address);
    await finish();
    assert.equal((await payoutOf(later.id)).state, 'parked', 'the payment by hand may be this one’s');
    await retryPayout({ ...act(later.id), shown: (await payoutOf(later.id)).possibleTxIds });
    const another = await payByHand(address, await amountOf(later.id));
    await sweepNow(world);
    assert.match((await payoutOf(later.id)).trouble ?? '', new RegExp(another), 'one that nobody cleared');
    await settlePayout({ ...act(later.id), reference: another });
    await finish();
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('tries no payout again whose payment the operator has not seen', async () => {
    const { id, address, byHand } = await held();
    assert.deepEqual((await payoutOf(id)).possibleTxIds, [byHand]);
    const unseen = await payByHand(address, await amountOf(id));
    const refused = { code: 'payout-unclear', extensions: { txIds: [unseen, byHand] } };
    await assert.rejects(retryPayout({ ...act(id), shown: [byHand] }), refused);
    await assert.rejects(retryPayout({ ...act(id), shown: [byHand] }), refused, 'it is no row that says so');
    const shown = await payoutOf(id);
    assert.deepEqual([shown.state, shown.possibleTxIds], ['parked', [unseen, byHand]]);
    const paid = shown.possiblePayments.map((one) => [one.coinAmount, one.address, one.isSameAddress]);
    assert.deepEqual(paid[0], [await amountOf(id), address, true]);
    assert.deepEqual(await trailOf(id), []);
    await finish();
    assert.equal((await node.outputsTo(address)).length, 2);
    await settlePayout({ ...act(id), reference: unseen });
    await finish();
    const later = await held();
    const refusedUnseen = { code: 'payout-unclear' };
    const added = await payByHand(later.address, await amountOf(later.id));
    await assert.rejects(retryPayout({ ...act(later.id), shown: [later.byHand] }), refusedUnseen);
    const named = [added, later.byHand];
    assert.deepEqual((await payoutOf(later.id)).possibleTxIds, named);
    await assert.rejects(retryPayout(act(later.id)), refusedUnseen, 'the payout names both by then');
    assert.equal((await retryPayout({ ...act(later.id), shown: named })).state, 'queued');
  });

  await t.test('gives up a payout that was not paid, and returns the points once', async () => {
    const { id, member } = await approved();
    world.announced.length = 0;
    const answers = await Promise.allSettled([failPayout(act(id)), failPayout(act(id))]);
    // The second one may end what the first one halted. Then both are told that it has ended.
    assert(answers.some(({ status }) => status === 'fulfilled'));
    for (const answer of answers)
      if (answer.status === 'rejected') assert.equal(answer.reason.code, 'payout-finished');
    assert.equal((await payoutOf(id)).state, 'failed');
    assert.equal(await balanceOf(world, member), 2_000n);
    assert.equal((await trailOf(id)).length, 1);
    assert(world.announced.some(({ memberId }) => memberId === member));
    await assert.rejects(retryPayout(act(id)), { code: 'payout-finished' });
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('lets nobody act on a payout of their own', async () => {
    const { id, member } = await held();
    const own = { ...act(id), operatorId: member };
    const refused = { code: 'own-request' };
    await assert.rejects(retryPayout(own), refused);
    await assert.rejects(failPayout(own), refused);
    await assert.rejects(settlePayout({ ...own, reference: 'any' }), refused);
    assert.deepEqual(await trailOf(id), []);
  });

  await t.test('gives up no payout whose payment may still be made', async () => {
    const { id, member } = await approved();
    await storeUnsent(parts, id);
    await assert.rejects(failPayout(act(id)), { code: 'payout-unclear' });
    await sweepNow(world);
    await assert.rejects(failPayout(act(id)), { code: 'payout-unclear' });
    assert.equal(await balanceOf(world, member), 0n);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.deepEqual(await trailOf(id), []);
  });

  await t.test('settles no payout by hand while its own payment may still be made', async () => {
    const { id, address } = await approved();
    await storeUnsent(parts, id);
    const byHand = await payByHand(address, await amountOf(id));
    await assert.rejects(settlePayout({ ...act(id), reference: byHand }), { code: 'payout-unclear' });
    await spendOtherwise(id);
    await node.mine(1);
    assert.equal((await settlePayout({ ...act(id), reference: byHand })).txId, byHand);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.equal(amountText((await node.outputsTo(address))[0]?.amountUnits ?? 0n), await amountOf(id));
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('changes nothing while another process has the turn or the rail is away', async () => {
    const { id } = await approved();
    const lease = await takeLease(parts, turnNameOf('litecoin'));
    assert(lease);
    await assert.rejects(retryPayout(act(id)), { code: 'payout-busy' });
    await owner.rows(sql`
      update withdrawals.payouts set due_at = due_at - interval '1 minute' where withdrawal_id = ${id}`);
    const { trouble, troubleAt, isTroubled } = await payoutOf(id);
    assert.match(trouble ?? '', /^Process \d+ on \S+ is working on these payouts\.$/);
    assert.match(troubleAt ?? '', /^20\d\d-/);
    assert.equal(isTroubled, true);
    await lease.release();
    await node.kill();
    await assert.rejects(settlePayout({ ...act(id), reference: '0'.repeat(64) }), {
      code: 'payout-unavailable',
    });
    assert.deepEqual(await trailOf(id), []);
    await node.start();
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
  });

  await t.test('ends a payout that was stopped while the node was away, unless it may be paid', async () => {
    const [undone, failed, byHand] = [await approved(), await approved(), await approved()];
    await node.kill();
    const halted = { code: 'payout-halted' };
    await assert.rejects(undoApproval(parts, operator, undone.id), halted);
    for (const { id } of [failed, byHand]) await assert.rejects(failPayout(act(id)), halted);
    await node.start();
    const payment = await payByHand(byHand.address, await amountOf(byHand.id));
    await finish();
    assert.equal((await readWithdrawal(parts.database, undone.id)).status, 'pending');
    assert.equal((await payoutOf(failed.id)).state, 'failed');
    const shown = await payoutOf(byHand.id);
    assert.deepEqual([shown.state, shown.possibleTxIds], ['parked', [payment]]);
    const balances = [undone, failed, byHand].map(({ member }) => balanceOf(world, member));
    assert.deepEqual(await Promise.all(balances), [0n, 2_000n, 0n]);
    await settlePayout({ ...act(byHand.id), reference: payment });
    await finish();
    for (const { address } of [undone, failed]) assert.deepEqual(await node.outputsTo(address), []);
    assert.equal((await node.outputsTo(byHand.address)).length, 1);
    await rejectWithdrawal(parts, operator, undone.id, 'A wrong one');
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('gives a payout up whose listed payments are others, as an operator says', async () => {
    const { id, member, address } = await approved();
    const other = await payByHand(address, '0.00100000');
    const unclear = { code: 'payout-unclear', extensions: { txIds: [other] } };
    await assert.rejects(failPayout(act(id)), unclear);
    assert.deepEqual((await payoutOf(id)).possibleTxIds, [other]);
    await assert.rejects(failPayout({ ...act(id), shown: ['f'.repeat(64)] }), unclear);
    assert.equal(await balanceOf(world, member), 0n);
    await failPayout({ ...act(id), shown: [other] });
    assert.equal(await balanceOf(world, member), 2_000n);
    await finish();
    assert.equal((await node.outputsTo(address)).length, 1);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  /** A signed payout whose coins were spent otherwise, beside a payment by hand of another sum. */
  const spentOtherwise = async () => {
    const payout = await approved();
    await storeUnsent(parts, payout.id);
    await spendOtherwise(payout.id);
    const other = await payByHand(payout.address, '0.00100000');
    await finish();
    await sweepNow(world);
    const { state, possibleTxIds } = await payoutOf(payout.id);
    assert.deepEqual([state, possibleTxIds], ['parked', [other]]);
    return { ...payout, other };
  };

  await t.test('ends a payout whose own payment failed beside a payment of another sum', async () => {
    const [given, retried] = [await spentOtherwise(), await spentOtherwise()];
    await assert.rejects(failPayout(act(given.id)), { code: 'payout-unclear' });
    await failPayout({ ...act(given.id), shown: [given.other] });
    const unseen = await payByHand(retried.address, '0.00200000');
    await assert.rejects(retryPayout(act(retried.id)), { code: 'payout-unclear' });
    await retryPayout({ ...act(retried.id), shown: [retried.other, unseen] });
    await finish();
    for (const { id, member } of [given, retried]) {
      assert.equal((await payoutOf(id)).state, 'failed');
      assert.equal(await balanceOf(world, member), 2_000n);
    }
    const cleared = await owner.one<{ cleared: string[] }>(sql`
      select cleared_references as cleared from withdrawals.payouts where withdrawal_id = ${retried.id}`);
    assert.deepEqual(cleared.cleared.toSorted(), [retried.other, unseen].toSorted());
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('settles two payouts by one transaction that paid both', async () => {
    const [one, other, same] = [await approved(), await approved(), await approved()];
    const amounts: Record<string, string> = {};
    for (const { id, address } of [one, other]) amounts[address] = await amountOf(id);
    const txId = String(await node.call('sendmany', { dummy: '', amounts }));
    const byHand = await payByHand(same.address, await amountOf(same.id));
    await sweepNow(world);
    assert.equal((await settlePayout({ ...act(one.id), reference: txId })).txId, txId);
    const again = await approved(one.address);
    await assert.rejects(settlePayout({ ...act(again.id), reference: txId }), { code: 'payment-mismatch' });
    assert.equal((await payoutOf(other.id)).state, 'parked', 'what paid one may have paid this one as well');
    await assert.rejects(failPayout(act(other.id)), { code: 'payout-unclear' });
    assert.equal((await settlePayout({ ...act(other.id), reference: txId })).txId, txId);
    await assert.rejects(settlePayout({ ...act(same.id), reference: txId }), { code: 'payment-mismatch' });
    await settlePayout({ ...act(same.id), reference: byHand });
    await failPayout(act(again.id));
    await finish();
    for (const { id, address } of [one, other, same]) {
      assert.equal((await payoutOf(id)).state, 'confirmed');
      assert.equal((await node.outputsTo(address)).length, 1);
    }
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test(
    'pays a payout that a replacement of another one’s payment parked, when that one has it',
    async () => {
      const first = await approved();
      await storeUnsent(parts, first.id);
      const second = await approved(first.address);
      await spendCoinsOf(world, node, first.id, [first.address, await amountOf(first.id)]);
      await sweepNow(world);
      assert.equal((await payoutOf(second.id)).state, 'parked', 'nobody accounts for the replacement yet');
      await sweepNow(world);
      assert.equal((await payoutOf(second.id)).state, 'parked');
      await node.mine(1);
      await finish();
      await finish();
      for (const { id } of [first, second]) assert.equal((await payoutOf(id)).state, 'confirmed', id);
      assert.equal((await node.outputsTo(first.address)).length, 2);
      assert.deepEqual(await faultsOfBooks(world), []);
      assert.deepEqual(await auditOfDecisions(world), []);
    },
  );
});
