import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceOf, deviceTextOf } from '../../test/device.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { type Person, testSite } from '../../test/site.ts';
import { forgetAccess } from '../access/access.ts';
import { hashPassword } from '../access/passwords.ts';
import { openSession } from '../access/sessions.ts';
import { closeWallet, post } from '../ledger/ledger.ts';
import { anonymiseDeleted } from './account-deletion.ts';
import { startMembersSweeps } from './jobs.ts';
import { resetPasswordHash } from './sign-in-queries.ts';

/** The deletion of an account, over HTTP and with the sandbox's clock. */
const site = await testSite({ after });
const PASSWORD = 'a quiet river 7';
const passwordHash = await hashPassword(PASSWORD);
await offerMethod(site.platform, 'litecoin');
const LITECOIN = 'LM2WMpR1Rp6j3Sa59cMXMs1SPzj9eXpGc1';

async function somebody(options: Parameters<typeof site.member>[0] = {}): Promise<Person> {
  const person = await site.member(options);
  await site.owner.rows(
    sql`update members.members set password_hash = ${passwordHash} where id = ${person.id}`,
  );
  return person;
}

const leave = (as: Person, password = PASSWORD) =>
  site.call('DELETE', '/api/user/account', { as, body: { password } });
const login = (email: string, password = PASSWORD) =>
  site.call('POST', '/api/auth/login', { body: { email, password } });
const advanceDays = (days: number) =>
  site.call('POST', '/sandbox/clock', { body: { advanceSeconds: days * 86_400 } });
const rowOf = (person: Person) =>
  site.owner.one<Record<string, unknown>>(sql`select * from members.members where id = ${person.id}`);

const fingerprint = deviceOf();

describe('deleting one’s account', () => {
  it('§2-7 calls of members: ends every session at once, refuses signing in and keeps the address taken', async () => {
    const person = await somebody();
    const { token } = await site.database.transaction(async (tx) => ({
      token: await openSession(tx, person.id, 'Phone', '127.0.0.1'),
    }));
    const phone = { ...person, cookie: `sid=${token}` };
    assert.equal((await site.call('GET', '/api/user', { as: phone })).status, 200);
    const { status, headers } = await leave(person);
    assert.equal(status, 204);
    assert.match(headers.getSetCookie().join('\n'), /^sid=;/m);
    for (const as of [person, phone]) assert.equal((await site.call('GET', '/api/user', { as })).status, 401);
    assert.deepEqual((await login(person.email)).problem.code, 'invalid-credentials');
    const again = await site.call('POST', '/api/auth/register', {
      body: {
        email: person.email,
        password: PASSWORD,
        firstName: 'Again',
        deviceFingerprint: deviceTextOf(),
        hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
      },
    });
    assert.equal(again.problem.code, 'email-taken');
  });
  it('§2-5 account deletion: needs the right password, and refuses an account without one', async () => {
    const person = await somebody();
    const wrong = await leave(person, 'not this one');
    assert.deepEqual([wrong.status, wrong.problem.code], [403, 'wrong-password']);
    assert.equal((await site.call('DELETE', '/api/user/account', { as: person, body: {} })).status, 400);
    assert.equal((await site.call('DELETE', '/api/user/account', { as: person })).status, 400);
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${person.id}`);
    const without = await leave(person);
    assert.deepEqual([without.status, without.problem.code], [409, 'no-password']);
    assert.equal((await site.call('GET', '/api/user', { as: person })).status, 200);
  });
  it('takes a first password that a session alone set after 24 hours only, or one that was reset by mail', async () => {
    const [robbed, patient] = [await site.member(), await site.member()];
    for (const person of [robbed, patient]) {
      await site.owner.rows(sql`update members.members set password_hash = null where id = ${person.id}`);
      const set = await site.call('POST', '/api/auth/set-password', {
        as: person,
        body: { newPassword: 'a thief was here 1' },
      });
      assert.equal(set.status, 204);
      const body = { currentPassword: 'a thief was here 1', newPassword: PASSWORD };
      assert.equal((await site.call('PUT', '/api/user/password', { as: person, body })).status, 204);
      for (const password of [PASSWORD, 'not this one']) {
        const { status, problem } = await leave(person, password);
        assert.deepEqual([status, problem.code], [403, 'fresh-factor-required']);
      }
      assert.equal((await site.call('GET', '/api/user', { as: person })).status, 200);
    }
    await site.database.transaction((tx) => resetPasswordHash(tx, robbed.id, passwordHash));
    assert.equal((await leave(robbed)).status, 204);
    await advanceDays(1);
    assert.equal((await leave(patient)).status, 204);
  });
  it('refuses while a withdrawal is undecided, and succeeds afterwards', async () => {
    const person = await somebody({ balancePoints: 5_000n, isPhoneVerified: true });
    const operator = await site.member({ role: 'admin' });
    const asked = await site.call('POST', '/api/withdrawal', {
      as: person,
      body: {
        amountPoints: '2000',
        method: 'litecoin',
        recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
      },
    });
    assert.equal(asked.status, 201);
    const { status, problem } = await leave(person);
    assert.deepEqual([status, problem.code], [409, 'withdrawal-pending']);
    assert.equal((await site.call('GET', '/api/user', { as: person })).status, 200);
    await site.call('POST', `/api/admin/withdrawals/${asked.body.id}/reject`, {
      as: operator,
      body: { reason: 'Not today' },
    });
    assert.equal((await leave(person)).status, 204);
  });
  it('refuses while a payout is on its way', async () => {
    const person = await somebody({ balancePoints: 5_000n, isPhoneVerified: true });
    const asked = await site.call('POST', '/api/withdrawal', {
      as: person,
      body: {
        amountPoints: '2000',
        method: 'litecoin',
        recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
      },
    });
    const { id } = asked.body;
    await site.owner.rows(sql`
      update withdrawals.withdrawals set state = 'approved', rate = 80, amount_units = 1, decided_at = now()
      where id = ${id}`);
    await site.owner.rows(sql`
      insert into withdrawals.payouts
        (withdrawal_id, method, destination, amount_units, state, reference, artifact, signed_at, queued_at, due_at)
      values (${id}, 'litecoin', 'x', 1, 'broadcast', ${id}, 'an artifact', now(), now(), now())`);
    const { status, problem } = await leave(person);
    assert.deepEqual([status, problem.code], [409, 'withdrawal-pending']);
    await site.owner.rows(
      sql`update withdrawals.payouts set state = 'confirmed' where withdrawal_id = ${id}`,
    );
    assert.equal((await leave(person)).status, 204);
  });
  it('refuses operators', async () => {
    const operator = await somebody({ role: 'admin' });
    const { status, problem } = await leave(operator);
    assert.deepEqual([status, problem.code], [403, 'forbidden']);
    assert.equal((await rowOf(operator)).deleted_at, null);
  });
  it('closes the wallet, which keeps its balance and takes no credits', async () => {
    const person = await somebody({ balancePoints: 700n });
    assert.equal((await leave(person)).status, 204);
    const posting = await site.database.transaction((tx) =>
      post(tx, {
        memberId: person.id,
        key: `test:late:${person.id}`,
        kind: 'earning',
        amountPoints: 5n,
        account: 'provider:cpx',
        subject: 'late',
        provider: 'cpx',
        transactionId: `late-${person.id}`,
      }),
    );
    assert.deepEqual([posting.status, posting.balancePoints], ['closed', null]);
    const wallet = await site.owner.one<{ balance: bigint; is_closed: boolean }>(
      sql`select balance, is_closed from ledger.wallets where member_id = ${person.id}`,
    );
    assert.deepEqual(wallet, { balance: 700n, is_closed: true });
  });
  it('never succeeds together with a concurrent withdrawal', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await somebody({ balancePoints: 5_000n, isPhoneVerified: true });
      const [left, asked] = await Promise.all([
        leave(person),
        site.call('POST', '/api/withdrawal', {
          as: person,
          body: { amountPoints: '2000', method: 'litecoin', recipientInfo: { address: LITECOIN } },
        }),
      ]);
      const both = left.status === 204 && asked.status === 201;
      assert.ok(!both && (left.status === 204 || asked.status === 201), `${left.status} ${asked.status}`);
    }
  });
  it('refuses a concurrent sign-in', async () => {
    const person = await somebody();
    assert.equal((await leave(person)).status, 204);
    await assert.rejects(
      site.database.transaction((tx) => openSession(tx, person.id, 'Late', '127.0.0.1')),
      { code: 'invalid-credentials' },
    );
  });
});

describe('anonymising after seven days', () => {
  it('§2-9 deletion after seven days: removes personal data, and keeps withdrawals and movements', async () => {
    const person = await somebody({ balancePoints: 5_000n, isPhoneVerified: true });
    const operator = await site.member({ role: 'admin' });
    await site.call('POST', '/api/device/fingerprint', { body: fingerprint });
    await site.call('POST', '/api/device/fingerprint', { as: person, body: fingerprint });
    const asked = await site.call('POST', '/api/withdrawal', {
      as: person,
      body: { amountPoints: '2000', method: 'litecoin', recipientInfo: { address: LITECOIN } },
    });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    const rejected = await site.call('POST', `/api/admin/withdrawals/${asked.body.id}/reject`, {
      as: operator,
      body: { reason: 'A test' },
    });
    assert.equal(rejected.status, 200);
    const movements = () =>
      site.owner.rows(sql`select * from ledger.movements where member_id = ${person.id} order by seq`);
    const before = await movements();
    assert.equal(before.length, 3);
    const { phone_number: phone } = await rowOf(person);
    assert.equal((await leave(person)).status, 204);

    await advanceDays(6);
    await anonymiseDeleted(site.database, forgetAccess);
    const waiting = await rowOf(person);
    assert.equal(waiting.email, person.email);
    assert.equal(waiting.phone_number, phone);

    await advanceDays(1);
    assert.ok((await anonymiseDeleted(site.database, forgetAccess)) >= 1);
    const row = await rowOf(person);
    assert.equal(row.email, `deleted-${person.id}@deleted.invalid`);
    assert.equal(row.email_canonical, row.email);
    assert.deepEqual(
      [row.first_name, row.last_name, row.phone_number, row.phone_verified_at, row.registered_from],
      ['Deleted', null, null, null, null],
    );
    const left = await site.owner.one<{ devices: bigint; sessions: bigint }>(sql`
      select (select count(*) from access.devices where member_id in (0, ${person.id})) as devices,
        (select count(*) from access.sessions where member_id = ${person.id}) as sessions`);
    assert.deepEqual(left, { devices: 0n, sessions: 0n });
    assert.deepEqual(await movements(), before);
    const withdrawal = await site.owner.one<{ address: string }>(
      sql`select destination as address from withdrawals.withdrawals where member_id = ${person.id}`,
    );
    assert.equal(withdrawal.address, LITECOIN);
    assert.equal(await anonymiseDeleted(site.database, forgetAccess), 0);
    // The address is free for a new member.
    const { status } = await site.call('POST', '/api/auth/register', {
      body: {
        email: person.email,
        password: PASSWORD,
        firstName: 'New',
        deviceFingerprint: deviceTextOf({ canvas: 'new' }),
        hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
      },
    });
    assert.equal(status, 201);
  });
  it('changes no other member for any call of the application', async () => {
    const [active, early] = [await somebody(), await somebody()];
    assert.equal((await leave(early)).status, 204);
    for (const person of [active, early]) {
      const { done } = await site.database.one<{ done: boolean }>(
        sql`select members.anonymise(${person.id}) as done`,
      );
      assert.equal(done, false);
      assert.equal((await rowOf(person)).email, person.email);
    }
  });
  it('deletes the registration review of the anonymised member only', async () => {
    const [person, other] = [await somebody(), await somebody()];
    const reviewed = async () =>
      (
        await site.owner.rows<{ email: string }>(
          sql`select email from access.registration_reviews where email in (${person.email}, ${other.email})`,
        )
      ).map(({ email }) => email);
    await site.owner.rows(sql`
      insert into access.registration_reviews (email, facts, status, created_at)
      values (${person.email}, '{}', 'allowed', platform.business_now()),
        (${other.email}, '{}', 'refused', platform.business_now())`);
    await site.database.rows(sql`select access.forget(${person.id})`);
    assert.equal((await reviewed()).length, 2, 'keeps the review of an active account');
    assert.equal((await leave(person)).status, 204);
    await site.database.rows(sql`select access.forget(${person.id})`);
    assert.equal((await reviewed()).length, 2, 'keeps the review of an account that was deleted today');
    await advanceDays(7);
    await anonymiseDeleted(site.database, forgetAccess);
    assert.deepEqual(await reviewed(), [other.email]);
    await site.database.rows(sql`select access.forget(${person.id})`);
    await assert.rejects(site.database.rows(sql`select access.forget(${person.id}, ${other.email})`), {
      code: '42883',
    });
    assert.deepEqual(await reviewed(), [other.email]);
  });
  it('is done by a node’s sweep', async () => {
    const person = await somebody();
    assert.equal((await leave(person)).status, 204);
    await advanceDays(7);
    const sweeps = startMembersSweeps(site.platform, forgetAccess);
    try {
      while ((await rowOf(person)).anonymised_at === null) await new Promise((done) => setTimeout(done, 20));
    } finally {
      await sweeps.close();
    }
    assert.equal((await rowOf(person)).first_name, 'Deleted');
  });
  it('keeps the closed wallet open to reversals', async () => {
    const person = await somebody({ balancePoints: 100n });
    await closeWallet(site.database, person.id);
    const posting = await site.database.transaction((tx) =>
      post(tx, {
        memberId: person.id,
        key: `test:reversal:${person.id}`,
        kind: 'reversal',
        amountPoints: -150n,
        account: 'provider:cpx',
        subject: 'fraud',
        provider: 'cpx',
        transactionId: `r-${person.id}`,
      }),
    );
    assert.deepEqual([posting.status, posting.balancePoints], ['posted', -50n]);
  });
});
