import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, balanceOf, connectLitecoin, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { blockUntilReset } from '../members/members.ts';
import { approveAllWithdrawals, rejectAllWithdrawals } from './bulk-decisions.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { examineWithdrawal } from './quotes.ts';
import { withdrawalList } from './withdrawal-list.ts';
import { cancelWithdrawal, readWithdrawals, requestWithdrawal } from './withdrawals.ts';

const world = await startWorld({ after });
const { parts, operator, database } = world;
// An approval sends nothing, so no node has to listen at this port.
await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });

/** An address of a method whose node nobody set, so that nothing to it can be approved. */
const DASH_ADDRESS = 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6';

const pending = async (amountPoints = 1_000n) => {
  const member = await world.member(amountPoints);
  const { id } = await ask(world, member, amountPoints, randomRegtestAddress());
  return { member, id };
};
/** Reads the queue with an operator's query. */
const queue = (query: Record<string, string> = {}) =>
  readList(database, withdrawalList(parts), readWithdrawalQueue.query.parse(query), operator);
const count = async (statement: ReturnType<typeof sql>) =>
  Number((await world.owner.one<{ count: bigint }>(statement)).count);

test('fixes rate and amount on approval, and queues one payout with its job', async () => {
  const { id, member } = await pending(1_000n);
  const approved = await approveWithdrawal(parts, operator, id);
  assert.equal(approved.status, 'approved');
  assert.equal(approved.rate, '80.5');
  assert.equal(approved.coinAmount, '0.01242236');
  assert.equal(approved.payoutState, 'queued');
  assert.equal(approved.txId, null);
  assert.equal(approved.userId, String(member));
  assert.equal(approved.userName, 'Mina Kim');
  assert.notEqual(approved.processedAt, null);
  assert.equal(await balanceOf(world, member), 0n);
  assert.equal(
    await count(sql`select count(*) as count from withdrawals.payouts where withdrawal_id = ${id}`),
    1,
  );
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('shows in the list what stands against an approval, and counts a first approval apart', async () => {
  const set = (change: Parameters<typeof changeSettings>[2]) => changeSettings(database, 'sandbox', change);
  const colleague = await world.member(0n, { role: 'admin' });
  const { id: large } = await pending(7_000n);
  const { id: small } = await pending(1_000n);
  const flagsFor = async (who: number) => {
    const query = readWithdrawalQueue.query.parse({ status: 'pending' });
    const { rows } = await readList(database, withdrawalList(parts), query, who);
    return [large, small].map((id) => rows.find((row) => row.id === id)?.flags);
  };
  await set({ caps: { secondPersonFrom: '7000' } });
  assert.deepEqual(await flagsFor(operator), [['two-people', 'first-payout'], ['first-payout']]);
  const bulk = await approveAllWithdrawals(parts, operator);
  assert.deepEqual(bulk.firstApprovedIds, [large]);
  assert.ok(!bulk.failed.some(({ id }) => id === large));
  assert.deepEqual(await flagsFor(operator), [['first-approved', 'first-payout'], undefined]);
  assert.deepEqual(await flagsFor(colleague), [['first-payout'], undefined]);
  const again = await approveAllWithdrawals(parts, operator);
  assert.ok(
    again.failed.some(({ id }) => id === large),
    'a second press records nothing',
  );
  await set({ caps: { methodDay: '1' } });
  assert.deepEqual(await flagsFor(colleague), [['over-cap', 'first-payout'], undefined]);
  const { obstacle, flagFigures } = await examineWithdrawal(parts, colleague, large);
  assert.equal(obstacle?.cap?.name, 'methodDay');
  assert.deepEqual(flagFigures, [{ flag: 'over-cap', kind: 'points', value: '1' }]);
  await set({ caps: { methodDay: null, secondPersonFrom: null } });
  assert.equal((await approveWithdrawal(parts, colleague, large)).status, 'approved');
});

test('subtracts the processing fee from the payout', async () => {
  await changePaymentMethod(parts, 'litecoin', { settings: { processingFee: 195 } });
  const { id } = await pending(1_000n);
  await changePaymentMethod(parts, 'litecoin', { settings: { processingFee: 0 } });
  const approved = await approveWithdrawal(parts, operator, id);
  assert.equal(approved.coinAmount, '0.01000000', 'the fee of the day of the request: 805 points at 80.5');
});

test('§1-4 withdrawal: returns the points once on rejection, stores the reason, announces the balance', async () => {
  const { id, member } = await pending(2_500n);
  world.announced.length = 0;
  const rejected = await rejectWithdrawal(parts, operator, id, 'Looks wrong');
  assert.equal(rejected.status, 'rejected');
  assert.equal(rejected.rejectionReason, 'Looks wrong');
  assert.equal(rejected.payoutState, 'none');
  assert.equal(await balanceOf(world, member), 2_500n);
  assert.deepEqual(
    world.announced.map(({ memberId, event }) => [memberId, event]),
    [
      [member, { type: 'balance', balance: '2500' }],
      [member, { type: 'withdrawal', id, status: 'rejected', payoutState: 'none', txId: null }],
      [member, { type: 'notice', id: '1', kind: 'rejected' }],
    ],
  );
  const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
  assert.equal(data[0]?.rejectionReason, 'Looks wrong');
  assert.equal(data[0]?.status, 'rejected');
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('§2-4 withdrawal: decides once for concurrent calls, and refuses the others with the decision', async () => {
  for (let round = 0; round < 20; round += 1) {
    const { id, member } = await pending();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_value, index) =>
        index % 2 === 0
          ? approveWithdrawal(parts, operator, id)
          : rejectWithdrawal(parts, operator, id, `By operator ${index}`),
      ),
    );
    const won = outcomes.filter((outcome) => outcome.status === 'fulfilled');
    assert.equal(won.length, 1);
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'already-decided');
    }
    const balance = await balanceOf(world, member);
    assert.equal(balance, won[0]?.value.status === 'rejected' ? 1_000n : 0n);
  }
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('refuses approval without a fresh rate or a rail, and leaves the withdrawal pending', async (t) => {
  const { id } = await pending();
  world.rates.status = 500;
  await world.owner.rows(sql`update withdrawals.rates 
    set priced_at = priced_at - interval '601 seconds', fetched_at = fetched_at - interval '601 seconds'`);
  await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'rate-unavailable' });
  world.rates.status = 200;
  const now = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => now() + 10_000); // the source is not asked for 10 s after a failure
  await changePaymentMethod(parts, 'litecoin', { credentials: { rpcPassword: '' } });
  await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'payout-unavailable' });
  await connectLitecoin(world, { host: '127.0.0.1', port: 1, user: 'user', password: 'password' });
  const elsewhere = { ...parts, config: { ...parts.config, rpcAllowedHosts: [] } };
  await assert.rejects(approveWithdrawal(elsewhere, operator, id), { code: 'payout-unavailable' });
  const member = await world.member(1_000n);
  const request = { amountPoints: '1000', method: 'dash', recipientInfo: { address: DASH_ADDRESS } };
  const { reply } = await requestWithdrawal(parts, member, request, null);
  await changePaymentMethod(parts, 'dash', { credentials: { rpcUser: '' } });
  await assert.rejects(approveWithdrawal(parts, operator, reply.id), { code: 'payout-unavailable' });
  assert.equal(
    (await examineWithdrawal(parts, operator, reply.id)).trouble,
    'No payout rail is set up for this method.',
  );
  await rejectWithdrawal(parts, operator, reply.id, 'No rail');
  await changePaymentMethod(parts, 'dash', { credentials: { rpcUser: 'user' } });
  const { rows } = await queue({ status: 'pending' });
  assert.deepEqual(
    rows.map((row) => row.id),
    [id],
  );
  await approveWithdrawal(parts, operator, id);
});

test('refuses an unknown withdrawal with not-found, and a decided one with its decision', async () => {
  const nobody = '00000000-0000-4000-8000-000000000000';
  await assert.rejects(approveWithdrawal(parts, operator, nobody), { code: 'not-found' });
  await assert.rejects(rejectWithdrawal(parts, operator, nobody, 'x'), { code: 'not-found' });
  const { id } = await pending();
  await approveWithdrawal(parts, operator, id);
  await assert.rejects(rejectWithdrawal(parts, operator, id, 'x'), {
    code: 'already-decided',
    message: 'This withdrawal was approved already.',
  });
});

/** The answer to a call on many, without the act's own id. */
const resultOf = ({ actId: _actId, ...result }: Awaited<ReturnType<typeof approveAllWithdrawals>>) => result;

/** What names a request of which a call on all of them failed. */
const named = (method: string) => ({ userName: 'Mina Kim', amount: '1000', method });
const said = (detail: string) => ({ reason: detail, detail, flag: null });

test('§2-7 withdrawals: decides all pending withdrawals, and lists those that it could not decide', async () => {
  await rejectAllWithdrawals(parts, operator, 'Clean');
  const good = [await pending(), await pending(), await pending()];
  const member = await world.member(1_000n);
  const request = { amountPoints: '1000', method: 'dash', recipientInfo: { address: DASH_ADDRESS } };
  const { reply: unpayable } = await requestWithdrawal(parts, member, request, null);
  await changePaymentMethod(parts, 'dash', { credentials: { rpcUser: '' } });
  assert.deepEqual(resultOf(await approveAllWithdrawals(parts, operator)), {
    processed: 3,
    failed: [{ ...named('dash'), id: unpayable.id, ...said('No payout rail is set up for this method.') }],
    stayingIds: [unpayable.id],
  });
  for (const { id } of good) {
    assert.equal(
      await count(sql`select count(*) as count from withdrawals.payouts where withdrawal_id = ${id}`),
      1,
    );
  }
  assert.deepEqual(resultOf(await rejectAllWithdrawals(parts, operator, 'Rest')), {
    processed: 1,
    failed: [],
  });
  assert.equal(await balanceOf(world, member), 1_000n);
  assert.deepEqual(resultOf(await rejectAllWithdrawals(parts, operator, 'None')), {
    processed: 0,
    failed: [],
  });
  await changePaymentMethod(parts, 'dash', { credentials: { rpcUser: 'user' } });
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('goes on past a wallet that somebody else keeps locked, and lists that request', async () => {
  await rejectAllWithdrawals(parts, operator, 'Clean');
  const locked = await pending();
  const free = await pending();
  const impatient: typeof database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        await tx.rows(sql`set local lock_timeout = '300ms'`);
        return work(tx);
      }),
  };
  await world.owner.transaction(async (tx) => {
    await tx.rows(sql`select from ledger.wallets where member_id = ${locked.member} for update`);
    assert.deepEqual(
      resultOf(await rejectAllWithdrawals({ ...parts, database: impatient }, operator, 'All')),
      {
        processed: 1,
        failed: [{ ...named('litecoin'), id: locked.id, ...said('A fault on our side; see the log.') }],
      },
    );
  });
  assert.equal(await balanceOf(world, free.member), 1_000n);
  assert.deepEqual(resultOf(await rejectAllWithdrawals(parts, operator, 'Rest')), {
    processed: 1,
    failed: [],
  });
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('§2-3 withdrawal: filters, sorts, pages and counts the queue exactly', async () => {
  const one = await pending(9_001n);
  const two = await pending(9_003n);
  const three = await pending(9_002n);
  const ids = async (query: Record<string, string>) =>
    (await queue({ status: 'pending', ...query })).rows.map((row) => row.id);
  assert.deepEqual(await ids({}), [three.id, two.id, one.id]);
  assert.deepEqual(await ids({ sort: 'createdAt' }), [one.id, two.id, three.id]);
  assert.deepEqual(await ids({ sort: 'amount' }), [one.id, three.id, two.id]);
  assert.deepEqual(await ids({ sort: '-amount' }), [two.id, three.id, one.id]);
  assert.deepEqual(await ids({ limit: '2', page: '2' }), [one.id]);
  assert.deepEqual(await ids({ limit: '2', page: '9' }), []);
  assert.deepEqual(await ids({ minAmount: '9002' }), [three.id, two.id]);
  assert.deepEqual(await ids({ minAmount: '9002', maxAmount: '9002' }), [three.id]);
  assert.deepEqual(await ids({ method: 'litecoin', maxAmount: '9001' }), [one.id]);
  assert.deepEqual(await ids({ method: 'paypal' }), []);
  assert.deepEqual(await ids({ olderThanHours: '1' }), []);
  assert.equal((await queue({ limit: '2', status: 'pending' })).total, 3);
  const all = await count(sql`select count(*) as count from withdrawals.withdrawals`);
  assert.equal((await queue({ limit: '1' })).total, all);
  await world.owner.rows(sql`
    update withdrawals.withdrawals set created_at = created_at - interval '61 minutes' where id = ${two.id}`);
  assert.deepEqual(await ids({ olderThanHours: '1' }), [two.id]);
});

test('finds by id, member, e-mail, address and transaction, and treats no text as a pattern', async () => {
  const { id, member } = await pending(7_777n);
  const [row] = (await queue({ limit: '1' })).rows;
  assert(row && row.id === id);
  await world.owner.rows(sql`
    insert into withdrawals.payouts
      (withdrawal_id, method, destination, amount_units, state, reference, artifact, signed_at, queued_at, due_at)
    values (${id}, 'litecoin', 'x', 1, 'failed', ${'ab'.repeat(32)}, 'an artifact', now(), now(), now())`);
  const find = async (q: string, status?: 'approved') =>
    (await queue({ q, ...(status === undefined ? {} : { status }) })).rows.map((found) => found.id);
  for (const q of [
    id,
    String(member),
    row.userEmail,
    row.userEmail.toUpperCase(),
    row.address,
    'ab'.repeat(32),
  ]) {
    assert.deepEqual(await find(q), [id], q);
  }
  assert((await find(row.address.slice(0, 20))).includes(id));
  assert((await find('member')).length > 1);
  assert.deepEqual(await find(id, 'approved'), []);
  for (const q of ['%', '_', '\\', 'nobody@example.com', "' or true --", '999999999999']) {
    assert.deepEqual(await find(q), [], q);
  }
  assert.equal((await queue({ q: id })).total, 1);
  await world.owner.rows(sql`delete from withdrawals.payouts where withdrawal_id = ${id}`);
});

test('finds a withdrawal by its id alone, also when an e-mail address begins with that id', async () => {
  const asked = await pending(2_000n);
  const other = await pending(40_000n);
  await world.owner.rows(
    sql`update members.members set email = ${`${asked.id}@x.example`} where id = ${other.member}`,
  );
  const { rows, total } = await queue({ id: asked.id });
  assert.equal(total, 1);
  assert.deepEqual(
    rows.map(({ id }) => id),
    [asked.id],
  );
  assert.equal((await queue({ id: 'no-id' })).total, 0);
});

test('pays nothing to a member whose withdrawals were suspended after the request', async () => {
  const member = await world.member(1_000n);
  const { id } = await ask(world, member, 1_000n, randomRegtestAddress());
  await world.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member}, 'test', 'temporary', 'withdrawal_blocked', platform.business_now())`);
  const approve = () => approveWithdrawal(world.parts, world.operator, id);
  await assert.rejects(approve(), { code: 'withdrawals-suspended' });
  await world.owner.rows(sql`update members.suspensions set lifted_at = now() where member_id = ${member}`);
  assert.equal((await approve()).status, 'approved');
});

test('pays no request that the member disowned, during the block and after it, and returns its points', async () => {
  const { owner } = world;
  const member = await world.member(3_000n);
  const { id } = await ask(world, member, 2_000n, randomRegtestAddress());
  const trouble = async () => (await examineWithdrawal(parts, operator, id)).trouble ?? '';
  await owner.transaction((tx) => blockUntilReset(tx, member));
  for (const isBlocked of [true, false]) {
    await assert.rejects(approveWithdrawal(parts, operator, id), { code: 'withdrawal-disowned' });
    assert.match(
      await trouble(),
      /somebody else used the account\. Reject it/,
      `the block is on: ${isBlocked}`,
    );
    await owner.rows(sql`update members.suspensions set lifted_at = now() where member_id = ${member}`);
  }
  await rejectWithdrawal(parts, operator, id, 'Somebody else asked for it.');
  assert.equal(await balanceOf(world, member), 3_000n);
  const later = await ask(world, member, 2_000n, randomRegtestAddress());
  assert.equal((await approveWithdrawal(parts, operator, later.id)).status, 'approved');
});

test('returns the points of a request that the member cancels once, and of nobody else’s', async () => {
  const { id, member } = await pending(2_000n);
  const stranger = await world.member(0n);
  await assert.rejects(cancelWithdrawal(parts, stranger, id), { code: 'not-found' });
  const calls = await Promise.allSettled([
    ...Array.from({ length: 10 }, () => cancelWithdrawal(parts, member, id)),
    ...Array.from({ length: 10 }, () => approveWithdrawal(parts, operator, id)),
  ]);
  const outcomes = calls.map((call) => (call.status === 'fulfilled' ? 'done' : call.reason.code));
  assert.deepEqual(outcomes.sort(), [...Array(19).fill('already-decided'), 'done']);
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('says in the history who turned a request down', async () => {
  const member = await world.member(9_000n);
  const asked = async () => (await ask(world, member, 1_000n, randomRegtestAddress())).id;
  const [cancelled, rejected] = [await asked(), await asked()];
  await asked();
  const answer = await cancelWithdrawal(parts, member, cancelled);
  assert.deepEqual([answer.status, answer.rejectionCode], ['rejected', 'cancelled']);
  await rejectWithdrawal(parts, operator, rejected, 'Looks wrong');
  const { data } = await readWithdrawals(parts, member, { page: 1, limit: 10 });
  assert.deepEqual(
    data.map(({ rejectionCode, payoutState }) => [rejectionCode, payoutState]),
    [
      [null, 'none'],
      ['operator', 'none'],
      ['cancelled', 'none'],
    ],
  );
  assert.equal(await balanceOf(world, member), 8_000n);
});
