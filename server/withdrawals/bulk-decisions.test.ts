import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import {
  ask,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  runProcess,
  startWorld,
} from '../../test/withdrawals-world.ts';
import { readBulkAct } from './bulk-act-list.ts';
import { approveAllWithdrawals, readPlannedDecisions, rejectAllWithdrawals } from './bulk-decisions.ts';
import { deleteOldBulkActs, sweepBulkActs } from './bulk-runs.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { keepPayoutSums } from './payout-list-queries.ts';

/** Decisions on many withdrawals: by several operators at once, by nodes that end, and what is kept of them. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
// An approval sends nothing, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
const colleague = await world.member(0n, { role: 'admin' });
const { signal } = new AbortController();

type Request = { id: string; member: number };
const request = async (): Promise<Request> => {
  const member = await world.member(1_000n);
  return { member, id: (await ask(world, member, 1_000n, randomRegtestAddress())).id };
};
const requests = async (count: number): Promise<Request[]> => {
  const made: Request[] = [];
  for (let number = 0; number < count; number += 1) made.push(await request());
  return made;
};
const idsOf = (of: readonly Request[]) => of.map(({ id }) => id);

/** What became of each request: its state, its payouts, its decisions in the audit trail, and the member's points. */
const fatesOf = (of: readonly Request[]) =>
  owner.rows<{ state: string; payouts: bigint; acts: bigint; balance: bigint; operator: number }>(sql`
    select w.state, w.decided_by as operator, l.balance,
      (select count(*) from withdrawals.payouts p where p.withdrawal_id = w.id) as payouts,
      (select count(*) from platform.acts a
        where a.target = w.id::text and a.act in ('withdrawal.approve', 'withdrawal.reject')) as acts
    from withdrawals.withdrawals w join ledger.wallets l on l.member_id = w.member_id
    where w.id = any (${idsOf(of)}::uuid[])`);

/** Each request is decided once: paid by one payout, or its points are back, with one act. */
async function assertDecidedOnce(of: readonly Request[]) {
  const fates = await fatesOf(of);
  assert.equal(fates.length, of.length);
  for (const { state, payouts, acts, balance } of fates) {
    assert.ok(state === 'approved' || state === 'rejected', state);
    const right = state === 'approved' ? [1n, 1n, 0n] : [0n, 1n, 1_000n];
    assert.deepEqual([payouts, acts, balance], right);
  }
  assert.deepEqual(await faultsOfBooks(world), []);
  return fates;
}

const resultOf = (id: string) => readBulkAct(database, id);
const withFlagged = { withFlagged: true };
const atOnce = { ...withFlagged, answersAtOnce: true };

beforeEach(async () => {
  await rejectAllWithdrawals(parts, operator, 'Clean');
});

describe('two operators who decide the same withdrawals at once', () => {
  it('decide each once, one by one and in bulk, and points and payouts are right', async () => {
    const all = await requests(200);
    const ids = idsOf(all);
    const singly = async (who: number, order: readonly string[], decide: typeof approveWithdrawal) => {
      let decided = 0;
      for (const id of order) {
        try {
          await decide(parts, who, id);
          decided += 1;
        } catch (error) {
          assert.equal((error as { code?: string }).code, 'already-decided');
        }
      }
      return decided;
    };
    const reject = (platform: typeof parts, who: number, id: string) =>
      rejectWithdrawal(platform, who, id, 'One by one');
    const [approved, rejected, one, other] = await Promise.all([
      singly(operator, ids, approveWithdrawal),
      singly(colleague, ids.toReversed(), reject),
      approveAllWithdrawals(parts, colleague, { ...withFlagged, ids }),
      rejectAllWithdrawals(parts, operator, 'In bulk', { ids: ids.toReversed() }),
    ]);
    assert.equal(approved + rejected + one.processed + other.processed, 200);
    for (const { failed, processed } of [one, other]) {
      assert.equal(failed.length, 200 - processed);
      for (const { reason } of failed)
        assert.match(reason, /^This withdrawal was (approved|rejected) already\.$/);
    }
    const fates = await assertDecidedOnce(all);
    assert.equal(new Set(fates.map((fate) => fate.operator)).size, 2);
  });

  it('decide each once where both approve all in bulk', async () => {
    const all = await requests(60);
    const results = await Promise.all([
      approveAllWithdrawals(parts, operator, withFlagged),
      approveAllWithdrawals(parts, colleague, withFlagged),
    ]);
    assert.equal(results[0].processed + results[1].processed, 60);
    const fates = await assertDecidedOnce(all);
    assert.ok(fates.every(({ state }) => state === 'approved'));
  });
});

describe('an act that is answered at once', () => {
  it('decides nothing yet, and goes on by the sweep, which tells the result of each request', async () => {
    const all = await requests(3);
    const { actId, processed, failed } = await approveAllWithdrawals(parts, operator, {
      ...atOnce,
      expectedCount: 3,
      expectedPoints: '3000',
    });
    assert.deepEqual([processed, failed], [0, []]);
    const begun = await resultOf(actId);
    assert.deepEqual([begun.endedCount, begun.count, begun.finishedAt, begun.rows], [0, 3, null, []]);
    await rejectWithdrawal(parts, colleague, all[1]?.id ?? '', 'Meanwhile');
    await sweepBulkActs(parts, signal);
    const result = await resultOf(actId);
    assert.notEqual(result.finishedAt, null);
    assert.deepEqual(
      result.rows.map(({ state, reason, payoutState }) => [state, reason, payoutState]),
      [
        ['done', null, 'queued'],
        ['failed', 'This withdrawal was rejected already.', 'none'],
        ['done', null, 'queued'],
      ],
    );
    await assertDecidedOnce(all);
  });

  it('is finished by several nodes at once, which decide each request once', async () => {
    const all = await requests(60);
    const { actId } = await approveAllWithdrawals(parts, operator, atOnce);
    await Promise.all(Array.from({ length: 4 }, () => sweepBulkActs(parts, signal)));
    await sweepBulkActs(parts, signal);
    const { rows, endedCount } = await resultOf(actId);
    assert.deepEqual([rows.filter(({ state }) => state === 'done').length, endedCount], [60, 60]);
    await assertDecidedOnce(all);
  });

  it('is gone on with after its node was killed in the middle, and each request is decided once', async () => {
    const all = await requests(12);
    const { actId } = await rejectAllWithdrawals(parts, operator, 'All', { answersAtOnce: true });
    for (let killed = 1; killed <= 2; killed += 1) {
      assert.equal(await runProcess(world, { act: 'sweep-bulk' }, 'after_bulk_row'), 'SIGKILL');
      assert.equal((await resultOf(actId)).endedCount, killed);
      await sweepBulkActs(parts, signal);
      assert.equal((await resultOf(actId)).endedCount, killed, 'another node waits for a time');
      await owner.rows(sql`
        update withdrawals.bulk_acts set worked_until = clock_timestamp() - interval '1 second'`);
    }
    await sweepBulkActs(parts, signal);
    const { rows, finishedAt } = await resultOf(actId);
    assert.notEqual(finishedAt, null);
    assert.ok(rows.every(({ state }) => state === 'done'));
    for (const { member } of all) assert.equal(await balanceOf(world, member), 1_000n);
    await assertDecidedOnce(all);
  });

  it('is not taken over while its node works, and is where its time is of a wrong clock', async () => {
    await requests(1);
    const { actId } = await approveAllWithdrawals(parts, operator, atOnce);
    const setUntil = (seconds: number) =>
      owner.rows(sql`
        update withdrawals.bulk_acts
        set worker = gen_random_uuid(), worked_until = clock_timestamp() + ${seconds}::integer * interval '1 second'
        where id = ${actId}`);
    await setUntil(10);
    await sweepBulkActs(parts, signal);
    assert.equal((await resultOf(actId)).finishedAt, null);
    await setUntil(86_400);
    await sweepBulkActs(parts, signal);
    assert.notEqual((await resultOf(actId)).finishedAt, null);
  });

  it('decides nothing more once its operator lost the role', async () => {
    const all = await requests(2);
    const gone = await world.member(0n, { role: 'admin' });
    const { actId } = await approveAllWithdrawals(parts, gone, atOnce);
    await owner.rows(sql`update members.members set role = 'user' where id = ${gone}`);
    await sweepBulkActs(parts, signal);
    const { rows } = await resultOf(actId);
    assert.deepEqual(new Set(rows.map(({ state }) => state)), new Set(['failed']));
    assert.match(rows[0]?.reason ?? '', /^Who asked for it is no operator any more/);
    assert.deepEqual(
      (await fatesOf(all)).map(({ state }) => state),
      ['pending', 'pending'],
    );
  });
});

describe('requests with a flag to look at', () => {
  /** A member who was paid at the address before. */
  const paidBefore = async (): Promise<Request> => {
    const member = await world.member(2_000n);
    const address = randomRegtestAddress();
    const { id: former } = await ask(world, member, 1_000n, address);
    await approveWithdrawal(parts, operator, former);
    await owner.rows(sql`
      update withdrawals.payouts set state = 'broadcast', reference = ${former}, artifact = 'sent', signed_at = now()
      where withdrawal_id = ${former}`);
    await owner.rows(sql`select withdrawals.confirm_payout(${former})`);
    return { member, id: (await ask(world, member, 1_000n, address)).id };
  };

  const takeBack = (member: number) =>
    owner.rows(sql`
      insert into earning.reversals (provider, transaction_id, credit_transaction_id, member_id, taken_points, reason,
        reason_class, created_at)
      values ('cpx', gen_random_uuid()::text, 'credit', ${member}, 100, '', 'policy', platform.business_now())`);

  it('are left out with their reason unless they are chosen, and rejected like others', async () => {
    const clean = await paidBefore();
    const newcomer = await request();
    const flagged = await paidBefore();
    await takeBack(flagged.member);
    const { approval } = await readPlannedDecisions(parts, operator);
    assert.deepEqual(
      [approval.count, approval.points, approval.staying],
      [2, '2000', [{ reason: 'reversals', count: 1 }]],
    );
    assert.deepEqual(approval.methods, [{ method: 'litecoin', count: 2, points: '2000' }]);
    const owed = await owner.one<{ points: bigint }>(sql`
      select coalesce(sum(w.amount_points), 0)::bigint as points
      from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id where p.state = 'queued'`);
    const look = () =>
      owner.rows(sql`
        insert into withdrawals.balance_days (method, site_day, balance, usd, needed, noted_at)
        values ('litecoin', platform.site_day(platform.business_now()), 2, 80, 0, platform.business_now())
        on conflict (method, site_day) do update set noted_at = excluded.noted_at`);
    await look();
    await keepPayoutSums(owner);
    const all = await readPlannedDecisions(parts, operator, true);
    assert.deepEqual(all.balances, [{ method: 'litecoin', points: String(160_000n - owed.points) }]);
    assert.deepEqual([all.approval.count, all.rejection.count], [3, 3]);
    const order = { expectedCount: 2, expectedPoints: '2000' };
    const { processed, failed, stayingIds } = await approveAllWithdrawals(parts, operator, order);
    assert.deepEqual([processed, stayingIds], [2, [flagged.id]]);
    const detail = 'It should be looked at first, as its flags say.';
    assert.deepEqual(
      failed.map((one) => [one.reason, one.detail, one.flag]),
      [['flagged', detail, 'reversals']],
    );
    for (const { state } of await fatesOf([clean, newcomer])) assert.equal(state, 'approved');
    const left = async () => Number((await readPlannedDecisions(parts, operator)).balances[0]?.points);
    const approved = 160_000 - Number(owed.points) - 2_000;
    assert.equal(await left(), approved);
    await owner.rows(sql`
      update withdrawals.payouts set state = 'broadcast', reference = ${clean.id}, artifact = 'sent', signed_at = now(),
        broadcast_at = platform.business_now()
      where withdrawal_id = ${clean.id}`);
    assert.equal(await left(), approved, 'what was sent is not there, though the look is older');
    await owner.rows(sql`select withdrawals.confirm_payout(${clean.id})`);
    assert.equal(await left(), approved, 'nor once its payment is final');
    await look();
    assert.equal(await left(), approved + 1_000);
    assert.equal(
      (await approveAllWithdrawals(parts, operator, { ids: [flagged.id], withFlagged: true })).processed,
      1,
    );
  });

  it('are left out where the flag came after the act was confirmed', async () => {
    const { id, member } = await paidBefore();
    const { actId } = await approveAllWithdrawals(parts, operator, { ids: [id], answersAtOnce: true });
    await takeBack(member);
    await sweepBulkActs(parts, signal);
    const { rows } = await resultOf(actId);
    assert.deepEqual(
      rows.map(({ state, status, flag }) => [state, status, flag]),
      [['failed', 'pending', 'reversals']],
    );
  });
});

describe('an act on chosen requests', () => {
  it('decides these alone, lists those that are decided, and refuses an unknown one', async () => {
    const [one, two, rest] = await requests(3);
    assert.ok(one && two && rest);
    await rejectWithdrawal(parts, colleague, two.id, 'Before');
    const { processed, failed } = await approveAllWithdrawals(parts, operator, {
      ...withFlagged,
      ids: [one.id, two.id],
    });
    assert.equal(processed, 1);
    assert.deepEqual(
      failed.map(({ id, reason }) => [id, reason]),
      [[two.id, 'This withdrawal was rejected already.']],
    );
    assert.equal((await fatesOf([rest]))[0]?.state, 'pending');
    const unknown = { ids: [rest.id, '00000000-0000-4000-8000-000000000000'] };
    await assert.rejects(approveAllWithdrawals(parts, operator, unknown), { code: 'not-found' });
    assert.equal((await fatesOf([rest]))[0]?.state, 'pending');
  });

  it('gives first approvals, and says which need another operator', async () => {
    const [large] = await requests(1);
    assert.ok(large);
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: '1000' } });
    const first = await approveAllWithdrawals(parts, operator, { ...withFlagged, ids: [large.id] });
    assert.deepEqual([first.processed, first.firstApprovedIds, first.failed], [0, [large.id], []]);
    assert.equal((await resultOf(first.actId)).rows[0]?.state, 'first');
    const second = await approveAllWithdrawals(parts, colleague, { ...withFlagged, ids: [large.id] });
    assert.equal(second.processed, 1);
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: null } });
  });

  it('pay nothing where the operator confirmed a first approval and another operator gave it since', async () => {
    const [large] = await requests(1);
    assert.ok(large);
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: '1000' } });
    const { approval } = await readPlannedDecisions(parts, operator, true);
    assert.equal(approval.firstCount, 1);
    const expected = { expectedCount: 1, expectedPoints: '1000', expectedDigest: approval.digest };
    const order = { ...withFlagged, ...expected };
    const atOnceOrder = { ...order, answersAtOnce: true };
    const { actId } = await approveAllWithdrawals(parts, operator, atOnceOrder);
    assert.equal((await approveAllWithdrawals(parts, colleague, order)).firstApprovedIds?.length, 1);
    await assert.rejects(approveAllWithdrawals(parts, operator, order), { code: 'totals-changed' });
    await sweepBulkActs(parts, signal);
    assert.deepEqual(
      (await resultOf(actId)).rows.map(({ state, reason }) => [state, reason]),
      [
        [
          'failed',
          'This approval would pay now: another operator gave the first one, or you approved less. Look again.',
        ],
      ],
    );
    assert.deepEqual(
      (await fatesOf([large])).map(({ state, payouts, acts }) => [state, payouts, acts]),
      [['pending', 0n, 0n]],
    );
    await changeSettings(database, 'sandbox', { caps: { secondPersonFrom: null } });
  });
});

it('decides nothing if the number or the sum differs from what the operator saw', async () => {
  const seen = await requests(2);
  const expected = { expectedCount: 2, expectedPoints: '2000', ...withFlagged };
  const all = [...seen, ...(await requests(1))];
  for (const totals of [
    expected,
    { ...expected, expectedPoints: undefined },
    { ...expected, expectedCount: undefined },
  ]) {
    const changed = { code: 'totals-changed' };
    await assert.rejects(approveAllWithdrawals(parts, operator, totals), changed);
    await assert.rejects(rejectAllWithdrawals(parts, operator, 'Rest', totals), changed);
  }
  assert.ok((await fatesOf(all)).every(({ state }) => state === 'pending'));
  const now = { expectedCount: 3, expectedPoints: '3000', ...withFlagged };
  assert.equal((await approveAllWithdrawals(parts, operator, now)).processed, 3);
  const none = { expectedCount: 0, expectedPoints: '0' };
  assert.equal((await rejectAllWithdrawals(parts, operator, 'None', none)).processed, 0);
  await assertDecidedOnce(all);
});

it('keeps results for 30 days after the end, and then removes them', async () => {
  await requests(1);
  const { actId } = await rejectAllWithdrawals(parts, operator, 'Old');
  const running = (await approveAllWithdrawals(parts, operator, { ...atOnce, ids: [(await request()).id] }))
    .actId;
  const age = (days: number) =>
    owner.rows(sql`
      update withdrawals.bulk_acts
      set finished_at = platform.business_now() - ${days}::integer * interval '1 day' - interval '1 minute'
      where id = ${actId}`);
  await age(29);
  await deleteOldBulkActs(parts, signal);
  assert.equal((await resultOf(actId)).rows.length, 1);
  await age(30);
  await deleteOldBulkActs(parts, signal);
  await assert.rejects(resultOf(actId), { code: 'not-found' });
  assert.equal((await resultOf(running)).count, 1);
});
