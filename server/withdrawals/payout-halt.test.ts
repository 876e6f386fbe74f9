import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Tx } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import {
  ask,
  auditOfDecisions,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  startWorld,
  sweepNow,
} from '../../test/withdrawals-world.ts';
import * as decisionQueries from './decision-queries.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { failPayout, retryPayout, undoApproval } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { turnNameOf } from './payout-queries.ts';
import { takeTurn } from './payout-turn.ts';
import { sweepPayouts } from './payouts.ts';
import { findPayout, storePayment } from './queries.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/** Approvals that are taken back, and payouts that are given up, while the method is swept or its node is away. */
const world = await startWorld({ after });
const { parts, database, owner, operator } = world;
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);

const delayed = (payoutDelaySeconds: number) => changeSettings(database, 'sandbox', { payoutDelaySeconds });
const approved = async (points = 1_000n) => {
  const member = await world.member(points);
  const address = randomRegtestAddress();
  const { id } = await ask(world, member, points, address);
  await approveWithdrawal(parts, operator, id);
  return { id, member, address };
};
const act = (id: string, reason = 'A wrong one') => ({ platform: parts, operatorId: operator, id, reason });
const undo = (id: string) => undoApproval(parts, operator, id);
const turn = async () => {
  const lease = await takeLease(parts, turnNameOf('litecoin'));
  assert(lease);
  return lease;
};
const payoutOf = async (id: string) => {
  const payout = await findPayout(database, id);
  assert(payout);
  return payout;
};
const payment = (digit: string) => ({ reference: digit.repeat(64), artifact: digit.repeat(100) });
/** Takes a stored payment away that no node could send. */
const forget = (id: string) =>
  owner.rows(sql`
    update withdrawals.payouts set state = 'queued', reference = null, artifact = null, signed_at = null
    where withdrawal_id = ${id}`);
const trailOf = (id: string) =>
  owner.rows<{ act: string; state: string | null }>(sql`
    select act, coalesce(after ->> 'status', after ->> 'state') as state from platform.acts
    where target = ${id} and act <> 'withdrawal.approve' order by id`);
const halted = { code: 'payout-halted' };

describe('an approval that is taken back before its delay is over', () => {
  it('is pending again at once, while another node has the turn and the node is away', async () => {
    await delayed(30);
    const { id } = await approved();
    await node.kill();
    const lease = await turn();
    const startedAtMs = performance.now();
    assert.equal((await undo(id)).status, 'pending');
    assert.ok(performance.now() - startedAtMs < 1_000);
    await lease.release();
    await node.start();
    assert.deepEqual(await trailOf(id), [{ act: 'withdrawal.undo', state: 'pending' }]);
    await rejectWithdrawal(parts, operator, id, 'A wrong one');
    await delayed(0);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  it('gives no room to a payment that was prepared for the former approval', async () => {
    const { id } = await approved();
    const lease = await turn();
    const former = await payoutOf(id);
    await owner.rows(
      sql`update withdrawals.payouts set not_before = now() + interval '1 day' where withdrawal_id = ${id}`,
    );
    assert.equal(await storePayment(database, lease, former, payment('a')), undefined, 'it is too early');
    await undo(id);
    assert.equal(
      await storePayment(database, lease, former, payment('a')),
      undefined,
      'there is no approval',
    );
    world.rates.body = '{"litecoin":{"usd":81},"dash":{"usd":25}}';
    await owner.rows(sql`update withdrawals.rates set fetched_at = fetched_at - interval '61 seconds'`);
    await approveWithdrawal(parts, operator, id);
    assert.notEqual((await payoutOf(id)).amountUnits, former.amountUnits);
    assert.equal(
      await storePayment(database, lease, former, payment('a')),
      undefined,
      'it pays another amount',
    );
    assert.equal((await storePayment(database, lease, await payoutOf(id), payment('b')))?.state, 'signed');
    await lease.release();
    await assert.rejects(undo(id), { code: 'already-sent' });
    await forget(id);
  });
});

describe('a payment that is stored and an act at the same moment', () => {
  /** Runs the second while the transaction of the first holds its locks, and lets the first commit then. */
  const overlap = async <First, Second>(
    first: (tx: Tx) => Promise<First>,
    second: () => Promise<Second>,
  ): Promise<Second> => {
    let later: Promise<Second> | undefined;
    await database.transaction(async (tx) => {
      await first(tx);
      later = second();
      later.catch(() => undefined);
      for (let tries = 0; !(await hasWaiter()); tries += 1) {
        assert.ok(tries < 200, 'the second call waits for the first');
        await sleep(10);
      }
    });
    assert(later);
    return later;
  };
  const hasWaiter = () =>
    owner.row(sql`
      select from pg_stat_activity
      where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0 limit 1`);

  it('lets the payment win that came first', async () => {
    const { id, member } = await approved();
    const [lease, payout] = [await turn(), await payoutOf(id)];
    const undone = overlap(
      (tx) => storePayment(tx, lease, payout, payment('1')),
      () => undo(id),
    );
    await assert.rejects(undone, { code: 'already-sent' });
    await lease.release();

    assert.equal((await payoutOf(id)).state, 'signed');
    assert.equal(await balanceOf(world, member), 0n);
    assert.deepEqual(await trailOf(id), []);
    await forget(id);
  });

  for (const isInDelay of [true, false]) {
    const when = isInDelay ? 'in its delay' : 'after its delay';
    it(`stores no payment when the approval was taken back ${when} before`, async () => {
      const { id } = await approved();
      const [lease, payout] = [await turn(), await payoutOf(id)];
      // The end of the delay lies between the two.
      if (isInDelay)
        await owner.rows(sql`
          update withdrawals.payouts set not_before = clock_timestamp() + interval '1 second'
          where withdrawal_id = ${id}`);
      const stored = await overlap(
        async (tx) => {
          const { status } = await decisionQueries.undoApproval(tx, id, operator, false);
          assert.equal(status, isInDelay ? 'undone' : 'halted');
          if (isInDelay) await sleep(1_010);
        },
        () => storePayment(database, lease, payout, payment('3')),
      );
      assert.equal(stored, undefined);
      await lease.release();
      await sweepNow(world);
      assert.equal((await readWithdrawal(database, id)).status, 'pending');
    });
  }

  it('returns no points of a payout whose payment is stored while it is given up', async () => {
    const { id, member } = await approved();
    const [lease, payout] = [await turn(), await payoutOf(id)];
    setTimeout(() => void lease.release(), 300);
    const given = overlap(
      (tx) => storePayment(tx, lease, payout, payment('4')),
      () => failPayout(act(id)),
    );
    await assert.rejects(given, { code: 'payout-unclear' });

    assert.equal(await balanceOf(world, member), 0n);
    assert.deepEqual(await trailOf(id), []);
    await forget(id);
  });

  it('ends one way, however 40 acts and sweeps meet', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { id, member, address } = await approved();
      const acts = [
        () => undo(id),
        () => failPayout(act(id)),
        () => sweepPayouts(parts),
        () => retryPayout(act(id)),
        () => approveWithdrawal(parts, operator, id),
      ];
      await Promise.allSettled(
        Array.from({ length: 40 }, (_one, index) => acts[(index + round) % acts.length]?.()),
      );
      await sweepNow(world);
      await node.mine(1);
      await sweepNow(world);
      const { status, payoutState } = await readWithdrawal(database, id);
      const paidCount = (await node.outputsTo(address)).length;
      assert.ok(paidCount <= 1);
      assert.equal(paidCount === 1, payoutState === 'confirmed', `${status} ${payoutState}`);
      assert.equal(await balanceOf(world, member), status === 'rejected' ? 1_000n : 0n);
    }
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});

describe('an act after the delay', () => {
  it('stops the payout while another node has the turn, and the sweep ends it', async () => {
    const [first, second] = [await approved(), await approved()];
    const lease = await turn();
    const acts = Promise.allSettled([undo(first.id), failPayout(act(second.id))]);
    const [payout, other] = [await payoutOf(first.id), await payoutOf(second.id)];
    for (const outcome of await acts)
      assert.equal(outcome.status === 'rejected' && outcome.reason.code, 'payout-halted');
    assert.equal(await storePayment(database, lease, payout, payment('5')), undefined);
    assert.equal(await storePayment(database, lease, other, payment('6')), undefined);
    assert.match((await readPayout(database, first.id)).trouble ?? '', /^An operator stopped this payout/);
    await lease.release();
    await sweepNow(world);
    assert.equal((await readWithdrawal(database, first.id)).status, 'pending');
    assert.equal(await balanceOf(world, first.member), 0n);
    assert.equal((await payoutOf(second.id)).state, 'failed');
    assert.equal(await balanceOf(world, second.member), 1_000n);
    assert.deepEqual(await trailOf(first.id), [{ act: 'withdrawal.undo', state: 'halted' }]);
    assert.deepEqual(await trailOf(second.id), [{ act: 'payout.fail', state: 'halted' }]);
    assert.deepEqual(await faultsOfBooks(world), []);
  });

  it('stops the payout while the node is away, and nothing is paid when it returns', async () => {
    const [taken, given, kept] = [await approved(), await approved(), await approved()];
    await node.kill();
    await assert.rejects(undo(taken.id), halted);
    await assert.rejects(undo(taken.id), halted, 'a repeated one is no other act');
    await assert.rejects(failPayout(act(given.id)), halted);
    await assert.rejects(undo(kept.id), halted);
    assert.equal((await retryPayout(act(kept.id, 'After all'))).state, 'queued');
    await sweepNow(world);
    const { trouble } = await readPayout(database, taken.id);
    assert.match(trouble ?? '', /^An operator stopped this payout: .* The node is not reachable/);
    for (const { member } of [taken, given]) assert.equal(await balanceOf(world, member), 0n);
    await node.start();
    await sweepNow(world);
    await node.mine(1);
    await sweepNow(world);
    assert.equal((await readWithdrawal(database, taken.id)).status, 'pending');
    assert.equal((await payoutOf(given.id)).state, 'failed');
    assert.equal(await balanceOf(world, given.member), 1_000n);
    assert.equal((await payoutOf(kept.id)).state, 'confirmed');
    assert.deepEqual(
      (await Promise.all([taken, given, kept].map(({ address }) => node.outputsTo(address)))).map(
        (outputs) => outputs.length,
      ),
      [0, 0, 1],
    );
    assert.deepEqual(await trailOf(taken.id), [{ act: 'withdrawal.undo', state: 'halted' }]);
    assert.deepEqual(await faultsOfBooks(world), []);
  });
});

it('lets an operator’s act in between the turns of a long sweep', async () => {
  const payouts = [];
  for (let count = 0; count < 4; count += 1) payouts.push(await approved());
  await owner.rows(
    sql`update withdrawals.payouts set due_at = platform.business_now() where state = 'queued'`,
  );
  let hasEnded = false;
  const sweep = sweepPayouts(parts, undefined, { shareMs: 1 }).then(() => {
    hasEnded = true;
  });
  const lease = await takeTurn(parts, 'litecoin');
  assert.equal(hasEnded, false);
  await lease.release();
  await sweep;
  await sweepNow(world);
  for (const { id } of payouts) assert.equal((await payoutOf(id)).state, 'broadcast');
  assert.deepEqual(await faultsOfBooks(world), []);
  assert.deepEqual(await auditOfDecisions(world), []);
});
