import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { type Person, testSite } from '../../test/site.ts';
import { siteChecks } from '../books.ts';
import { runChecks } from '../ledger/ledger.ts';
import { readSums } from './chargeback-queries.ts';
import { recordChargeback } from './operator-chargebacks.ts';

/** Chargebacks as operators see and book them. */
const site = await testSite({ after });
const { owner, database } = site;
const operator = await site.member({ role: 'admin' });
const SECRET = 'secret of a test';
await site.call('PUT', '/api/admin/providers/cpx', {
  as: operator,
  body: { isEnabled: true, apiKey: 'app', secret: SECRET },
});
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const REASON = 'The survey was answered by a program';
type Order = { userId: string; amount: number; reason: string; provider: string };
const order = (member: Pick<Person, 'id'>, amount: number, more: Partial<Order> = {}) => ({
  userId: String(member.id),
  amount,
  reason: REASON,
  ...more,
});
const headersOf = (key: string | undefined) =>
  key === undefined ? {} : { headers: { 'idempotency-key': key } };
const book = (body: Partial<Order>, more: { as?: Person; key?: string } = {}) =>
  site.call('POST', '/api/admin/chargebacks/manual', {
    as: more.as ?? operator,
    body,
    ...headersOf(more.key),
  });
const bookTest = (body: Partial<Order>, key?: string) =>
  site.call('POST', '/api/admin/test-chargeback', { as: operator, body, ...headersOf(key) });
const list = (query = '') => site.call('GET', `/api/admin/chargebacks${query}`, { as: operator });
const balanceOf = async ({ id }: Person): Promise<bigint> =>
  (await owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;
const actsOf = ({ id }: Person) =>
  owner.rows<{ act: string; operator: number | null; reason: string }>(sql`
    select act, operator_id as operator, reason from platform.acts
    where target = ${String(id)} and act = 'points.revoke' order by id`);
const noticesOf = ({ id }: Person) =>
  owner.rows<{ kind: string; facts: unknown }>(
    sql`select kind, facts from notices.notices where member_id = ${id} order by member_number`,
  );
const soundBooks = async () => assert.deepEqual(await runChecks(owner, siteChecks), []);

/** A credit of CPX Research and, if asked, its reversal. */
async function cpx(member: Person, transaction: string, status: '1' | '2'): Promise<void> {
  const { body } = await site.call(
    'GET',
    `/api/webhooks/postback/cpx?status=${status}&trans_id=${transaction}&user_id=${member.id}&amount_local=180` +
      `&amount_usd=1&offer_id=1&type=complete&secure_hash=${md5(`${transaction}-${SECRET}`)}`,
  );
  assert.equal(body, '1');
}

describe('a manual chargeback', () => {
  it('of a balance that the operator saw is refused when the member has another one', async () => {
    const member = await site.member({ balancePoints: 40n });
    const seen = { ...order(member, 40), seenBalance: '40' };
    const [one, two] = await Promise.all([book(seen), book(seen)]);
    assert.deepEqual([one.status, two.status].toSorted(), [201, 409]);
    assert.equal([one, two].find(({ status }) => status === 409)?.problem.code, 'outcome-changed');
    assert.equal(await balanceOf(member), 0n);
  });

  it('§2-7 chargebacks: takes points below zero, with the act and the member’s notice, and is listed', async () => {
    const member = await site.member({ balancePoints: 40n });
    const { status, body } = await book(order(member, 100));
    assert.equal(status, 201);
    const { id, createdAt, txId, ...rest } = body;
    assert.match(txId, /^manual-/);
    assert.deepEqual(rest, {
      amount: '-100',
      description: `Chargeback: Manual: ${REASON}`,
      provider: 'Manual',
      reason: 'Admin Action',
      userId: String(member.id),
      userFirstName: 'Test',
      userEmail: member.email,
      userName: 'Test',
      userLastName: null,
      isByOperator: true,
      adminEmail: operator.email,
    });
    assert.equal(await balanceOf(member), -60n);
    assert.deepEqual(await actsOf(member), [{ act: 'points.revoke', operator: operator.id, reason: REASON }]);
    assert.deepEqual(await noticesOf(member), [
      { kind: 'chargeback', facts: { provider: 'manual', amount: '-100', reason: REASON } },
    ]);
    for (const q of [id, String(member.id), member.email, txId]) {
      const { body: found } = await list(`?q=${q}`);
      // A random transaction id of another row may begin with the number of this one.
      const [first, ...others] = q === id ? found.filter((row: { id: string }) => row.id === id) : found;
      assert.deepEqual([first.id, first.createdAt, others], [id, createdAt, []]);
    }
    const { body: own } = await site.call('GET', '/api/user/chargebacks', { as: member });
    assert.deepEqual(
      [own.length, own[0].provider, own[0].reason, own[0].txId],
      [1, 'Manual', 'Admin Action', txId],
    );
    const earning = await site.call('GET', `/api/user/chargebacks/${own[0].id}`, { as: member });
    assert.equal(earning.body.earning, null);
    await soundBooks();
  });

  it('rounds a fraction to the nearest whole point, to at least one', async () => {
    const member = await site.member({ balancePoints: 1_000n });
    for (const [amount, taken] of [
      [2.5, '-3'],
      [2.49, '-2'],
      [0.01, '-1'],
    ] as const)
      assert.equal((await book(order(member, amount))).body.amount, taken);
    assert.equal(await balanceOf(member), 994n);
  });

  it('has the reason of the first word that is known', async () => {
    const member = await site.member();
    for (const [reason, label] of [
      ['A VPN, and fraud', 'VPN Usage'],
      ['fraud', 'Fraudulent Activity'],
      ['paid in duplicate', 'Duplicate'],
      ['By agreement', 'Admin Action'],
    ])
      assert.equal((await book(order(member, 1, { reason: reason as string }))).body.reason, label);
  });

  it('§2-5 manual chargeback: is refused with the specified words', async () => {
    const member = await site.member();
    const { userId, amount, reason } = order(member, 5);
    for (const [body, message] of [
      [{ amount, reason }, 'User ID is required'],
      [{ userId: ' ', amount, reason }, 'User ID is required'],
      [{ userId, reason }, 'Amount must be a positive number'],
      [{ userId, amount: 0, reason }, 'Amount must be a positive number'],
      [{ userId, amount: -5, reason }, 'Amount must be a positive number'],
      [{ userId, amount }, 'Reason is required'],
      [{ userId, amount, reason: ' ' }, 'Reason is required'],
    ] as const) {
      const { status, problem } = await book(body);
      assert.deepEqual([status, problem.errors?.[0]?.message], [400, message]);
    }
    assert.deepEqual(
      [
        (await book({ userId: '999999999', amount, reason })).problem.code,
        (await book(order(operator, 5))).problem.code,
        (await book(order(member, 5), { as: member })).status,
      ],
      ['unknown-member', 'own-request', 403],
    );
    assert.equal(await balanceOf(member), 0n);
  });

  it('books once under its key, also for 20 calls at once below HTTP', async () => {
    const member = await site.member();
    const first = await book(order(member, 30), { key: 'one' });
    const again = await book(order(member, 30), { key: 'one' });
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first.body, 'true']);
    const other = await book(order(member, 31), { key: 'one' });
    assert.equal(other.problem.code, 'idempotency-mismatch');
    const request = {
      who: member.email,
      amountPoints: 7n,
      reason: REASON,
      provider: null,
      actor: operator.id,
      key: 'two',
    };
    const calls = await Promise.all(Array.from({ length: 20 }, () => recordChargeback(site, request)));
    assert.equal(new Set(calls.map(({ chargeback }) => chargeback.id)).size, 1);
    assert.equal(calls.filter(({ isNew }) => isNew).length, 1);
    await assert.rejects(recordChargeback(site, { ...request, amountPoints: 8n }), {
      code: 'idempotency-mismatch',
    });
    assert.equal(await balanceOf(member), -37n);
    assert.deepEqual([(await actsOf(member)).length, (await noticesOf(member)).length], [2, 2]);
    await soundBooks();
  });

  it('reaches a deleted account, whose wallet is closed', async () => {
    const member = await site.member({ balancePoints: 40n });
    await site.call('DELETE', `/api/admin/users/${member.id}`, { as: operator });
    assert.equal((await book(order(member, 40))).status, 201);
    assert.equal(await balanceOf(member), 0n);
  });
});

describe('a test chargeback', () => {
  it('books a real one with the label of its provider', async () => {
    const member = await site.member({ balancePoints: 50n });
    const { status, body } = await bookTest(order(member, 20, { provider: 'cpx', reason: 'A test' }), 'test');
    assert.deepEqual([status, body.result.userId], [200, String(member.id)]);
    const { provider, reason, amount, description, isByOperator, txId } = body.result.chargeback;
    assert.deepEqual(
      [provider, reason, amount, description, isByOperator],
      ['CPX Research', 'Policy Violation', '-20', 'Chargeback: CPX Research: A test', true],
    );
    assert.match(txId, /^test-/);
    assert.equal(await balanceOf(member), 30n);
    await bookTest(order(member, 20, { provider: 'cpx', reason: 'A test' }), 'test');
    assert.equal(await balanceOf(member), 30n);
    await soundBooks();
  });

  it('§2-5 test chargeback: needs one of the providers with a URL for reversals', async () => {
    const { body } = await site.call('GET', '/api/admin/chargebacks/providers', { as: operator });
    const origin = site.config.publicUrl;
    assert.deepEqual(
      body.map(({ id, webhookUrl }: Record<string, string>) => [id, webhookUrl?.split('?')[0]]),
      ['cpx', 'bitlabs', 'theoremreach'].map((id) => [id, `${origin}/api/webhooks/chargeback/${id}`]),
    );
    const member = await site.member();
    for (const provider of [undefined, 'kiwiwall', 'unknown']) {
      const { status, problem } = await bookTest(
        order(member, 1, provider === undefined ? {} : { provider }),
      );
      assert.deepEqual([status, problem.errors?.[0]?.message], [400, 'Provider is required']);
    }
  });
});

describe('the list and its figures', () => {
  it('§2-3 chargeback: have those of providers too, filtered and newest first', async () => {
    const member = await site.member();
    await cpx(member, '8800001', '1');
    await cpx(member, '8800001', '2');
    await book(order(member, 3));
    const own = (await list(`?q=${member.id}`)).body;
    assert.deepEqual(
      own.map(({ provider, isByOperator }: Record<string, unknown>) => [provider, isByOperator]),
      [
        ['Manual', true],
        ['CPX Research', false],
      ],
    );
    const found = (await list(`?provider=cpx&q=8800001`)).body;
    assert.deepEqual([found.length, found[0].txId], [1, own[1].txId]);
    assert.ok(
      (await list('?reason=admin')).body.every(
        ({ reason }: Record<string, string>) => reason === 'Admin Action',
      ),
    );
    assert.ok(
      (await list('?provider=manual')).body.every(
        ({ provider }: Record<string, string>) => provider === 'Manual',
      ),
    );
    const csv = await site.call('GET', '/api/admin/chargebacks?format=csv', { as: operator });
    assert.match(
      String(csv.body).split(/\r?\n/)[0] ?? '',
      /^.?id,createdAt,amount,description,provider,reason,txId,userId,userFirstName,userEmail$/,
    );
  });

  it('count every chargeback once, before and after the day’s sums are stored', async () => {
    const stats = async () => (await site.call('GET', '/api/admin/chargebacks/stats', { as: operator })).body;
    const counted = await owner.one<{ count: bigint; points: string }>(sql`
      select count(*) as count, sum(taken_points)::text as points from earning.reversals where taken_points > 0`);
    const { count, points } = counted;
    const expected = {
      totalChargebacks: Number(count),
      totalAmount: points,
      todayChargebacks: Number(count),
      todayAmount: points,
    };
    assert.deepEqual(await stats(), expected);
    // The rows of this test are younger than the margin of the stored sums.
    await owner.rows(sql`alter table ledger.movements disable trigger user`);
    await owner.rows(sql`update ledger.movements set posted_at = posted_at - interval '20 minutes'`);
    await owner.rows(sql`update earning.reversals set created_at = created_at - interval '20 minutes'`);
    assert.ok(
      (await owner.one<{ n: bigint }>(sql`select ledger.rebuild_account_days(clock_timestamp()) as n`)).n >
        0n,
    );
    assert.deepEqual(
      [(await stats()).totalChargebacks, (await stats()).totalAmount],
      [Number(count), points],
    );
    await book(order(await site.member(), 5));
    const { totalCount, totalPoints } = await readSums(database);
    assert.deepEqual([totalCount, BigInt(totalPoints)], [count + 1n, BigInt(points) + 5n]);
  });

  it('answer the member and the visitor as other operators’ calls do', async () => {
    const member = await site.member();
    for (const path of ['', '/stats', '/providers'])
      assert.deepEqual(
        [
          (await site.call('GET', `/api/admin/chargebacks${path}`, { as: member })).status,
          (await site.call('GET', `/api/admin/chargebacks${path}`)).status,
        ],
        [403, 401],
      );
  });
});

describe('a chargeback where a sum for two people is set', () => {
  const set = (secondPersonFrom: string | null) =>
    changeSettings(database, 'sandbox', { caps: { secondPersonFrom } });

  it('of that sum, also in parts on one day, is refused, and booked on the command line', async () => {
    await set('1000');
    const as = await site.member({ role: 'admin' });
    const member = await site.member({ balancePoints: 5_000n });
    const whole = await book(order(member, 9_999_999_999), { as });
    assert.deepEqual([whole.status, whole.problem.code], [409, 'chargeback-too-large']);
    assert.equal((await book(order(member, 1_000), { as })).status, 409);
    const parts = await Promise.all([1, 2, 3].map(() => book(order(member, 400), { as })));
    assert.deepEqual(parts.map(({ status }) => status).sort(), [201, 201, 409]);
    assert.equal(await balanceOf(member), 4_200n);
    const cpxTest = { as, body: order(member, 300, { provider: 'cpx' }) };
    assert.equal((await site.call('POST', '/api/admin/test-chargeback', cpxTest)).status, 409);
    assert.equal((await book(order(member, 199), { as })).status, 201);
    const byCommand = { who: String(member.id), amountPoints: 2_000n, reason: REASON, provider: null };
    await recordChargeback(site, { ...byCommand, actor: 'command-line', key: null });
    assert.equal(await balanceOf(member), 2_001n);
    await set(null);
  });

  it('takes no more than the member ever earned or has', async () => {
    await set('1000');
    const as = await site.member({ role: 'admin' });
    const [granted, earner] = [await site.member({ balancePoints: 40n }), await site.member()];
    assert.equal((await book(order(granted, 41), { as })).status, 409);
    assert.equal((await book(order(granted, 40), { as })).status, 201);
    await cpx(earner, 'earned-once', '1');
    await owner.rows(sql`select ledger.post_one(${earner.id}, ${`spent-${earner.id}`}, 'withdrawal', -180,
      'withdrawals', '', null, null, false)`);
    assert.equal((await book(order(earner, 181), { as })).status, 409);
    assert.equal((await book(order(earner, 100), { as })).status, 201);
    assert.equal((await book(order(earner, 81), { as })).status, 409);
    assert.equal((await book(order(earner, 80), { as })).status, 201);
    assert.equal(await balanceOf(earner), -180n);
    await set(null);
  });
});
