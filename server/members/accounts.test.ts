import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readUsers } from '#contract/members-accounts.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { readList } from '#platform/http/operator-list.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { type Person, testSite } from '../../test/site.ts';
import { findEarners } from '../earning/member-records.ts';
import { findPayees } from '../withdrawals/member-records.ts';
import { accountList } from './account-list.ts';
import { countMembers, readCounts } from './account-queries.ts';

/** The operators' list of members, their number, and the deletion of an account by an operator. */
const site = await testSite({ after });
await offerMethod(site.platform, 'litecoin');
const operator = await site.member({ role: 'admin' });
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

const read = async (query = '') => {
  const { status, body, headers } = await site.call('GET', `/api/admin/users${query}`, { as: operator });
  assert.equal(status, 200);
  return { rows: body as Record<string, unknown>[], total: headers.get('x-total-count') };
};
const idsOf = async (query: string) => (await read(query)).rows.map(({ id }) => id);
const remove = (person: Pick<Person, 'id'>, as = operator) =>
  site.call('DELETE', `/api/admin/users/${person.id}`, { as });
const readStats = async (as = operator) => (await site.call('GET', '/api/admin/user-stats', { as })).body;

async function withdraw(as: Person): Promise<string> {
  const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address: ADDRESS } };
  const asked = await site.call('POST', '/api/withdrawal', { as, body });
  assert.equal(asked.status, 201);
  return asked.body.id;
}

const block = (person: Person, type: string, expiresAt: string | null = null) =>
  site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, expires_at)
    values (${person.id}, 'A test', 'temporary', ${type}, platform.business_now(), ${expiresAt}::timestamptz)`);

describe('the list of members', () => {
  it('§2-3 user: has the fields of the contract, newest first, and no others', async () => {
    const member = await site.member({ balancePoints: 2_310n });
    const [row] = (await read('?limit=1')).rows;
    const { createdAt, lastLoginAt, ...rest } = row ?? {};
    assert.deepEqual(rest, {
      id: String(member.id),
      email: member.email,
      firstName: rest.firstName,
      lastName: rest.lastName,
      role: 'user',
      balance: '2310',
      totalEarned: rest.totalEarned,
      isActive: true,
      isBlocked: false,
      profileImageUrl: null,
      deletedAt: null,
    });
    assert.ok(Math.abs(Date.parse(String(createdAt)) - Date.now()) < 60_000);
    assert.ok(lastLoginAt === null || Date.parse(String(lastLoginAt)) > 0);
  });

  it('shows operators a negative balance', async () => {
    const member = await site.member();
    await site.owner.rows(sql`update ledger.wallets set balance = -190 where member_id = ${member.id}`);
    assert.equal((await read(`?id=${member.id}`)).rows[0]?.balance, '-190');
    await site.owner.rows(sql`update ledger.wallets set balance = 0 where member_id = ${member.id}`);
  });

  it('§2-9 sizes of lists: has pages of 20 and the number of all', async () => {
    for (let count = 0; count < 22; count += 1) await site.member();
    const { count } = await site.owner.one<{ count: bigint }>(
      sql`select count(*) as count from members.members`,
    );
    const [first, second] = [await read(), await read('?page=2')];
    assert.equal(first.rows.length, 20);
    assert.equal(first.total, String(count));
    const ids = [...first.rows, ...second.rows].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    const csv = await site.call('GET', '/api/admin/users?format=csv', { as: operator });
    assert.equal(csv.body.trim().split('\r\n').length, Number(count) + 1);
  });

  it('finds a member by id, e-mail, phone number, payout address and transaction', async () => {
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const withdrawalId = await withdraw(member);
    const reference = 'ab'.repeat(32);
    await site.owner.rows(sql`
      update members.members set phone_number = '+821012345678', email = 'found.me@xn--vv4b11d.xn--3e0b707e'
      where id = ${member.id}`);
    await site.owner.rows(sql`
      insert into withdrawals.payouts
        (withdrawal_id, method, destination, amount_units, state, reference, artifact, signed_at, queued_at, due_at)
      values (${withdrawalId}, 'litecoin', ${ADDRESS}, 1, 'broadcast', ${reference}, 'bytes', now(), now(), now())`);
    await site.owner.rows(sql`
      insert into earning.providers (id, name, type, settings) values ('cpx', 'CPX Research', 'survey', '{}')
      on conflict do nothing`);
    await site.owner.rows(sql`
      insert into earning.earnings (provider, transaction_id, member_id, points, left_points, subject, is_screen_out,
        state, created_at)
      values ('cpx', 'tx-of-me', ${member.id}, 10, 10, 'A survey', false, 'credited', now())`);
    const texts = [
      String(member.id),
      'Found.me@',
      'Found.me@예시.한국',
      'found.me@xn--vv4b11d.xn--3e0b707e',
      '+82 10-1234-5678',
      '+82 (0)10 1234 5678',
      ADDRESS,
      ADDRESS.toUpperCase(),
      reference,
      reference.toUpperCase(),
      'tx-of-me',
    ];
    for (const text of texts)
      assert.deepEqual(await idsOf(`?q=${encodeURIComponent(text)}`), [String(member.id)], text);
    assert.deepEqual(await idsOf('?q=nobody-has-this'), []);
    await site.owner.rows(sql`delete from withdrawals.payouts where withdrawal_id = ${withdrawalId}`);
  });

  it('filters by role and by state, and knows an expired suspension', async () => {
    const [banned, limited, expired] = [await site.member(), await site.member(), await site.member()];
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${banned.id}`);
    await block(banned, 'full_suspension');
    await block(limited, 'withdrawal_blocked');
    await block(expired, 'earnings_blocked', '2020-01-01');
    const ids = ({ id }: Person) => String(id);
    assert.deepEqual(await idsOf('?role=banned'), [ids(banned)]);
    assert.deepEqual(await idsOf('?state=blocked'), [ids(limited), ids(banned)]);
    assert.deepEqual(await idsOf('?role=admin'), [ids(operator)]);
    const active = await idsOf('?state=active&limit=100');
    assert.ok(
      active.includes(ids(limited)) && active.includes(ids(expired)) && !active.includes(ids(banned)),
    );
    const [row] = (await read(`?id=${limited.id}`)).rows;
    assert.deepEqual([row?.isActive, row?.isBlocked], [true, true]);
    assert.equal((await read(`?id=${expired.id}`)).rows[0]?.isBlocked, false);
    assert.equal((await read(`?id=${banned.id}`)).rows[0]?.isActive, false);
  });

  it('is for operators only', async () => {
    const member = await site.member();
    for (const [path, as, status] of [
      ['/api/admin/users', undefined, 401],
      ['/api/admin/users', member, 403],
      ['/api/admin/user-stats', member, 403],
    ] as const)
      assert.equal((await site.call('GET', path, as === undefined ? {} : { as })).status, status, path);
    assert.equal((await remove(await site.member(), member)).status, 403);
  });
});

describe('the deletion of an account by an operator', () => {
  it('§2-7 users: ends the sessions at once, closes the wallet, and is one act', async () => {
    const member = await site.member({ balancePoints: 500n });
    assert.equal((await remove(member)).status, 204);
    assert.equal((await site.call('GET', '/api/user', { as: member })).status, 401);
    const row = await site.owner.one<Record<string, unknown>>(sql`
      select m.deleted_at is not null as "isDeleted", m.anonymised_at, w.is_closed as "isClosed", w.balance
      from members.members m join ledger.wallets w on w.member_id = m.id where m.id = ${member.id}`);
    assert.deepEqual(row, { isDeleted: true, anonymised_at: null, isClosed: true, balance: 500n });
    assert.deepEqual(await idsOf('?state=deleted'), [String(member.id)]);
    const trail = await site.call('GET', `/api/admin/audit?q=${member.id}`, { as: operator });
    assert.deepEqual(
      trail.body.data.map(({ action, target, operatorId }: Record<string, string>) => [
        action,
        target,
        operatorId,
      ]),
      [['member.delete', String(member.id), String(operator.id)]],
    );
    const again = await remove(member);
    assert.deepEqual([again.status, again.problem.code], [409, 'already-decided']);
  });

  it('refuses an operator’s account, an unknown one, and one with a payout on its way', async () => {
    const colleague = await site.member({ role: 'admin' });
    const refused = await remove(colleague);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'forbidden']);
    for (const id of ['999999999', '12', 'nobody'])
      assert.equal((await site.call('DELETE', `/api/admin/users/${id}`, { as: operator })).status, 404, id);
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const id = await withdraw(member);
    const pending = await remove(member);
    assert.deepEqual([pending.status, pending.problem.code], [409, 'withdrawal-pending']);
    await site.owner.rows(sql`
      update withdrawals.withdrawals set state = 'approved', rate = 80, amount_units = 1, decided_at = now()
      where id = ${id}`);
    assert.equal((await remove(member)).status, 409);
    assert.equal((await site.call('GET', '/api/user', { as: member })).status, 200);
  });

  it('happens once if two operators delete at the same moment', async () => {
    const member = await site.member();
    const other = await site.member({ role: 'admin' });
    const answers = await Promise.all([remove(member), remove(member, other)]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 409]);
  });
});

describe('the numbers of members', () => {
  it('§2-3 figures for operators: count a new member at once, and the others with the next count', async () => {
    const counted = () => countMembers(site.database, 0);
    await counted();
    const before = await readStats();
    const member = await site.member();
    const joined = await readStats();
    assert.deepEqual(
      [joined.totalUsers, joined.todaySignups],
      [before.totalUsers + 1, before.todaySignups + 1],
    );
    await site.owner.rows(sql`
      update members.members set last_sign_in_at = platform.business_now() - interval '29 days'
      where id = ${member.id}`);
    await counted();
    const active = await readStats();
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${member.id}`);
    await counted();
    assert.equal((await readStats()).activeUsers, active.activeUsers - 1);
    await site.owner.rows(sql`
      update members.members set role = 'user', last_sign_in_at = platform.business_now() - interval '31 days'
      where id = ${member.id}`);
    await counted();
    assert.equal((await readStats()).activeUsers, active.activeUsers - 1);
    assert.equal((await remove(member)).status, 204);
    await counted();
    assert.deepEqual((await readStats()).totalUsers, before.totalUsers);
    const { rows } = await read('?limit=100&state=deleted');
    assert.ok(rows.some(({ id }) => id === String(member.id)));
  });

  it('have the points of confirmed payouts', async () => {
    assert.equal((await readStats()).totalPaidOut, '0');
    await site.owner.rows(sql`update withdrawals.totals set paid_points = 31500`);
    assert.equal((await readStats()).totalPaidOut, '31500');
    await site.owner.rows(sql`update withdrawals.totals set paid_points = 0`);
  });

  it('are counted by one of several nodes, and the day begins anew at midnight', async () => {
    await countMembers(site.database, 0);
    assert.deepEqual(await countMembers(site.database, 50), { isDone: false });
    assert.ok((await readStats()).todaySignups > 0);
    await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 86_400 } });
    // The former session of an operator has ended by then. The new operator joined today.
    assert.equal((await readStats(await site.member({ role: 'admin' }))).todaySignups, 1);
  });
});

describe('the cost of the list of members', () => {
  const MEMBER_FIRST = 700_000_000;
  const addMembers = (from: number, to: number) =>
    site.owner.rows(sql`
      with added as (
        insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
        select ${MEMBER_FIRST}::integer + g, 'many' || g || '@example.com', 'many' || g, 'Many', 'many' || g, '1',
          platform.business_now() - g * interval '1 minute'
        from generate_series(${from}::integer, ${to}::integer) g
        returning id)
      insert into ledger.wallets (member_id, today) select id, '2026-01-01' from added`);

  it('does not grow with the members', async () => {
    const list = (reader: Parameters<typeof accountList>[0]) =>
      accountList(reader, [findPayees, findEarners]);
    const queries = [
      {},
      { page: '3' },
      { q: 'many77@' },
      { q: '+15550001111' },
      { q: ADDRESS },
      { state: 'blocked' },
    ];
    await addMembers(1, 100);
    await site.owner.rows(sql`vacuum analyze members.members`);
    const connection = openDatabase({ url: site.urls.appUrl, connectionsMax: 1 });
    const readAll = async (reader: Parameters<typeof accountList>[0]) => {
      for (const query of queries) await readList(reader, list(reader), readUsers.query.parse(query), 1);
      await readCounts(reader);
    };
    try {
      // Plans are made while there are few members, and kept.
      for (let turn = 0; turn < 6; turn += 1) await readAll(connection);
      await addMembers(101, 8_000);
      // As autovacuum does. It makes the plans anew.
      await site.owner.rows(sql`vacuum analyze members.members`);
      await countMembers(site.database, 0);
      const read = await connection.transaction(async (tx) => {
        // The connection has not reported what it read before.
        const before = new Map(
          (await tablesReadBeyond(tx, 0)).map((table) => [table.name, table.read_count]),
        );
        await readAll(tx);
        const after = await tablesReadBeyond(tx, 0);
        return after.filter(({ name, read_count }) => read_count - (before.get(name) ?? 0n) > 400n);
      });
      assert.deepEqual(read, []);
    } finally {
      await connection.close();
    }
  });
});
