import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readPayouts } from '#contract/withdrawals-payouts.ts';
import { type Sql, sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { takeLease } from '#platform/leases.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, connectLitecoin, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { payoutList, readPayout } from './payout-list.ts';
import { turnNameOf } from './payout-queries.ts';
import { examineWithdrawal } from './quotes.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/** Operators read why a payout is not done, and whether that is a fault. */
const world = await startWorld({ after }, ['litecoin']);
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { owner, parts, database, operator } = world;

const approved = async (payoutDelaySeconds = 0) => {
  await changeSettings(database, 'sandbox', { payoutDelaySeconds });
  const { id } = await ask(world, await world.member(2_000n), 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  return id;
};
const change = (id: string, changed: Sql) =>
  owner.rows(sql`update withdrawals.payouts set ${changed} where withdrawal_id = ${id}`);
const reasonOf = async (id: string) => {
  const { state, trouble, isTroubled } = await readPayout(database, id);
  return [state, trouble, isTroubled];
};

test('says the reason of a payout in the ordinary course without calling it trouble', async () => {
  const delayed = await approved(600);
  const { trouble, troubleAt, isTroubled, dueAt } = await readPayout(database, delayed);
  assert.deepEqual(
    [trouble, isTroubled],
    ['It is prepared after the time in which its approval can be taken back.', false],
  );
  assert.equal(troubleAt, dueAt);
  assert.ok(Math.abs(Date.parse(dueAt) - Date.now() - 600_000) < 60_000, dueAt);
  const id = await approved();
  assert.deepEqual(await reasonOf(id), ['queued', 'It waits for its turn.', false]);
  await sweepNow(world);
  assert.deepEqual(await reasonOf(id), ['broadcast', 'It was sent and is not final yet.', false]);
  assert.equal((await readPayout(database, id)).troubleAt, null);
  await node.mine(6);
  await sweepNow(world);
  assert.deepEqual(await reasonOf(id), ['confirmed', null, false]);
});

test('calls a payout troubled that is late, has a fault, is parked, or was stopped', async () => {
  const faults: [changed: Sql, reason: RegExp][] = [
    [sql`due_at = due_at - interval '1 minute'`, /^It waits for its turn\.$/],
    [sql`trouble = 'The node is not reachable.'`, /^The node is not reachable\.$/],
    [sql`state = 'parked'`, /^It is being checked, and is looked up again by itself\.$/],
    [sql`halted_by = ${operator}, halt_reason = 'Wrong person'`, /^An operator stopped this payout/],
  ];
  for (const [changed, reason] of faults) {
    const id = await approved();
    await change(id, changed);
    const { trouble, isTroubled, troubleAt } = await readPayout(database, id);
    assert.match(trouble ?? '', reason);
    assert.deepEqual([isTroubled, troubleAt], [true, null], trouble ?? '');
  }
});

/** What holds payments to a member of this withdrawal, how it ends, and what operators read of it. */
const holds: Record<string, { begin: Sql; end: Sql; reason: RegExp }> = {
  'a payment of which nobody took note after a restore': {
    begin: sql`
      insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
        withdrawal_id, member_id, points)
      select 'litecoin', 'listed', 'elsewhere', 1, now(), platform.business_now(), gen_random_uuid(), member_id, 2000
      from held`,
    end: sql`update withdrawals.unaccounted_payments set seen_at = now()`,
    reason: /^These points may be paid already:/,
  },
  'a suspension': {
    begin: sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      select member_id, 'Tested', 'permanent', 'withdrawal_blocked', platform.business_now() from held`,
    end: sql`update members.suspensions set lifted_at = platform.business_now()`,
    reason: /^Withdrawals of this member are suspended\./,
  },
  'a debt': {
    begin: sql`
      select ledger.post_one(member_id, 'reversal', 'reversal', -500, 'operator', 'x', null, null, true) from held`,
    end: sql`
      select ledger.post_one(member_id, 'filled', 'grant', 500, 'grants', 'Grant', null, null, false) from held`,
    reason: /^The member’s balance is below zero\./,
  },
};
for (const [name, { begin, end, reason }] of Object.entries(holds))
  test(`says at once after the approval that ${name} holds the payment, and no more when it ended`, async () => {
    const id = await approved(600);
    const heldIs = sql`with held as (select member_id from withdrawals.withdrawals where id = ${id})`;
    const read = async () => {
      const [row] = (await list({ id })).rows;
      const { payoutObstacle } = await readWithdrawal(database, id);
      const { trouble } = await examineWithdrawal(parts, operator, id);
      assert.deepEqual(await reasonOf(id), ['queued', row?.trouble, row?.isTroubled]);
      assert.equal((await idsOf({ trouble: 'troubled' })).includes(id), row?.isTroubled);
      return { said: row?.trouble ?? '', examined: trouble, acts: row?.acts, payoutObstacle };
    };
    await owner.rows(sql`${heldIs} ${begin}`);
    const held = await read();
    assert.match(held.said, reason);
    assert.equal(held.examined, held.said);
    assert.deepEqual(held.acts, ['check', 'undo', 'settle', 'fail'], 'there is nothing to try');
    assert.equal(held.payoutObstacle, 'troubled');
    await change(id, sql`trouble = ${held.said}`);
    await owner.rows(sql`${heldIs} ${end}`);
    assert.deepEqual(await read(), {
      said: 'It is prepared after the time in which its approval can be taken back.',
      examined: null,
      acts: ['check', 'undo'],
      payoutObstacle: null,
    });
  });

const list = (query: Record<string, string> = {}, as = operator) =>
  readList(database, payoutList, readPayouts.query.parse({ limit: '100', ...query }), as);
const idsOf = async (query: Record<string, string>) => (await list(query)).rows.map(({ id }) => id);

test('lists each payout with its member and the acts that exist for the operator who reads', async () => {
  const own = await world.member(2_000n, { role: 'admin' });
  await changeSettings(database, 'sandbox', { payoutDelaySeconds: 600 });
  const { id } = await ask(world, own, 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, operator, id);
  const [delayed] = (await list({ id })).rows;
  assert.deepEqual(
    [delayed?.userId, delayed?.userName, delayed?.amount, delayed?.state, delayed?.acts],
    [String(own), 'Mina Kim', '2000', 'queued', ['check', 'undo']],
  );
  assert.ok(delayed?.undoUntil !== null && delayed?.finishedAt === null && delayed?.failReason === null);
  await change(id, sql`state = 'parked', trouble = 'The wallet is short.'`);
  assert.deepEqual((await list({ id })).rows[0]?.acts, ['check', 'retry', 'settle', 'fail']);
  assert.deepEqual((await list({ id }, own)).rows[0]?.acts, ['check'], 'nobody decides on their own');
  await change(id, sql`state = 'failed', finished_at = platform.business_now()`);
  const [failed] = (await list({ id })).rows;
  assert.deepEqual([failed?.acts, failed?.failReason, failed?.trouble], [[], 'The wallet is short.', null]);
  assert.notEqual(failed?.finishedAt, null);
});

test('names the process that has the turn at the unfinished payouts of a method', async () => {
  const unfinished = await approved();
  assert.equal((await list({ id: unfinished })).rows[0]?.holder, null);
  const lease = await takeLease({ ...parts, database }, turnNameOf('litecoin'));
  assert.ok(lease);
  const { holder } = (await list({ id: unfinished })).rows[0] ?? {};
  assert.equal(holder?.pid, process.pid);
  assert.ok(holder && holder.host.length > 0 && Date.parse(holder.since) <= Date.now());
  const [finished] = (await list({ state: 'confirmed' })).rows;
  assert.equal(finished?.holder, null);
  await lease.release();
  assert.equal((await list({ id: unfinished })).rows[0]?.holder, null);
});

test('is filtered by state, method, trouble and age, and searched by member, address and transaction', async () => {
  const all = await list();
  assert.equal(all.total, all.rows.length);
  for (const state of ['queued', 'confirmed', 'parked', 'failed'] as const) {
    const expected = all.rows.filter((row) => row.state === state).map(({ id }) => id);
    assert.deepEqual(await idsOf({ state }), expected);
    assert.equal((await list({ state })).total, expected.length);
  }
  const unfinished = all.rows.filter(({ finishedAt }) => finishedAt === null);
  assert.equal((await list({ state: 'unfinished', method: 'litecoin' })).total, unfinished.length);
  assert.equal((await list({ method: 'dash' })).total, 0);
  const troubled = all.rows.filter(({ isTroubled }) => isTroubled).map(({ id }) => id);
  assert.deepEqual(await idsOf({ trouble: 'troubled' }), troubled);
  assert.deepEqual(await idsOf({ trouble: 'paused' }), []);
  await changeSettings(database, 'sandbox', { payoutsPaused: true });
  const paused = all.rows.filter(({ state }) => state === 'queued').map(({ id }) => id);
  assert.deepEqual(await idsOf({ trouble: 'paused' }), paused);
  await changeSettings(database, 'sandbox', { payoutsPaused: false });
  const [old] = all.rows;
  assert.ok(old);
  await change(old.id, sql`queued_at = queued_at - interval '25 hours'`);
  assert.deepEqual(await idsOf({ olderThanHours: '24' }), [old.id]);
  for (const q of [old.id, old.userId, old.userEmail, old.address])
    assert.deepEqual(await idsOf({ q }), [old.id], q);
  const paid = all.rows.find(({ txId }) => txId !== null);
  assert.deepEqual(await idsOf({ q: paid?.txId ?? '' }), [paid?.id]);
  assert.deepEqual(
    (await list({ sort: 'queuedAt' })).rows.map(({ id }) => id),
    (await idsOf({})).reverse(),
  );
});

test('reads no more rows for a page and its total when there are many payouts', async () => {
  const member = await world.member(0n);
  await owner.rows(sql`
    with asked as (
      insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
        state, rate, amount_units, created_at, decided_at, decided_by)
      select ${member}, n, 'litecoin', 'address ' || n, 1000, 0, 'approved', 80, 1250000, now(), now(), ${operator}
      from generate_series(1, 30000) n returning id)
    insert into withdrawals.payouts (withdrawal_id, method, destination, amount_units, state, reference, artifact,
      signed_at, broadcast_at, finished_at, due_at, queued_at)
    select id, 'litecoin', id::text, 1250000, 'confirmed', id::text, 'bytes', now(), now(), now(), now(), now()
    from asked`);
  await owner.rows(sql`select withdrawals.keep_payout_sums()`);
  await owner.rows(sql`analyze withdrawals.payouts, withdrawals.withdrawals`);
  for (const query of [{}, { state: 'confirmed' }, { state: 'unfinished' }, { method: 'litecoin' }])
    await database.transaction(async (tx) => {
      const before = await tablesReadBeyond(tx, 0);
      const { rows, total } = await readList(
        tx,
        payoutList,
        readPayouts.query.parse({ limit: '20', ...query }),
        operator,
      );
      assert.ok(rows.length > 0 && total > 0);
      const isPayoutTable = ({ name }: { name: string }) => name === 'payouts' || name === 'withdrawals';
      assert.deepEqual(
        (await tablesReadBeyond(tx, 200, before)).filter(isPayoutTable),
        [],
        JSON.stringify(query),
      );
    });
});
