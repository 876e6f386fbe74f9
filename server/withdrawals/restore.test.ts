import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { nodeOn, takeNote } from '../../test/restored-site.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import {
  ask,
  backUp,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  payoutOf,
  reconciliationOf,
  runProcess,
  startWorld,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { runChecks } from '../ledger/ledger.ts';
import { readUnaccounted } from './accounted-queries.ts';
import { withdrawalsChecks } from './audit.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { type Failpoint, payoutFailpoints } from './failpoint.ts';
import { failPayout, retryPayout, settlePayout, undoApproval } from './payout-acts.ts';
import { readPayout, readRestoreState } from './payout-list.ts';
import { sweepPayouts } from './payouts.ts';
import { examineWithdrawal } from './quotes.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { clearRequest, settleRequest } from './request-checks.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

const skip = litecoindMissing();
const CAMPAIGN_RUNS = Number(process.env.CAMPAIGN_RUNS ?? 1);
/** The campaign takes a copy from each step. */
const steps: readonly Failpoint[] = process.env.CAMPAIGN_RUNS
  ? payoutFailpoints.filter((name) => name !== 'after_hold')
  : ['after_approve', 'after_store', 'after_broadcast'];

test('an older copy of the database on a Litecoin chain', { skip }, async (t) => {
  // Each restore goes on from there: the next subtest uses the restored database.
  let world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);

  const requested = async (at: World, address = node.foreignAddress()) => {
    const member = await at.member(2_000n);
    return { ...(await ask(at, member, 2_000n, address)), address, member };
  };
  const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
  const approved = async (at: World, address?: string) => {
    const withdrawal = await requested(at, address);
    await approve(at, withdrawal.id);
    return withdrawal;
  };
  const pay = async (at: World) => {
    await sweepNow(at);
    await node.mine(1);
    await sweepNow(at);
  };
  const sendByHand = async (address: string, amount: string) =>
    String(await node.call('sendtoaddress', { address, amount }));
  const pick = async (reply: Promise<Payout>) => {
    const { state, txId } = await reply;
    return [state, txId];
  };
  const troubleOf = (at: World) => at.parts.health.troubles().find(({ name }) => name === 'restore')?.trouble;

  // A payment that nobody names holds every request until it is noted.
  const noteAll = async () => {
    await reconcilePayouts(world.parts);
    await reconcilePayouts(world.parts, null, 'Seen');
  };
  t.afterEach(noteAll);

  await t.test('pays nothing a second time, names the payment, and pays what is clear', async () => {
    const paid = await approved(world);
    const backup = await backUp(t, world);
    await pay(world);
    assert.equal((await payoutOf(world, paid.id)).state, 'confirmed');
    const [output] = await node.outputsTo(paid.address);

    world = await backup.restore();
    await sweepPayouts(world.parts);
    const clear = await approved(world);
    await sweepPayouts(world.parts);
    const { state, trouble } = await payoutOf(world, paid.id);
    assert.equal(state, 'parked');
    assert.match(trouble ?? '', new RegExp(`payments to it: ${output?.transactionId} \\(0\\.0\\d{7}, 20`));
    assert.equal((await payoutOf(world, clear.id)).state, 'broadcast');
    const { isDone, reason } = (await reconciliationOf(world)) ?? {};
    assert.equal(isDone, true);
    assert.match(reason ?? '', /^The database knows \d+ payments, and this node knows of \d+:/);

    await pay(world);
    assert.equal((await payoutOf(world, paid.id)).state, 'parked');
    for (const { address } of [paid, clear]) assert.equal((await node.outputsTo(address)).length, 1);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('pays nothing again that was approved again at another rate', async () => {
    const paid = await requested(world);
    const backup = await backUp(t, world);
    await approve(world, paid.id);
    await pay(world);
    world = await backup.restore();
    world.rates.body = '{"litecoin":{"usd":80.1},"dash":{"usd":25}}';
    await world.owner.rows(sql`delete from withdrawals.rates`);
    await approve(world, paid.id);
    await pay(world);
    assert.equal((await payoutOf(world, paid.id)).state, 'parked');
    assert.equal((await node.outputsTo(paid.address)).length, 1);
  });

  await t.test('reports a payment that was requested, approved and paid after the backup', async () => {
    const backup = await backUp(t, world);
    const paid = await approved(world);
    await pay(world);
    world = await backup.restore();
    await sweepPayouts(world.parts);
    const found = await readUnaccounted(world.database, 100);
    assert(found.some(({ destination }) => destination === paid.address));
    assert.match(
      troubleOf(world) ?? '',
      /: an older copy was restored\. No payout accounts for \d+ payments?; run `npm run admin -- reconcile`/,
    );
    await world.owner.rows(sql`update withdrawals.reconciliations set done_at = null`);
    await sweepPayouts(world.parts);
    assert.equal((await readUnaccounted(world.database, 100)).length, found.length, 'each once');

    const { unaccounted, pending } = await readRestoreState(world.database);
    assert.deepEqual(pending, []);
    assert(unaccounted.some(({ address }) => address === paid.address));
    const { lines, isComplete } = await reconcilePayouts(world.parts);
    assert.deepEqual((await reconcilePayouts(world.parts)).lines, lines, 'printing takes no note');
    await takeNote(world, 'Looked into');
    assert.equal(isComplete, true);
    assert.equal(lines[0], 'litecoin: compared; what is clear goes on');
    assert(lines.some((line) => line.includes(`to ${paid.address}`)));
    assert(lines.some((line) => / is parked\. This payout may be paid already\./.test(line)));
    await sweepPayouts(world.parts);
    assert.equal(troubleOf(world), undefined);
    assert.equal((await readRestoreState(world.database)).unaccounted.length, 0);
  });

  await t.test('holds the next payout to the recipient of such a payment, however old it is', async () => {
    const backup = await backUp(t, world);
    const paid = await approved(world);
    await pay(world);
    world = await backup.restore();
    await sweepPayouts(world.parts);
    await takeNote(world, 'Looked into');
    const later = async () => {
      const next = await requested(world, paid.address);
      await world.owner.rows(sql`
        update withdrawals.withdrawals set created_at = created_at + interval '3 days',
          real_since = real_since + interval '4 days' where id = ${next.id}`);
      await approve(world, next.id);
      await pay(world);
      return next;
    };
    const next = await later();
    assert.equal((await payoutOf(world, next.id)).state, 'parked');
    assert.equal((await node.outputsTo(paid.address)).length, 1);
    const { possibleTxIds: shown } = await readPayout(world.parts.database, next.id);
    await retryPayout({ platform: world.parts, operatorId: world.operator, id: next.id, reason: 'x', shown });
    await pay(world);
    assert.equal((await payoutOf(world, next.id)).state, 'confirmed');
    assert.equal((await payoutOf(world, (await later()).id)).state, 'confirmed', 'an operator cleared it');
  });

  await t.test('keeps a request that may be paid already from being decided, and settles it', async () => {
    const asked = await requested(world);
    const backup = await backUp(t, world);
    await approve(world, asked.id);
    await pay(world);
    const { reference } = await payoutOf(world, asked.id);

    world = await backup.restore();
    const { parts, operator } = world;
    const inCheck = { code: 'withdrawal-in-check' };
    const refusesAll = async () => {
      await assert.rejects(cancelWithdrawal(parts, asked.member, asked.id), inCheck);
      await assert.rejects(rejectWithdrawal(parts, operator, asked.id, 'Wrong'), inCheck);
      await assert.rejects(approve(world, asked.id), inCheck);
    };
    await verifyTimeline(parts);
    await refusesAll();
    assert.match(
      (await examineWithdrawal(parts, operator, asked.id)).trouble ?? '',
      /must be compared first\.$/,
    );
    await sweepPayouts(parts);
    assert.equal((await reconciliationOf(world))?.isDone, true);
    await refusesAll();
    const { trouble, quote, possiblePayments: found } = await examineWithdrawal(parts, operator, asked.id);
    assert.match(trouble ?? '', new RegExp(`^This request may be paid already\\. .+ ${reference} \\(`));
    assert.deepEqual([quote, found[0]?.txId, found[0]?.isSameAddress], [null, reference, true]);
    const { lines } = await reconcilePayouts(parts);
    assert(lines.some((line) => line.includes(`request ${asked.id} waits for a decision`)));
    assert(!lines.some((line) => line.includes('revoke') && line.includes(asked.address)), 'points are held');
    await sweepPayouts(parts);
    assert.match(troubleOf(world) ?? '', /copy was restored\. .*1 pending request may be paid already/);

    const act = { platform: parts, operatorId: operator, id: asked.id, reason: 'Looked at the chain' };
    const settle = { ...act, reference: reference ?? '' };
    await assert.rejects(settleRequest({ ...settle, operatorId: asked.member }), { code: 'own-request' });
    await assert.rejects(settleRequest({ ...settle, reference: '0'.repeat(64) }), {
      code: 'payment-mismatch',
    });
    assert.deepEqual(await pick(settleRequest(settle)), ['broadcast', reference]);
    await pay(world);
    assert.equal((await payoutOf(world, asked.id)).state, 'confirmed');
    assert.equal((await node.outputsTo(asked.address)).length, 1);
    assert.equal(await balanceOf(world, asked.member), 0n);
    assert.equal(troubleOf(world), undefined);
    const differences = await runChecks(world.owner, withdrawalsChecks);
    assert(!differences.some(({ subject }) => subject === asked.id));
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test(
    'lets a request be decided whose listed payments are others, as an operator says',
    async () => {
      const asked = await requested(world);
      const backup = await backUp(t, world);
      // Paid for another reason, to the same recipient.
      const byHand = await sendByHand(asked.address, '0.00100000');
      await approved(world);
      await pay(world);
      world = await backup.restore();
      await sweepPayouts(world.parts);
      const act = { platform: world.parts, operatorId: world.operator, id: asked.id, reason: 'A prize' };
      await assert.rejects(settleRequest({ ...act, reference: byHand }), { code: 'payment-mismatch' });
      const later = await sendByHand(asked.address, '0.00200000');
      await assert.rejects(clearRequest({ ...act, shown: [byHand] }), {
        code: 'payout-unclear',
        extensions: { txIds: [later, byHand] },
      });
      const seen = { ...act, shown: [later, byHand] };
      assert.deepEqual((await clearRequest(seen)).possibleTxIds, []);
      await assert.rejects(clearRequest(seen), { code: 'already-decided' });
      await assert.rejects(approve(world, asked.id), { code: 'points-in-check' });
      await noteAll();
      await approve(world, asked.id);
      await pay(world);
      const { state } = await payoutOf(world, asked.id);
      assert.equal(state, 'confirmed', 'it is not parked for the same payments');
      const [trail] = await world.owner.rows(sql`
      select reason, after from platform.acts where target = ${asked.id} and act = 'withdrawal.clear'`);
      assert.deepEqual(trail, { reason: 'A prize', after: { cleared: [later, byHand] } });
      assert.deepEqual(await faultsOfBooks(world), []);
    },
  );

  await t.test('takes back no approval that another database may have paid', async () => {
    const settled = await approved(world);
    const payout = await approved(world);
    const backup = await backUp(t, world);
    const act = { platform: world.parts, operatorId: world.operator, id: settled.id, reason: 'By hand' };
    const amount = (await readPayout(world.database, settled.id)).coinAmount;
    const byHand = await sendByHand(settled.address, amount ?? '');
    await settlePayout({ ...act, reference: byHand });
    const other = nodeOn(t, await backup.restore(), 'the markers');
    assert.match(
      (await verifyTimeline(other.parts)) ?? '',
      /older copy was restored/,
      'a settled one counts',
    );
    await pay(world);
    assert.equal((await payoutOf(world, payout.id)).state, 'confirmed');

    world = await backup.restore();
    // A node whose marker knows nothing of the payments since the backup.
    const dataDir = mkdtempSync(join(tmpdir(), 'behind-'));
    after(() => rmSync(dataDir, { recursive: true, force: true }));
    const { config } = world.parts;
    const behind = { ...world.parts, config: { ...config, dataDir } };
    const sent = { code: 'already-sent' };
    await assert.rejects(undoApproval(behind, world.operator, payout.id), sent);
    await connectLitecoin(world, { ...node.access, port: 1 });
    await assert.rejects(undoApproval(behind, world.operator, payout.id), sent);
    await connectLitecoin(world, node.access);
    await sweepPayouts(world.parts);
    assert.deepEqual(
      [(await payoutOf(world, payout.id)).state, (await payoutOf(world, settled.id)).state],
      ['parked', 'parked'],
    );
    for (const { address } of [payout, settled]) assert.equal((await node.outputsTo(address)).length, 1);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  await t.test('holds payouts until the payments can be listed, and says so', async () => {
    const backup = await backUp(t, world);
    await approved(world);
    await pay(world);
    world = await backup.restore();
    const clear = await approved(world);
    await node.kill();
    await sweepPayouts(world.parts);
    const { state, trouble } = await payoutOf(world, clear.id);
    assert.equal(state, 'queued');
    assert.match(
      trouble ?? '',
      /an older copy was restored\. The payments must be compared first: The node is not/,
    );
    await reconcilePayouts(world.parts);
    await sweepPayouts(world.parts);
    assert.match(
      troubleOf(world) ?? '',
      /an older copy was restored\. Requests and payouts of all methods wait for a comparison of these: litecoin\./,
    );
    await node.start();
    await pay(world);
    assert.equal((await payoutOf(world, clear.id)).state, 'confirmed');
  });

  await t.test('sends a stored payment of the copy, and no other', async () => {
    const one = await approved(world);
    await storeUnsent(world.parts, one.id);
    const { reference } = await payoutOf(world, one.id);
    const backup = await backUp(t, world);
    await pay(world);
    world = await backup.restore();
    for (let round = 0; round < 3; round += 1) await pay(world);
    assert.deepEqual(await payoutOf(world, one.id), { state: 'confirmed', trouble: null, reference });
    assert.equal((await node.outputsTo(one.address)).length, 1);
  });

  await t.test('pays nothing from another wallet until an operator says that it is meant', async () => {
    const noted = 'the seed of the former wallet';
    await world.owner.rows(
      sql`update withdrawals.paying_accounts set account = ${noted} where method = 'litecoin'`,
    );
    const waiting = await approved(world);
    await sweepNow(world);
    assert.equal((await payoutOf(world, waiting.id)).state, 'queued');
    assert.match((await payoutOf(world, waiting.id)).trouble ?? '', /^The account that pays is another one/);
    const { lines, isComplete } = await reconcilePayouts(world.parts);
    assert.equal(isComplete, false);
    assert.match(lines[0] ?? '', /^litecoin: .+ The account that pays is another one than before/);
    const accepted = await reconcilePayouts(world.parts, { method: 'litecoin', isLost: true });
    assert.equal(accepted.isComplete, true);
    assert.equal((await payoutOf(world, waiting.id)).trouble, null, 'the former reason is gone at once');
    // It is due at once.
    await sweepPayouts(world.parts);
    assert.equal((await payoutOf(world, waiting.id)).state, 'broadcast');
    await pay(world);
    assert.equal((await payoutOf(world, waiting.id)).state, 'confirmed');
  });

  for (let run = 1; run <= CAMPAIGN_RUNS; run += 1)
    for (const name of steps)
      await t.test(`pays once when a copy from ${name.replaceAll('_', ' ')} is restored (${run})`, () =>
        restoreFrom(name),
      );

  /** Kills a process at a step, copies the database, goes on until the payout is paid, and restores the copy. */
  async function restoreFrom(name: Failpoint): Promise<void> {
    const payout = await requested(world);
    const isApproval = name === 'after_approve';
    if (isApproval)
      await runProcess(world, { act: 'approve', operatorId: world.operator, id: payout.id }, name);
    else await approve(world, payout.id);
    if (name === 'after_confirm') {
      await sweepPayouts(world.parts);
      await node.mine(1);
      await world.owner.rows(sql`
        update withdrawals.payouts set due_at = platform.business_now() where withdrawal_id = ${payout.id}`);
    }
    if (!isApproval) assert.equal(await runProcess(world, { act: 'sweep' }, name), 'SIGKILL', name);
    const backup = await backUp(t, world);
    for (let round = 0; round < 3; round += 1) await pay(world);
    assert.equal((await payoutOf(world, payout.id)).state, 'confirmed', name);
    const { reference } = await payoutOf(world, payout.id);

    world = await backup.restore();
    await Promise.all([sweepPayouts(world.parts), sweepPayouts(world.parts)]);
    for (let round = 0; round < 3; round += 1) await pay(world);
    const { state } = await payoutOf(world, payout.id);
    if (state === 'parked') {
      const act = { platform: world.parts, operatorId: world.operator, id: payout.id, reason: 'Listed' };
      await assert.rejects(failPayout(act), { code: 'payout-unclear' });
      await settlePayout({ ...act, reference: reference ?? '' });
      await pay(world);
    }
    const { state: end, reference: same } = await payoutOf(world, payout.id);
    assert.deepEqual([end, same], ['confirmed', reference], name);
    assert.equal((await node.outputsTo(payout.address)).length, 1, 'one output on the chain');
    assert.deepEqual(await faultsOfBooks(world), []);
  }
});
