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
  spendCoinsOf,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import { auditSite } from '../ledger/books.ts';
import { approveWithdrawal } from './decisions.ts';
import { noteNotOwed } from './notes-command.ts';
import { failPayout, settlePayout } from './payout-acts.ts';
import { amountText } from './payout-amount.ts';
import { readPayout } from './payout-list.ts';
import { railChecksOf } from './rail-audit.ts';
import { findArtifact } from './rails/coin/artifact.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { findSentPayments, keyOf } from './sent-payments.ts';

test('payments that take the place of others, on a Litecoin chain', {
  skip: litecoindMissing(),
}, async (t) => {
  const world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const { parts, owner, operator } = world;

  const approved = async (address = node.foreignAddress()) => {
    const member = await world.member(2_000n);
    const { id } = await ask(world, member, 2_000n, address);
    await approveWithdrawal(parts, operator, id);
    return { id, member, address };
  };
  const signed = async () => {
    const payout = await approved();
    await storeUnsent(parts, payout.id);
    return payout;
  };
  const payoutOf = (id: string) => readPayout(parts.database, id);
  const act = (id: string) => ({ platform: parts, operatorId: operator, id, reason: 'Looked at the wallet' });
  const finish = async () => {
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
  };
  const findDifferences = async () => (await auditSite(parts, railChecksOf(parts))).differences;
  /** Expects that the record of sent payments, which no restore changes, says whose payment it is. */
  const expectRecorded = async (id: string, reference: string) => {
    const { destination, points } = await owner.one<{ destination: string; points: bigint }>(sql`
      select destination, amount_points as points from withdrawals.withdrawals where id = ${id}`);
    const sought = { method: 'litecoin', reference, destination };
    const found = (await findSentPayments(parts.config.dataDir, [sought])).get(keyOf(sought));
    assert.deepEqual([found?.withdrawalId, found?.points], [id, String(points)]);
  };

  /** What the command says about a payment that no payout accounts for. */
  const findUnaccounted = async (reference: string) =>
    (await reconcilePayouts(parts)).lines.filter((line) => line.includes(`for ${reference}, `));
  /** Expects that one payment is told by the audit and by the command, until an operator takes note of it. */
  const expectTold = async (reference: string, withdrawal: string) => {
    const [difference, ...more] = await findDifferences();
    assert.match(difference?.actual ?? '', new RegExp(`, ${withdrawal}$`));
    assert.deepEqual([difference?.check, difference?.subject, more], ['rail-payments', reference, []]);
    const [line] = await findUnaccounted(reference);
    assert.equal((await noteNotOwed(parts, [reference], 'Looked into')).isDone, true);
    assert.match(
      line ?? '',
      /^litecoin: no payout accounts for .+: (revoke them: )?revoke --key paid-\S+ (MEMBER POINTS|\d+ 2000)$/,
    );
    assert.deepEqual(await findUnaccounted(reference), []);
    assert.deepEqual(await findDifferences(), []);
  };

  await t.test('tells a payment of a failed payout that was mined after all', async () => {
    const { id, member, address } = await signed();
    const { artifact, reference } = await owner.one<{ artifact: string; reference: string }>(
      sql`select artifact, reference from withdrawals.payouts where withdrawal_id = ${id}`,
    );
    await spendCoinsOf(world, node, id, [node.foreignAddress(), '0.00100000']);
    await finish();
    await sweepNow(world);
    assert.equal((await payoutOf(id)).state, 'failed');
    assert.equal(await balanceOf(world, member), 2_000n);
    assert.deepEqual([await findDifferences(), await findUnaccounted(reference)], [[], []]);
    await node.reorganise(1);
    const transactions = [findArtifact(artifact)?.bytesHex ?? ''];
    await node.call('generateblock', { output: await node.ownAddress(), transactions });
    await node.mine(1);
    assert.equal((await node.outputsTo(address)).length, 1);
    const again = await approved(address);
    await sweepNow(world);
    const parked = await payoutOf(again.id);
    assert.deepEqual(
      [parked.state, parked.possibleTxIds],
      ['parked', [reference]],
      'the points paid already',
    );
    await failPayout({ ...act(again.id), shown: [reference] });
    await expectTold(reference, `a payment of withdrawal ${id}, which failed`);
  });

  await t.test('tells a former payment of a payout that another one paid', async () => {
    const { id, address } = await approved();
    const amount = (await payoutOf(id)).coinAmount;
    const byHand = async () => String(await node.call('sendtoaddress', { address, amount }));
    const [former, present] = [await byHand(), await byHand()];
    await sweepNow(world);
    await settlePayout({ ...act(id), reference: former });
    await node.call('removeprunedfunds', { txid: former });
    await sweepNow(world);
    await settlePayout({ ...act(id), reference: present });
    await expectRecorded(id, present);
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    // The wallet has found the former one in a block again.
    await expectTold(former, `a former payment of withdrawal ${id}`);
  });

  /** A payout whose coins a payment of another amount to the same address spent. */
  const underpaid = async () => {
    const payout = await signed();
    const rival = await spendCoinsOf(world, node, payout.id, [payout.address, '0.01000000']);
    await sweepNow(world);
    return { ...payout, rival };
  };

  await t.test('gives a payout up whose coins paid the same address another amount', async () => {
    const { id, member, address, rival } = await underpaid();
    const refused = { code: 'payout-unclear' };
    await assert.rejects(failPayout({ ...act(id), shown: [rival] }), refused, 'it is in no block');
    await node.mine(1);
    await sweepNow(world);
    assert.equal((await payoutOf(id)).state, 'parked');
    await assert.rejects(failPayout(act(id)), refused, 'the operator was not shown it');
    assert.equal(await balanceOf(world, member), 0n);
    await failPayout({ ...act(id), shown: [rival] });
    assert.equal((await payoutOf(id)).state, 'failed');
    assert.equal(await balanceOf(world, member), 2_000n);
    await finish();
    assert.deepEqual(
      (await node.outputsTo(address)).map(({ amountUnits }) => amountText(amountUnits)),
      ['0.01000000'],
    );
    assert.deepEqual(await faultsOfBooks(world), []);
    await expectTold(rival, `to the destination of withdrawal ${id}, which failed`);
  });

  await t.test('gives no payout up whose coins paid it the amount', async () => {
    const { id, address, member } = await signed();
    const rival = await spendCoinsOf(world, node, id, [address, (await payoutOf(id)).coinAmount]);
    await node.mine(1);
    await sweepNow(world);
    assert.equal((await payoutOf(id)).state, 'parked');
    await assert.rejects(failPayout({ ...act(id), shown: [rival] }), { code: 'payout-unclear' });
    await finish();
    assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.equal(await balanceOf(world, member), 0n);
    await expectRecorded(id, rival);
  });
});
