import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals, readPlannedDecisions, rejectAllWithdrawals } from './bulk-decisions.ts';
import { readPending } from './decision-queries.ts';
import { rejectWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { readWithdrawal } from './withdrawal-list.ts';
import { requestWithdrawal } from './withdrawals.ts';

/** What the calls on all pending requests decide: as they say before, and no more. */
const world = await startWorld({ after });
const { parts, operator, owner, database } = world;
// An approval sends nothing, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

const DASH_ADDRESS = 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6';
const set = (change: Parameters<typeof changeSettings>[2]) => changeSettings(database, 'sandbox', change);
const request = async (points: bigint, member?: number) => {
  const memberId = member ?? (await world.member(points));
  return (await ask(world, memberId, points, randomRegtestAddress())).id;
};
const requestDash = async () => {
  const recipientInfo = { address: DASH_ADDRESS };
  const wanted = { amountPoints: '1000', method: 'dash', recipientInfo };
  return (await requestWithdrawal(parts, await world.member(1_000n), wanted, null)).reply.id;
};
const planned = () => readPlannedDecisions(parts, operator, true);

test('plans only what can be decided, and names the others by reason', async () => {
  await world.grant(operator, 1_000n);
  await request(1_000n);
  await request(2_000n);
  await request(1_000n, operator);
  const held = await world.member(2_000n);
  await request(1_000n, held);
  await request(1_000n, held);
  const checked = await request(1_000n);
  await owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${checked}, '{listed}', 'This request may be paid already.', platform.business_now())`);
  await requestDash();
  await changePaymentMethod(parts, 'dash', { credentials: { rpcUser: '' } });
  await set({ switches: { addressHold: true }, caps: { secondPersonFrom: '2001' } });
  const { approval, rejection } = await planned();
  assert.deepEqual([approval.count, approval.points, approval.firstCount], [3, '4000', 1]);
  const reasonsOf = ({ staying }: typeof approval) =>
    Object.fromEntries(staying.map(({ reason, count }) => [reason, count]));
  assert.deepEqual(reasonsOf(approval), { 'own-account': 1, 'on-hold': 1, 'in-check': 1, 'no-rail': 1 });
  assert.deepEqual([rejection.count, rejection.points, rejection.firstCount], [5, '6000', 0]);
  assert.deepEqual(reasonsOf(rejection), { 'own-account': 1, 'in-check': 1 });

  const all = { expectedCount: 7, expectedPoints: '8000', withFlagged: true };
  const changed = { code: 'totals-changed' };
  await assert.rejects(approveAllWithdrawals(parts, operator, all), changed, 'not the totals of all pending');
  const expected = { expectedCount: approval.count, expectedPoints: approval.points, withFlagged: true };
  const result = await approveAllWithdrawals(parts, operator, expected);
  assert.deepEqual([result.processed, result.firstApprovedIds?.length, result.failed.length], [2, 1, 4]);
  await owner.rows(sql`update withdrawals.request_checks set possible_references = '{}'`);
  await set({ switches: { addressHold: false }, caps: { secondPersonFrom: null } });
  assert.equal((await rejectAllWithdrawals(parts, operator, 'Rest')).processed, 4);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('counts the approvals before it into the caps of the day, as they are made', async () => {
  const member = await world.member(4_000n);
  for (const points of [1_000n, 2_000n, 1_000n]) await request(points, member);
  await request(5_000n);
  await request(1_400n);
  await set({ caps: { memberDay: '2500', methodDay: null } });
  const cappedOf = ({ staying }: { staying: { reason: string; count: number }[] }) =>
    staying.find(({ reason }) => reason === 'over-cap')?.count;
  const ofMember = (await planned()).approval;
  assert.deepEqual([ofMember.count, ofMember.points], [3, '3400'], 'the first, the third and the last');
  assert.equal(cappedOf(ofMember), 2);
  const used = await owner.one<{ points: bigint }>(sql`
    select coalesce(sum(amount_points), 0)::bigint as points from withdrawals.withdrawals
    where state = 'approved' and method = 'litecoin'`);
  await set({ caps: { memberDay: null, methodDay: String(used.points + 2_500n) } });
  const { approval } = await planned();
  assert.deepEqual([approval.count, approval.points], [2, '2000']);
  assert.equal(cappedOf(approval), 3);
  const expected = { expectedCount: 2, expectedPoints: '2000', withFlagged: true };
  const { processed, failed } = await approveAllWithdrawals(parts, operator, expected);
  const capped = failed.filter(({ reason }) => reason.startsWith('The daily limit of this method is'));
  assert.deepEqual([processed, capped.length], [2, 3]);
  await set({ caps: { methodDay: null } });
  assert.equal((await rejectAllWithdrawals(parts, operator, 'Rest')).processed, 3);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('decides nothing where other requests of the same number and sum would be decided', async () => {
  await set({ caps: { memberDay: null, methodDay: null } });
  await request(1_000n);
  const seen = await request(2_000n);
  const { approval, rejection } = await planned();
  const orderOf = ({ count, points, digest }: typeof approval) => ({
    expectedCount: count,
    expectedPoints: points,
    expectedDigest: digest,
    withFlagged: true,
  });
  await rejectWithdrawal(parts, operator, seen, 'Another address');
  const unseen = await request(2_000n);
  const after = await planned();
  assert.deepEqual([after.approval.count, after.approval.points], [approval.count, approval.points]);
  assert.notEqual(after.approval.digest, approval.digest);
  const changed = { code: 'totals-changed' };
  await assert.rejects(approveAllWithdrawals(parts, operator, orderOf(approval)), changed);
  await assert.rejects(rejectAllWithdrawals(parts, operator, 'All', orderOf(rejection)), changed);
  assert.equal((await readWithdrawal(database, unseen)).status, 'pending');
  assert.equal((await approveAllWithdrawals(parts, operator, orderOf(after.approval))).processed, 2);
});

test('counts its own approvals into what one operator approves alone on a day', async () => {
  const alone = await world.member(0n, { role: 'admin' });
  const order = { withFlagged: true };
  await rejectAllWithdrawals(parts, await world.member(0n, { role: 'admin' }), 'Rest');
  await set({ caps: { secondPersonFrom: '5000' } });
  for (let count = 0; count < 9; count += 1) await request(2_400n);
  const { approval } = await readPlannedDecisions(parts, alone, true);
  assert.deepEqual([approval.count, approval.firstCount], [9, 7]);
  const { processed, firstApprovedIds, failed } = await approveAllWithdrawals(parts, alone, order);
  assert.deepEqual([processed, firstApprovedIds?.length, failed], [2, 7, []]);
  const second = await approveAllWithdrawals(parts, operator, order);
  assert.equal(second.processed, 7, 'second approvals are not alone');
  await set({ caps: { secondPersonFrom: null } });
});

test('plans as each decision judges by itself', async () => {
  await set({ switches: { addressHold: true }, caps: { secondPersonFrom: '2000' } });
  const judge = await world.member(0n, { role: 'admin' });
  const colleague = await world.member(0n, { role: 'admin' });
  await world.grant(judge, 1_000n);
  await request(1_000n, judge);
  const [debtor, suspended, denied, paid, held] = await Promise.all(
    [1_000n, 1_000n, 1_000n, 1_000n, 2_000n].map((points) => world.member(points)),
  );
  for (const member of [debtor, suspended, denied, paid, held, held]) await request(1_000n, member);
  await request(1_000n);
  const [checked, ofColleague, ofOperator, ofFormer] = [
    await request(1_000n),
    await request(2_000n),
    await request(3_000n),
    await request(1_000n),
  ];
  await request(4_000n);
  await owner.rows(sql`
    select ledger.post_one(${debtor}, 'reversal:debtor', 'reversal', -500, 'operator', 'x', null, null, true)`);
  await owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, ends_with_reset)
    values (${suspended}, 'Tested', 'permanent', 'withdrawal_blocked', platform.business_now(), false),
      (${denied}, 'Denied', 'permanent', 'withdrawal_blocked', platform.business_now(), true)`);
  const giveFirst = (id: string, by: number) =>
    owner.rows(sql`
      update withdrawals.withdrawals set first_approved_by = ${by}, first_approved_at = platform.business_now()
      where id = ${id}`);
  await giveFirst(ofColleague, colleague);
  await giveFirst(ofOperator, judge);
  await giveFirst(ofFormer, await world.member(0n));
  const compare = async () => {
    const planned = await readPending(database, judge, bounds, { withFlagged: false });
    const single = await owner.rows<{ id: string; obstacle: string | null }>(sql`
      select w.id, o.status as obstacle, o.held_until as "holdUntil",
        withdrawals.reject_obstacle(w.id, ${judge}) as "rejectionObstacle"
      from withdrawals.withdrawals w
        cross join withdrawals.obstacle(w.id, ${judge}, true, 2000, null, null) o
      where w.state = 'pending' order by w.queue_number`);
    assert.deepEqual(
      planned.map(({ id, obstacle, holdUntil, rejectionObstacle }) => ({
        id,
        obstacle,
        holdUntil,
        rejectionObstacle,
      })),
      single,
    );
    return new Set(single.map(({ obstacle }) => obstacle));
  };
  const bounds = {
    holdsDestinations: true,
    secondPersonPoints: 2_000n,
    memberDayPoints: null,
    methodDayPoints: null,
  };
  const usual = [null, 'disowned', 'suspended', 'in_debt', 'on_hold', 'own_request'];
  const second = ['first_approval', 'second_operator_needed'];
  assert.deepEqual(await compare(), new Set([...usual, ...second]));
  await owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${checked}, '{listed}', 'This request may be paid already.', platform.business_now())`);
  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
      withdrawal_id, member_id, points)
    values ('litecoin', 'named', 'elsewhere', 1, now(), now(), gen_random_uuid(), ${paid}, 1000)`);
  assert.deepEqual(await compare(), new Set([...usual, ...second, 'in_check', 'points_in_check']));
  await owner.rows(sql`
    insert into withdrawals.reconciliations (method, reason, asked_at) values ('dash', 'restore', now())`);
  assert.ok((await compare()).has('points_in_check'));
  await owner.rows(sql`update withdrawals.reconciliations set method = 'litecoin'`);
  assert.ok((await compare()).has('in_check'));
  await owner.rows(sql`delete from withdrawals.reconciliations`);
});
