import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { connectLitecoin, startWorld } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals, readPlannedDecisions } from './bulk-decisions.ts';
import { withdrawalList } from './withdrawal-list.ts';

/** The plan of a decision on many pending requests, on a day with many approvals. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

const COUNT = 3_000;
const RATE_LIMITED = { code: 'rate-limited' };
const OTHERS = 'Other operators look at all pending requests just now. Try again in a moment.';
const plan = async () => {
  const beganAt = performance.now();
  const { approval } = await readPlannedDecisions(parts, operator, true);
  return { approval, tookMs: performance.now() - beganAt };
};

test('takes no longer on a day with thousands of approvals, and counts them into the caps', async () => {
  await changeSettings(database, 'sandbox', { caps: { memberDay: '1500', methodDay: '5000000' } });
  await owner.rows(sql`
    with made as (
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
      select 500000000 + n, 'm' || n || '@x.example', 'm' || n || '@x.example', 'M', 'MANY' || n, '1', now()
      from generate_series(1, ${COUNT}::integer) n returning id)
    select count(ledger.open_wallet(id)) from made`);
  const add = (state: 'pending' | 'approved', number: number) =>
    owner.rows(sql`
      insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
        created_at, state, rate, amount_units, decided_at)
      select 500000000 + n, ${number}, 'litecoin', 'x', 1000, 10, now(), ${state},
        case when ${state} = 'approved' then 80 end, case when ${state} = 'approved' then 1000 end,
        case when ${state} = 'approved' then platform.business_now() end
      from generate_series(1, ${COUNT}::integer) n where ${state} = 'pending' or n % 2 = 0`);
  await add('pending', 1);
  await owner.rows(sql`analyze`);
  const [first, second] = [await plan(), await plan()];
  assert.equal(first.approval.count, COUNT);
  await add('approved', 2);
  await owner.rows(sql`analyze`);
  const [third, fourth] = [await plan(), await plan()];
  assert.deepEqual(third.approval.staying, [{ reason: 'over-cap', count: COUNT / 2 }]);
  const [quiet, busy] = [Math.min(first.tookMs, second.tookMs), Math.min(third.tookMs, fourth.tookMs)];
  assert.ok(busy < 2.5 * quiet, `${quiet} ms before, ${busy} ms after the approvals`);
});

test('is made once at a time for an operator, and twice at a time on a node', async () => {
  const others = await Promise.all([1, 2, 3].map(() => world.member(0n, { role: 'admin' })));
  const planOf = (id: number) => readPlannedDecisions(parts, id, true);
  const first = planOf(operator);
  await assert.rejects(planOf(operator), {
    ...RATE_LIMITED,
    message: /^Your last look at all pending requests/,
  });
  await assert.rejects(approveAllWithdrawals(parts, operator), RATE_LIMITED);
  const outcomes = await Promise.allSettled(others.map(planOf));
  assert.deepEqual(
    outcomes.map((one) => (one.status === 'rejected' ? one.reason.message : one.value.rejection.count)),
    [COUNT, OTHERS, OTHERS],
  );
  await first;
  assert.equal((await planOf(operator)).rejection.count, COUNT, 'the next one');
  const chosen = { ids: [crypto.randomUUID()] };
  const running = planOf(operator);
  await assert.rejects(approveAllWithdrawals(parts, operator, chosen), { code: 'not-found' }, 'no limit');
  await running;
});

test('lists those with a flag as fast as it plans, and once at a time for an operator', async () => {
  const listOf = (flag: string) =>
    readList(database, withdrawalList(parts), readWithdrawalQueue.query.parse({ flag }), operator);
  const timed = async (make: () => Promise<unknown>) => {
    const beganAt = performance.now();
    await make();
    return performance.now() - beganAt;
  };
  assert.equal((await listOf('over-cap')).total, COUNT / 2);
  assert.equal((await listOf('blocked')).total, COUNT / 2);
  const [first, second] = [await plan(), await plan()];
  const planMs = Math.min(first.tookMs, second.tookMs);
  for (const flag of ['over-cap', 'blocked']) {
    const listMs = Math.min(await timed(() => listOf(flag)), await timed(() => listOf(flag)));
    assert.ok(listMs < 3 * planMs, `${flag}: ${listMs} ms, a plan ${planMs} ms`);
  }
  const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => listOf('blocked')));
  const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  assert.ok(refused.length >= 5 && refused.length < 8, `${refused.length} refused`);
  for (const one of refused) assert.equal(one.code, 'rate-limited');
  assert.equal((await listOf('over-cap')).total, COUNT / 2, 'the next one');
});
