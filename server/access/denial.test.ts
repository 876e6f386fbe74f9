import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Notice } from '#contract/notices.ts';
import { sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { startMailing, tokenIn, untilMails } from '../../test/mail.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { requireMayWithdraw } from '../members/members.ts';
import { ensureAccount } from './access.ts';
import { hashPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

/** The notices of sign-ins and of changed security, and the word of a member that this was not them. */
const site = await testSite({ after }, { LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' });
await startMailing(site, { after });

const PASSWORD = 'a quiet river 7';
let count = 0;
async function newAccount(): Promise<{ id: number; email: string }> {
  count += 1;
  const email = `owner${count}@example.com`;
  const account = { email, password: PASSWORD, firstName: 'Mina', lastName: null, role: 'user' } as const;
  return { id: (await ensureAccount(site.database, { ...account, isEmailVerified: true })).id, email };
}
const cookiesOf = ({ headers }: Answer) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
const signIn = async (email: string, cookie = '', password = PASSWORD): Promise<Person> => {
  const answer = await site.call('POST', '/api/auth/login', {
    body: { email, password },
    headers: { 'user-agent': 'Test Browser', ...(cookie === '' ? {} : { cookie }) },
  });
  assert.equal(answer.status, 200);
  return { id: Number(answer.body.id), email, cookie: cookiesOf(answer) };
};
const kindsOf = async (as: Person) => {
  const { data } = (await site.call('GET', '/api/notices', { as })).body;
  return data.map(({ kind, facts }: Notice) => ('change' in facts ? facts.change : kind)).reverse();
};
const isSignedIn = async (as: Person) => (await site.call('GET', '/api/user', { as })).status === 200;
const isBlocked = async (memberId: number) => {
  try {
    await requireMayWithdraw(site.database, memberId);
    return false;
  } catch (error) {
    assert.equal((error as { code: string }).code, 'withdrawals-suspended');
    return true;
  }
};
const reset = async (email: string, newPassword: string) => {
  await site.call('POST', '/api/auth/forgot-password', { body: { email } });
  for (let tries = 0; tries < 400; tries += 1) {
    const mails = await untilMails(site, email, 1);
    const link = mails.findLast(({ subject }) => subject.startsWith('Choose a new password'));
    if (link !== undefined) {
      const body = { token: tokenIn(link), newPassword };
      assert.equal((await site.call('POST', '/api/auth/reset-password', { body })).status, 204);
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail('no link came');
};
const passHours = (hours: number) =>
  site.owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${hours * 3_600}`);

describe('a sign-in', () => {
  it('is told when the browser is not known, except the first of an account', async () => {
    const { email } = await newAccount();
    const first = await signIn(email);
    assert.deepEqual(await kindsOf(first), []);
    const known = await signIn(email, first.cookie);
    assert.deepEqual(await kindsOf(known), []);
    const other = await signIn(email);
    assert.deepEqual(await kindsOf(other), ['sign-in']);
    const { data } = (await site.call('GET', '/api/notices', { as: other })).body;
    assert.deepEqual(data[0].facts, { userAgent: 'Test Browser', address: '127.0.0.1' });
  });
});

describe('a change of security', () => {
  it('is told once for a new password, with a link that says that this was not the member', async () => {
    const { email } = await newAccount();
    const person = await signIn(email);
    const change = await site.call('PUT', '/api/user/password', {
      as: person,
      body: { currentPassword: PASSWORD, newPassword: 'a wide meadow 9' },
    });
    assert.equal(change.status, 204);
    assert.deepEqual(await kindsOf(person), ['password']);
    const [mail, ...others] = await untilMails(site, email, 1);
    assert.deepEqual(others, []);
    assert.equal(mail?.subject, 'Your Earnest password was changed');
    assert.match(mail?.text ?? '', new RegExp(`${site.origin}/not-me\\?token=`));
  });
});

describe('a member who says that this was not them', () => {
  it('ends every session and blocks withdrawals until 24 hours after a reset, by a mailed link', async () => {
    const { id, email } = await newAccount();
    const owner = await signIn(email);
    const thief = await signIn(email);
    const change = await site.call('PUT', '/api/user/password', {
      as: thief,
      body: { currentPassword: PASSWORD, newPassword: 'a thief was here 1' },
    });
    assert.equal(change.status, 204);
    assert.equal(await isSignedIn(owner), false);
    const token = tokenIn((await untilMails(site, email, 1)).at(-1));
    const deny = () => site.call('POST', '/api/auth/not-me', { body: { token } });
    const answers = await Promise.all([deny(), deny()]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 422]);
    assert.equal((await deny()).problem.code, 'wrong-code');
    const recorded = await site.owner.rows(sql`
      select actor, act, target_kind as kind from platform.acts where about_member_id = ${id}`);
    assert.deepEqual(recorded, [{ actor: 'site', act: 'member.suspend', kind: 'member' }]);
    assert.equal(await isSignedIn(thief), false);
    await passHours(24 * 40);
    assert.equal(await isBlocked(id), true, 'the block has no end before a reset');
    const attempt = (password: string) => site.call('POST', '/api/auth/login', { body: { email, password } });
    const known = await attempt('a thief was here 1');
    assert.deepEqual([known.status, known.problem.code], [403, 'reset-required']);
    assert.equal((await attempt('a wrong guess 5')).problem.code, 'invalid-credentials');
    await reset(email, 'mine again 22');
    assert.equal((await attempt('mine again 22')).status, 200);
    await passHours(23);
    assert.equal(await isBlocked(id), true);
    await passHours(2);
    assert.equal(await isBlocked(id), false);
  });
  it('does the same from the app, and gets a notice of it', async () => {
    const { id, email } = await newAccount();
    const [one, other] = [await signIn(email), await signIn(email)];
    const answer = await site.call('POST', '/api/user/not-me', { as: one });
    assert.equal(answer.status, 204);
    assert.deepEqual([await isSignedIn(one), await isSignedIn(other)], [false, false]);
    assert.equal(await isBlocked(id), true);
    const [mail] = await untilMails(site, email, 1);
    assert.equal(mail?.subject, 'Your Earnest account is locked');
    assert.doesNotMatch(mail?.text ?? '', /not-me/);
    assert.equal((await site.call('POST', '/api/user/not-me')).status, 401);
  });
  it('is not undone by a changed or first password, only by a reset by mail', async () => {
    for (const passwordHash of [await hashPassword(PASSWORD), null]) {
      const { id, email } = await newAccount();
      const { cookie } = await signIn(email);
      await site.call('POST', '/api/user/not-me', { as: { id, email, cookie } });
      // As if the thief's call had passed its checks just before.
      await site.owner.rows(sql`
        update members.members set password_hash = ${passwordHash}, awaits_reset = false where id = ${id}`);
      const token = await site.database.transaction((tx) => openSession(tx, id, 'thief', '127.0.0.1'));
      const thief = { id, email, cookie: `${sessionCookieName(site.origin)}=${token}` };
      const newPassword = 'a thief was here 1';
      const answer =
        passwordHash === null
          ? await site.call('POST', '/api/auth/set-password', { as: thief, body: { newPassword } })
          : await site.call('PUT', '/api/user/password', {
              as: thief,
              body: { currentPassword: PASSWORD, newPassword },
            });
      assert.equal(answer.status, 204);
      await passHours(25);
      assert.equal(await isBlocked(id), true);
      await reset(email, 'mine again 22');
      await passHours(25);
      assert.equal(await isBlocked(id), false);
    }
  });
  it('opens no session for a sign-in that checked its password before', async () => {
    const { id, email } = await newAccount();
    const person = await signIn(email);
    const { passwordHash } = await site.owner.one<{ passwordHash: string }>(sql`
      select password_hash as "passwordHash" from members.members where id = ${id}`);
    assert.equal((await site.call('POST', '/api/user/not-me', { as: person })).status, 204);
    await assert.rejects(
      site.database.transaction((tx) => openSession(tx, id, 'thief', '127.0.0.1', passwordHash)),
      { code: 'invalid-credentials' },
    );
  });
  it('is heard from an address that asked for many mails; only bad links count', async () => {
    const { id, email } = await newAccount();
    await signIn(email);
    await signIn(email);
    const genuine = `${id}-1-${site.platform.secrets.sign(`${id}-1`, 'denial of a notice')}`;
    const post = async (path: string, body: object) =>
      (await site.call('POST', path, { body, headers: { 'x-forwarded-for': '192.0.2.77' } })).status;
    const statuses: number[] = [];
    for (let asked = 0; asked < 21; asked += 1)
      statuses.push(await post('/api/auth/forgot-password', { email: `nobody${asked}@example.com` }));
    assert.deepEqual([statuses.at(0), statuses.at(-1)], [204, 429]);
    const deny = (token: string) => post('/api/auth/not-me', { token });
    const bad = [];
    for (let tries = 0; tries < 21; tries += 1) bad.push(await deny('123456789-1-aaaaaaaaaaaaaaaaaaaaaaaa'));
    assert.deepEqual([bad.slice(0, 20).every((status) => status === 422), bad.at(-1)], [true, 429]);
    assert.equal(await deny(genuine), 204);
    assert.equal(await isBlocked(id), true);
  });
  it('locks nothing again by links of mails from before the reset that answered the denial', async () => {
    const [robbed, careful] = [await newAccount(), await newAccount()];
    const deny = (id: number, number: number) => {
      const signature = site.platform.secrets.sign(`${id}-${number}`, 'denial of a notice');
      return site.call('POST', '/api/auth/not-me', { body: { token: `${id}-${number}-${signature}` } });
    };
    for (const { email } of [robbed, careful])
      for (let logins = 0; logins < 5; logins += 1) await signIn(email);
    for (const number of [1, 2]) assert.equal((await deny(robbed.id, number)).status, 204);
    for (const { email } of [robbed, careful]) await reset(email, 'mine again 22');
    for (const number of [3, 4]) assert.equal((await deny(robbed.id, number)).problem.code, 'wrong-code');
    assert.equal((await deny(careful.id, 1)).status, 204, 'a reset without a denial leaves the links');
    const owner = await signIn(robbed.email, '', 'mine again 22');
    assert.equal(await isSignedIn(owner), true);
    const { number } = await site.owner.one<{ number: number }>(sql`
      select max(member_number)::integer as number from notices.notices
      where member_id = ${robbed.id} and kind = 'sign-in'`);
    assert.equal((await deny(robbed.id, number)).status, 204);
    assert.equal(await isSignedIn(owner), false);
  });
  it('is refused with a link that is changed, too old, or of another kind of notice', async () => {
    const { id, email } = await newAccount();
    const person = await signIn(email);
    await signIn(email);
    const tokenOf = (number: number, signature: string) => `${id}-${number}-${signature}`;
    const deny = (token: string) => site.call('POST', '/api/auth/not-me', { body: { token } });
    const { secrets } = site.platform;
    const genuine = tokenOf(1, secrets.sign(`${id}-1`, 'denial of a notice'));
    for (const token of [
      tokenOf(2, secrets.sign(`${id}-2`, 'denial of a notice')),
      tokenOf(1, secrets.sign(`${id}-1`, 'another purpose')),
      genuine.replace(String(id), String(id + 1)),
      'abcdefghijklmnopqrstuvwxyz',
    ])
      assert.equal((await deny(token)).problem.code, 'wrong-code', token);
    assert.equal((await deny('')).status, 400);
    await passHours(24 * 31);
    assert.equal((await deny(genuine)).problem.code, 'code-expired');
    assert.equal(await isBlocked(id), false);
    assert.notEqual(person.id, 0);
  });
});
