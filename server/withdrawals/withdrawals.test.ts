import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { RefusalCode } from '#contract/refusals.ts';
import { sql } from '#platform/database.ts';
import { Refusal } from '#platform/refusal.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { ask, balanceOf, faultsOfBooks, startWorld } from '../../test/withdrawals-world.ts';
import { rejectWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { readWithdrawalStats } from './queue-figures.ts';
import { examineWithdrawal } from './quotes.ts';
import { readMethods, readWithdrawals, requestWithdrawal } from './withdrawals.ts';

const world = await startWorld({ after });

const ADDRESS = 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7k693xs3';

async function refusalOf(act: Promise<unknown>): Promise<{ code: RefusalCode; detail: string }> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, detail: error.message };
    throw error;
  }
  assert.fail('nothing was refused');
}

test('§1-3 withdrawal: takes the points with the request, and lists it for the member', async () => {
  const member = await world.member(5_000n);
  const asked = await ask(world, member, 1_500n, ADDRESS);
  assert.equal(asked.status, 'pending');
  assert.equal(asked.amount, '1500');
  assert.equal(asked.processedAt, null);
  assert.equal(await balanceOf(world, member), 3_500n);
  const page = await readWithdrawals(world.parts, member, { page: 1, limit: 10 });
  assert.deepEqual(page, {
    data: [
      {
        ...asked,
        address: ADDRESS,
        txId: null,
        rejectionReason: null,
        rejectionCode: null,
        payoutState: 'none',
        isConfirmed: false,
        waitsFor: null,
        holdUntil: null,
        isCancellable: true,
        fee: '0',
        coinAmount: null,
        rate: null,
      },
    ],
    pagination: { page: 1, totalPages: 1, totalCount: 1, limit: 10 },
  });
  const [movement] = await world.owner.rows<{ kind: string; amount: bigint; subject: string }>(sql`
    select kind, amount, subject from ledger.movements where member_id = ${member} and kind = 'withdrawal'`);
  assert.deepEqual(movement, { kind: 'withdrawal', amount: -1_500n, subject: 'litecoin' });
});

test('accepts one of 50 parallel requests for the whole balance, 20 times over', async () => {
  for (let round = 0; round < 20; round += 1) {
    const member = await world.member(1_000n);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => ask(world, member, 1_000n, randomRegtestAddress())),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    assert.equal(refused.length, 49);
    for (const { reason } of refused) assert.equal(reason.code, 'insufficient-balance', String(reason));
    assert.equal(await balanceOf(world, member), 0n);
  }
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('§1-9 withdrawals: accepts exactly 5 concurrent requests a site day, and 5 more the next day', async () => {
  const member = await world.member(100_000n);
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, () => ask(world, member, 1_000n, ADDRESS)),
  );
  assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 5);
  for (const outcome of outcomes) {
    if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'withdrawal-limit-reached');
  }
  assert.equal(await balanceOf(world, member), 95_000n);
  await world.owner.rows(
    sql`update withdrawals.withdrawals set created_at = created_at - interval '1 day' where member_id = ${member}`,
  );
  for (let count = 0; count < 5; count += 1) await ask(world, member, 1_000n, ADDRESS);
  assert.equal((await refusalOf(ask(world, member, 1_000n, ADDRESS))).code, 'withdrawal-limit-reached');
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('accepts 5 requests in one site day while the site’s time zone moves back and forth', async (t) => {
  const moveTo = (zone: string) => world.owner.rows(sql`update platform.clock set site_timezone = ${zone}`);
  t.after(() => moveTo('UTC'));
  const member = await world.member(100_000n);
  let accepted = 0;
  // Fourteen hours ahead and twelve behind UTC: each move changes the day at any time.
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Kiritimati', 'Etc/GMT+12'])
    for (let count = 0; count < 6; count += 1) {
      await moveTo(zone);
      accepted += await ask(world, member, 1_000n, ADDRESS).then(
        () => 1,
        () => 0,
      );
    }
  assert.equal(accepted, 5);
});

test('counts a rejected request for the daily limit, but not a refused one', async () => {
  const member = await world.member(10_000n);
  await refusalOf(ask(world, member, 11_000n, ADDRESS));
  for (let count = 0; count < 5; count += 1) {
    const { id } = await ask(world, member, 1_000n, ADDRESS);
    await rejectWithdrawal(world.parts, world.operator, id, 'Not today');
  }
  assert.equal(await balanceOf(world, member), 10_000n);
  assert.equal((await refusalOf(ask(world, member, 1_000n, ADDRESS))).code, 'withdrawal-limit-reached');
});

test('returns the first request for a repeated key, and takes no more points', async () => {
  const member = await world.member(5_000n);
  const asked = await Promise.all(
    Array.from({ length: 10 }, () => ask(world, member, 1_000n, ADDRESS, 'key-1')),
  );
  assert.equal(new Set(asked.map(({ id }) => id)).size, 1);
  assert.equal(await balanceOf(world, member), 4_000n);
  await ask(world, member, 1_000n, ADDRESS, 'key-2');
  assert.equal(await balanceOf(world, member), 3_000n);
});

test('§1-5 withdrawal: refuses with the first failed rule in the contract’s order', async () => {
  const member = await world.member(500n, { phone: false });
  const suspend = (type: string) =>
    world.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member}, 'x', 'temporary', ${type}, platform.business_now())`);
  const lift = (type: string) =>
    world.owner.rows(sql`
      update members.suspensions set lifted_at = platform.business_now() where member_id = ${member}
        and suspension_type = ${type}`);
  let request = { amountPoints: '500', method: 'bitcoin', recipientInfo: { address: '' } };
  const code = async () => (await refusalOf(requestWithdrawal(world.parts, member, request, null))).code;
  await world.grant(member, 5_000n);
  await world.owner.rows(
    sql`update members.members set phone_verified_at = platform.business_now() where id = ${member}`,
  );
  for (let count = 0; count < 5; count += 1) await ask(world, member, 1_000n, ADDRESS);
  await world.owner.rows(sql`update members.members set phone_verified_at = null where id = ${member}`);
  await suspend('full_suspension');
  await suspend('withdrawal_blocked');
  await suspend('earnings_blocked');
  assert.equal(await code(), 'account-suspended');
  await lift('full_suspension');
  assert.equal(await code(), 'withdrawals-suspended');
  await lift('withdrawal_blocked');
  assert.equal(await code(), 'method-disabled');
  request = { ...request, method: 'litecoin' };
  assert.equal(await code(), 'below-minimum');
  request = { ...request, amountPoints: '1000' };
  assert.equal(await code(), 'invalid-address');
  request = { ...request, recipientInfo: { address: ADDRESS } };
  assert.equal(await code(), 'phone-not-verified');
  await world.owner.rows(
    sql`update members.members set phone_verified_at = platform.business_now() where id = ${member}`,
  );
  assert.equal(await code(), 'withdrawal-limit-reached');
  await world.owner.rows(
    sql`update withdrawals.withdrawals set created_at = created_at - interval '1 day' where member_id = ${member}`,
  );
  assert.equal(await code(), 'insufficient-balance');
  await world.grant(member, 500n);
  await requestWithdrawal(world.parts, member, request, null);
  assert.equal(await balanceOf(world, member), 0n);
});

test('applies the method’s limits, with a minimum of 1,000 points that exceeds the fee', async () => {
  const member = await world.member(100_000n);
  const refused = async (amountPoints: string, address = 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE') =>
    refusalOf(
      requestWithdrawal(
        world.parts,
        member,
        { amountPoints, method: 'dash', recipientInfo: { address } },
        null,
      ),
    );
  assert.deepEqual(await refused('999'), {
    code: 'below-minimum',
    detail: 'Minimum withdrawal amount for Dash is 1,000 points.',
  });
  await changePaymentMethod(world.parts, 'dash', {
    settings: { minimumAmount: 5_000, maximumAmount: 20_000, processingFee: 250 },
  });
  assert.equal((await refused('4999')).detail, 'Minimum withdrawal amount for Dash is 5,000 points.');
  assert.deepEqual(await refused('20001'), {
    code: 'above-maximum',
    detail: 'Maximum withdrawal amount for Dash is 20,000 points.',
  });
  assert.equal((await refused('20000')).code, 'invalid-address', 'the maximum itself is no fault');
  assert.equal((await refused('5000')).code, 'invalid-address', 'nor is the minimum');
  assert.deepEqual(await refused('5000', ''), { code: 'invalid-address', detail: 'Dash Address Required' });
  assert.equal((await refused('5000')).code, 'invalid-address', 'a main net address on regtest');
  const dash = (await readMethods(world.parts)).find(({ method }) => method === 'dash');
  assert.deepEqual(dash, {
    method: 'dash',
    name: 'Dash',
    minimumAmount: 5_000,
    maximumAmount: 20_000,
    processingFee: 250,
  });
  await changePaymentMethod(world.parts, 'dash', { settings: { minimumAmount: 0, processingFee: 1_500 } });
  assert.equal((await refused('1500')).code, 'below-minimum', 'nothing would be left to pay');
  await changePaymentMethod(world.parts, 'dash', { isEnabled: false });
  assert.equal((await refused('5000')).code, 'method-disabled');
  assert(!(await readMethods(world.parts)).some(({ method }) => method === 'dash'));
});

test('refuses a withdrawal while the member has a debt', async () => {
  const member = await world.member(2_000n);
  await world.owner.rows(sql`
    select ledger.post_one(${member}, ${`reversal:${member}`}, 'reversal', -3000, 'provider:cpx', 'Chargeback',
      'cpx', 't', false)`);
  assert.equal((await refusalOf(ask(world, member, 1_000n, ADDRESS))).code, 'insufficient-balance');
  assert.equal(await balanceOf(world, member), -1_000n);
});

test('pages a member’s withdrawals exactly, and finds the page of one of them, never of another member’s', async () => {
  const member = await world.member(100_000n);
  const ids: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    await world.owner.rows(
      sql`update withdrawals.withdrawals set created_at = created_at - interval '1 day' where member_id = ${member}`,
    );
    ids.unshift((await ask(world, member, 1_000n, ADDRESS)).id);
  }
  const read = async (page: number) => readWithdrawals(world.parts, member, { page, limit: 5 });
  const pages = [await read(1), await read(2), await read(3)];
  assert.deepEqual(
    pages.flatMap(({ data }) => data.map(({ id }) => id)),
    ids,
  );
  assert.deepEqual(pages[2]?.pagination, { page: 3, totalPages: 3, totalCount: 12, limit: 5 });
  const beyond = await read(999_999_999);
  assert.deepEqual(beyond.data, []);
  assert.equal(beyond.pagination.totalCount, 12);
  const none = await readWithdrawals(world.parts, await world.member(0n), { page: 1, limit: 10 });
  assert.deepEqual(none.pagination, { page: 1, totalPages: 1, totalCount: 0, limit: 10 });

  const pageWith = async (containing: string) => {
    const { data, pagination } = await readWithdrawals(world.parts, member, {
      page: 2,
      limit: 5,
      containing,
    });
    return { page: pagination.page, has: data.some(({ id }) => id === containing) };
  };
  for (const [index, id] of ids.entries())
    assert.deepEqual(await pageWith(id), { page: Math.floor(index / 5) + 1, has: true });
  const foreign = (await ask(world, await world.member(2_000n), 1_000n, ADDRESS)).id;
  assert.deepEqual(await pageWith(foreign), { page: 2, has: false });
});

test('shows totals that equal the rows', async () => {
  const stats = await readWithdrawalStats(world.parts);
  const counted = await world.owner.one<{ pending: bigint; points: string; total: bigint }>(sql`
    select count(*) filter (where state = 'pending') as pending,
      coalesce(sum(amount_points) filter (where state = 'pending'), 0) as points, count(*) as total
    from withdrawals.withdrawals`);
  assert.deepEqual(stats, {
    pendingWithdrawals: Number(counted.pending),
    pendingAmount: counted.points,
    totalWithdrawals: Number(counted.total),
  });
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('refuses direct writes to withdrawals', async () => {
  for (const statement of [
    sql`update withdrawals.withdrawals set state = 'pending', decided_at = null`,
    sql`update withdrawals.totals set paid_count = 0`,
    sql`update withdrawals.member_counts set withdrawal_count = 0`,
    sql`delete from withdrawals.payouts`,
    sql`select withdrawals.return_points(gen_random_uuid(), 100000001, 1, 'x')`,
  ]) {
    await assert.rejects(world.database.rows(statement), { code: '42501' });
  }
});

test('answers a key as before, whatever limit or setting changed since', async () => {
  const member = await world.member(10_000n);
  const first = await ask(world, member, 1_000n, ADDRESS, 'before-the-change');
  await changePaymentMethod(world.parts, 'litecoin', {
    isEnabled: false,
    settings: { minimumAmount: 9_000 },
  });
  await world.owner.rows(sql`update members.members set phone_verified_at = null where id = ${member}`);
  await world.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member}, 'x', 'warning', 'withdrawal_blocked', now())`);
  assert.deepEqual(await ask(world, member, 1_000n, ADDRESS, 'before-the-change'), first);
  const other = await refusalOf(ask(world, member, 2_000n, ADDRESS, 'before-the-change'));
  assert.equal(other.code, 'idempotency-mismatch');
  assert.equal(
    (await refusalOf(ask(world, member, 1_000n, ADDRESS, 'another'))).code,
    'withdrawals-suspended',
  );
  await changePaymentMethod(world.parts, 'litecoin', { isEnabled: true, settings: { minimumAmount: 0 } });
  assert.equal(await balanceOf(world, member), 9_000n);
});

test('offers no method that nothing can pay', async () => {
  const methods = async (parts = world.parts) => (await readMethods(parts)).map(({ method }) => method);
  assert(!(await methods()).includes('paypal'));
  const member = await world.member(10_000n);
  const paypal = { amountPoints: '1000', method: 'paypal', recipientInfo: { address: 'jane@example.com' } };
  assert.equal(
    (await refusalOf(requestWithdrawal(world.parts, member, paypal, null))).code,
    'method-disabled',
  );

  const { id } = await ask(world, member, 1_000n, ADDRESS, 'before the account was lost');
  for (const [account, reason] of [
    [sql`null`, /^No payout rail is set up for this method\.$/],
    [sql`'v1.damaged'`, /^The credentials of this method can’t be read\./],
  ] as const) {
    const { sealed } = await world.owner.one<{ sealed: string }>(
      sql`select sealed_credentials as sealed from withdrawals.methods where method = 'litecoin'`,
    );
    await world.owner.rows(
      sql`update withdrawals.methods set sealed_credentials = ${account} where method = 'litecoin'`,
    );
    assert(!(await methods()).includes('litecoin'));
    assert.equal((await refusalOf(ask(world, member, 1_000n, ADDRESS))).code, 'method-disabled');
    const waiting = await examineWithdrawal(world.parts, world.operator, id);
    assert.equal(waiting.status, 'pending');
    assert.match(waiting.trouble ?? '', reason);
    await ask(world, member, 1_000n, ADDRESS, 'before the account was lost');
    await world.owner.rows(
      sql`update withdrawals.methods set sealed_credentials = ${sealed} where method = 'litecoin'`,
    );
  }
  const elsewhere = { ...world.parts, config: { ...world.parts.config, rpcAllowedHosts: [] } };
  assert(!(await methods(elsewhere)).includes('litecoin'), 'the account is not allowed here');
  assert((await methods()).includes('litecoin'));
  assert.equal((await ask(world, member, 1_000n, ADDRESS)).status, 'pending');
});

test('tells the member of a request that waits, with what is needed to deny it', async () => {
  const { owner, database } = world;
  const noticesOf = (member: number) =>
    owner.rows<{ kind: string; facts: Record<string, unknown> }>(
      sql`select kind, facts from notices.notices where member_id = ${member} order by member_number`,
    );
  const member = await world.member(50_000n);
  const [home, office] = [randomRegtestAddress(), randomRegtestAddress()];
  for (const address of [home, office]) await ask(world, member, 1_000n, address);
  assert.deepEqual(await noticesOf(member), [], 'the switch is off');
  await changeSettings(database, 'sandbox', { switches: { addressHold: true } });
  await ask(world, member, 1_000n, home);
  for (let repeated = 0; repeated < 2; repeated += 1) await ask(world, member, 1_200n, office, 'one key');
  const [{ id } = { id: '' }] = (await readWithdrawals(world.parts, member, { page: 1, limit: 1 })).data;
  const [notice, ...others] = await noticesOf(member);
  assert.deepEqual(others, [], 'one notice for each request that waits');
  assert.equal(notice?.kind, 'security');
  const { holdUntil, ...facts } = notice?.facts ?? {};
  const about = { withdrawalId: id, method: 'litecoin', amount: '1200', address: office };
  assert.deepEqual(facts, { change: 'address', ...about });
  assert.ok(Date.parse(String(holdUntil)) > Date.now());
  await changeSettings(database, 'sandbox', { switches: { addressHold: false } });
});
