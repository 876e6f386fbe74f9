import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals, readPlannedDecisions, rejectAllWithdrawals } from './bulk-decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
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
const planned = () => readPlannedDecisions(parts, operator);

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
  await set({ switches: { addressHold: true }, caps: { secondPersonFrom: '2000' } });
  const { approval, rejection } = await planned();
  assert.deepEqual([approval.count, approval.points, approval.firstCount], [3, '4000', 1]);
  const reasonsOf = ({ staying }: typeof approval) =>
    Object.fromEntries(staying.map(({ reason, count }) => [reason, count]));
  assert.deepEqual(reasonsOf(approval), { 'own-request': 1, 'on-hold': 1, 'in-check': 1, 'no-rail': 1 });
  assert.deepEqual([rejection.count, rejection.points, rejection.firstCount], [5, '6000', 0]);
  assert.deepEqual(reasonsOf(rejection), { 'own-request': 1, 'in-check': 1 });

  const all = { expectedCount: 7, expectedPoints: '8000' };
  const changed = { code: 'totals-changed' };
  await assert.rejects(approveAllWithdrawals(parts, operator, all), changed, 'not the totals of all pending');
  const expected = { expectedCount: approval.count, expectedPoints: approval.points };
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
    staying.find(({ reason }) => reason === 'capped')?.count;
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
  const expected = { expectedCount: 2, expectedPoints: '2000' };
  const { processed, failed } = await approveAllWithdrawals(parts, operator, expected);
  const capped = failed.filter(({ reason }) => reason.startsWith('The cap of this method for this day is'));
  assert.deepEqual([processed, capped.length], [2, 3]);
  await set({ caps: { methodDay: null } });
  assert.equal((await rejectAllWithdrawals(parts, operator, 'Rest')).processed, 3);
  assert.deepEqual(await faultsOfBooks(world), []);
});
