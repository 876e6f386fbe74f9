import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { goThroughProvider, startOidcProvider } from '../../test/oidc-provider.ts';
import { type Answer, type Person, type Site, testSite } from '../../test/site.ts';
import { anonymiseDeleted } from '../members/account-deletion.ts';
import { ensureAccount, forgetAccess } from './access.ts';

/** Signing in by way of a real OpenID provider on this machine, step by step as a browser takes them. */
const publicUrl = 'http://rewards.example';
const callback = `${publicUrl}/api/auth/google/callback`;
const provider = await startOidcProvider({ after }, callback);
const site = await testSite({ after }, { PUBLIC_URL: publicUrl, ...provider.environment });

const cookiesOf = ({ headers }: Answer): Map<string, string> =>
  new Map(
    headers.getSetCookie().map((line) => {
      const [pair = ''] = line.split(';');
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    }),
  );
const locationOf = ({ headers }: Answer): string => headers.get('location') ?? '';

async function begin(query = '', at: Site = site) {
  const answer = await at.call('GET', `/api/auth/google${query}`);
  assert.equal(answer.status, 302);
  return { location: locationOf(answer), flow: `google=${cookiesOf(answer).get('google')}`, answer };
}
const comeBack = (cameTo: URL, cookie: string, at: Site = site) =>
  at.call('GET', cameTo.pathname + cameTo.search, { headers: { cookie } });
async function signInAs(login: string, query = '', cookie = ''): Promise<Answer> {
  const { location, flow } = await begin(query);
  return comeBack(await goThroughProvider(location, login), `${flow}; ${cookie}`);
}
const userBehind = async (answer: Answer) => {
  const as: Person = { id: 0, email: '', cookie: `sid=${cookiesOf(answer).get('sid')}` };
  return (await site.call('GET', '/api/user', { as })).body;
};
const errorOf = (answer: Answer): string | null => {
  assert.equal(answer.status, 302);
  const { pathname, searchParams } = new URL(locationOf(answer), publicUrl);
  if (pathname !== '/auth') return null;
  assert.ok(!cookiesOf(answer).has('sid'), 'a failed sign-in gives no session');
  return searchParams.get('error');
};
const person = (login: string, changes: object = {}) => {
  const known = {
    email: `${login}@example.com`,
    email_verified: true,
    given_name: 'Mina',
    family_name: 'Kim',
  };
  provider.people.set(login, { ...known, ...changes });
  return `${login}@example.com`;
};
const account = (email: string, changes: object = {}) =>
  ensureAccount(site.database, {
    email,
    password: 'a quiet river 7',
    firstName: 'Local',
    lastName: null,
    role: 'user',
    ...changes,
  });
const prove = (memberId: number) =>
  site.owner.rows(sql`update members.members set email_verified_at = now() where id = ${memberId}`);
const isOldPasswordGood = async (email: string) =>
  (await site.call('POST', '/api/auth/login', { body: { email, password: 'a quiet river 7' } })).status ===
  200;
const changesOf = (id: number) =>
  site.owner.rows(sql`
    select facts->>'change' as change from notices.notices where member_id = ${id} and mail_due_at is not null
      and facts ? 'change'`);
const identitiesOf = async (memberId: number) =>
  (await site.owner.rows(sql`select from access.identities where member_id = ${memberId}`)).length;

describe('starting a sign-in with Google', () => {
  it('§1-4 Google: asks for a code with PKCE, state and nonce, sealed in a cookie of ten minutes', async () => {
    const { location, answer } = await begin();
    const asked = new URL(location).searchParams;
    assert.equal(new URL(location).origin, provider.issuer);
    assert.deepEqual(
      ['response_type', 'scope', 'redirect_uri', 'code_challenge_method'].map((name) => asked.get(name)),
      ['code', 'openid email profile', callback, 'S256'],
    );
    for (const name of ['state', 'nonce', 'code_challenge']) assert.ok((asked.get(name) ?? '').length >= 43);
    const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('google=')) ?? '';
    assert.match(cookie, /Max-Age=600; Path=\/; HttpOnly; SameSite=Lax/);
    for (const name of ['state', 'nonce']) assert.ok(!cookie.includes(asked.get(name) ?? ''));
  });
  it('answers 404 if Google is not configured, and the configuration says so', async () => {
    const plain = await testSite({ after });
    for (const path of ['/api/auth/google', '/api/auth/google/callback?code=1&state=2'])
      assert.deepEqual([(await plain.call('GET', path)).status], [404]);
    assert.equal((await plain.call('GET', '/api/config')).body.googleEnabled, false);
    assert.equal((await site.call('GET', '/api/config')).body.googleEnabled, true);
  });
  it('answers no HEAD, because the callback has side effects', async () => {
    assert.equal((await site.call('HEAD', '/api/auth/google')).status, 404);
    assert.equal((await site.call('HEAD', '/api/auth/google/callback')).status, 404);
  });
  it('binds the cookie to this host on https', async () => {
    const secure = await testSite(
      { after },
      { PUBLIC_URL: 'https://rewards.example', ...provider.environment },
    );
    const [cookie = ''] = (await secure.call('GET', '/api/auth/google')).headers.getSetCookie();
    assert.match(cookie, /^__Host-google=.*Path=\/; HttpOnly; Secure; SameSite=Lax/);
  });
});

describe('a new person', () => {
  it('is registered with name, address, terms and referral code, and signed in', async () => {
    const email = person('newcomer');
    const referrer = await site.member();
    const code = (await site.call('GET', '/api/user', { as: referrer })).body.referralCode;
    const answer = await signInAs('newcomer', `?ref=${code.toLowerCase()}`);
    assert.deepEqual([answer.status, locationOf(answer)], [302, '/']);
    assert.match(answer.headers.getSetCookie().join('\n'), /^sid=[\w-]{43}; .*HttpOnly; SameSite=Lax/m);
    assert.equal(cookiesOf(answer).get('signedin'), '1');
    const user = await userBehind(answer);
    assert.deepEqual([user.email, user.firstName, user.lastName, user.role], [email, 'Mina', 'Kim', 'user']);
    const row = await site.owner.one<Record<string, unknown>>(sql`
      select referred_by, terms_version, password_hash, email_verified_at is not null as is_verified,
        (select count(*)::integer from ledger.wallets w where w.member_id = m.id) as wallets
      from members.members m where id = ${Number(user.id)}`);
    const { termsVersion } = (await site.call('GET', '/api/config')).body;
    assert.deepEqual(row, {
      referred_by: referrer.id,
      terms_version: termsVersion,
      password_hash: null,
      is_verified: true,
      wallets: 1,
    });
  });
  it('is the same member the next time, also under another address', async () => {
    person('returning');
    const first = await userBehind(await signInAs('returning'));
    person('returning', { email: 'moved@example.com', given_name: 'Other' });
    assert.deepEqual(await userBehind(await signInAs('returning')), first);
  });
  it('gets a name if the provider sends none, and an address with an ASCII domain', async () => {
    person('nameless', { given_name: undefined, email: 'Nameless@예시.한국' });
    const { firstName, lastName, email } = await userBehind(await signInAs('nameless'));
    assert.deepEqual([firstName, lastName, email], ['nameless', null, 'nameless@xn--vv4b11d.xn--3e0b707e']);
  });
  it('gets a name without the control characters that the provider sends', async () => {
    person('broken', { given_name: 'Mi\nna', family_name: 'K\tim' });
    const user = await userBehind(await signInAs('broken'));
    assert.deepEqual([user.firstName, user.lastName], ['Mina', 'Kim']);
  });
  it('is refused with an unknown referral code, and no account is made', async () => {
    const email = person('misled');
    assert.equal(errorOf(await signInAs('misled', '?referral=NOBODY99')), 'unknown-referral-code');
    assert.deepEqual(await site.owner.rows(sql`select from members.members where email = ${email}`), []);
  });
  it('is refused without an address that the provider verified', async () => {
    const errorAs = async (changes: object) =>
      errorOf(await signInAs(person('odd', changes).split('@')[0] ?? ''));
    assert.equal(await errorAs({ email_verified: false }), 'google-email-unverified');
    assert.equal(await errorAs({ email: undefined }), 'google-email-unverified');
    assert.equal(await errorAs({ email: '김@example.com' }), 'google-failed');
  });
  it('passes the security check: the mailbox of a banned member is blocked', async () => {
    const banned = await account('banned.one@gmail.com');
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${banned.id}`);
    person('evader', { email: 'bannedone+new@gmail.com' });
    assert.equal(errorOf(await signInAs('evader')), 'registration-blocked');
  });
  it('§1-3 device fingerprint: keeps the device of the signed cookie, and ignores a forged one', async () => {
    const names = ['userAgent', 'screenResolution', 'timezone', 'language', 'platform', 'plugins', 'webgl'];
    const fingerprint = { ...Object.fromEntries(names.map((name) => [name, 'x'])), canvas: 'of google' };
    const told = await site.call('POST', '/api/device/fingerprint', { body: fingerprint });
    const device = cookiesOf(told).get('device') ?? '';
    const devicesOf = async (id: string) =>
      site.owner.rows<{ canvas: string }>(
        sql`select fields ->> 'canvas' as canvas from access.devices where member_id = ${Number(id)}`,
      );
    person('with-device');
    const user = await userBehind(await signInAs('with-device', '', `device=${device}`));
    assert.deepEqual(await devicesOf(user.id), [{ canvas: 'of google' }]);
    person('forger');
    const forged = await userBehind(await signInAs('forger', '', `device=${device.slice(0, -2)}xx`));
    assert.deepEqual(await devicesOf(forged.id), []);
  });
  it('gets one account for concurrent callbacks in many tabs', async () => {
    const email = person('hasty');
    const flows = await Promise.all(Array.from({ length: 5 }, () => begin()));
    const returns = await Promise.all(flows.map(({ location }) => goThroughProvider(location, 'hasty')));
    const answers = await Promise.all(
      returns.map((cameTo, index) => comeBack(cameTo, flows[index]?.flow ?? '')),
    );
    assert.ok(answers.some((answer) => errorOf(answer) === null));
    const rows = await site.owner.rows<{ id: number }>(
      sql`select id from members.members where email = ${email}`,
    );
    assert.equal(rows.length, 1);
    assert.equal(await identitiesOf(rows[0]?.id ?? 0), 1);
  });
});

describe('an address that has an account here', () => {
  it('links a verified account, keeps its password, and sends a mail', async () => {
    const email = person('proven');
    const { id } = await account(email);
    await prove(id);
    const user = await userBehind(await signInAs('proven'));
    assert.deepEqual([user.id, user.firstName], [String(id), 'Local']);
    assert.ok(await isOldPasswordGood(email));
    assert.deepEqual(await changesOf(id), [{ change: 'google-linked' }]);
  });
  it('links an unverified account, and removes its password, sessions and links', async () => {
    const email = person('victim');
    const { id } = await account(email);
    const squatter = await site.call('POST', '/api/auth/login', {
      body: { email, password: 'a quiet river 7' },
    });
    const as: Person = { id, email, cookie: `sid=${cookiesOf(squatter).get('sid')}` };
    assert.equal((await site.call('POST', '/api/auth/send-email-verification', { as })).status, 204);
    const answer = await signInAs('victim');
    assert.equal((await userBehind(answer)).id, String(id));
    assert.equal((await site.call('POST', '/api/auth/logout', { as })).status, 204);
    assert.equal((await site.call('GET', '/api/user', { as })).status, 401);
    assert.equal(await isOldPasswordGood(email), false);
    const tokens = await site.owner.rows(sql`select from access.mail_tokens where member_id = ${id}`);
    assert.deepEqual(tokens, []);
    assert.deepEqual(await changesOf(id), [{ change: 'google-linked-password-removed' }]);
  });
  it('refuses an operator’s account, which only the password opens', async () => {
    const email = person('boss');
    const { id } = await account(email, { role: 'admin' });
    assert.equal(errorOf(await signInAs('boss')), 'google-use-password');
    assert.deepEqual([await identitiesOf(id), await isOldPasswordGood(email)], [0, true]);
  });
  it('refuses an account that is linked to another Google account', async () => {
    person('first-owner', { email: 'desk@example.com' });
    const first = await userBehind(await signInAs('first-owner'));
    person('second-owner', { email: 'desk@example.com' });
    assert.equal(errorOf(await signInAs('second-owner')), 'google-use-password');
    assert.equal(await identitiesOf(Number(first.id)), 1);
  });
  it('refuses an address that the provider did not verify, and changes nothing', async () => {
    const email = person('claimed', { email_verified: false });
    await account(email);
    assert.equal(errorOf(await signInAs('claimed')), 'google-email-unverified');
    assert.ok(await isOldPasswordGood(email));
  });
  it('refuses a deleted account, by its identity and by its address', async () => {
    person('leaver');
    const { id } = await userBehind(await signInAs('leaver'));
    await site.owner.rows(sql`update members.members set deleted_at = now() where id = ${Number(id)}`);
    assert.equal(errorOf(await signInAs('leaver')), 'google-failed');
    person('leavers-other-account', { email: 'leaver@example.com' });
    assert.equal(errorOf(await signInAs('leavers-other-account')), 'google-failed');
    await site.owner.rows(
      sql`update members.members set deleted_at = now() - interval '8 days' where id = ${Number(id)}`,
    );
    await anonymiseDeleted(site.database, forgetAccess);
    assert.equal(await identitiesOf(Number(id)), 0, 'seven days later nothing leads back');
    const again = await userBehind(await signInAs('leaver'));
    assert.ok(again.id !== id && again.email === 'leaver@example.com');
  });
  it('signs in to a suspended account, which is refused everything else', async () => {
    person('suspended');
    const { id } = await userBehind(await signInAs('suspended'));
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${Number(id)}, 'test', 'temporary', 'full_suspension', now())`);
    const answer = await signInAs('suspended');
    const as: Person = { id: 0, email: '', cookie: `sid=${cookiesOf(answer).get('sid')}` };
    assert.equal((await site.call('GET', '/api/user', { as })).status, 200);
    assert.equal((await site.call('GET', '/api/user/stats', { as })).problem.code, 'account-suspended');
  });
});

describe('an operator', () => {
  it('stays signed in for 12 hours at most with Google', async () => {
    person('promoted');
    const { id } = await userBehind(await signInAs('promoted'));
    await site.owner.rows(sql`update members.members set role = 'admin' where id = ${Number(id)}`);
    const answer = await signInAs('promoted');
    const as: Person = { id: 0, email: '', cookie: `sid=${cookiesOf(answer).get('sid')}` };
    assert.equal((await site.call('GET', '/api/admin/stats', { as })).status, 200);
    await site.owner.rows(
      sql`update access.sessions set created_at = created_at - interval '13 hours' where member_id = ${Number(id)}`,
    );
    assert.equal((await site.call('GET', '/api/admin/stats', { as })).status, 401);
  });
});

describe('a forged or repeated answer', () => {
  const fails = async (cameTo: URL, cookie: string) =>
    assert.equal(errorOf(await comeBack(cameTo, cookie)), 'google-failed');
  const arrive = async (login: string, change: (asked: URL) => void = () => undefined) => {
    person(login);
    const { location, flow } = await begin();
    const asked = new URL(location);
    change(asked);
    return { cameTo: await goThroughProvider(asked.href, login), flow };
  };

  it('is refused for a missing state or one of another flow', async () => {
    const { cameTo, flow } = await arrive('mallory1');
    const other = await begin();
    await fails(cameTo, other.flow);
    await fails(cameTo, '');
    const stateless = new URL(cameTo);
    stateless.searchParams.delete('state');
    await fails(stateless, flow);
    stateless.searchParams.set('state', 'guessed');
    await fails(stateless, flow);
  });
  it('is refused for a used or invented code', async () => {
    const { cameTo, flow } = await arrive('mallory2');
    assert.equal(errorOf(await comeBack(cameTo, flow)), null);
    await fails(cameTo, flow);
    const made = new URL(cameTo);
    made.searchParams.set('code', 'made-up');
    await fails(made, flow);
  });
  it('is refused for the wrong nonce in its ID token', async () => {
    const { cameTo, flow } = await arrive('mallory3', (asked) => asked.searchParams.set('nonce', 'another'));
    await fails(cameTo, flow);
  });
  it('is refused for the wrong PKCE challenge', async () => {
    const challenge = 'A'.repeat(43);
    const { cameTo, flow } = await arrive('mallory4', (asked) =>
      asked.searchParams.set('code_challenge', challenge),
    );
    await fails(cameTo, flow);
  });
  it('is refused for another issuer', async () => {
    const { cameTo, flow } = await arrive('mallory5');
    cameTo.searchParams.set('iss', 'https://accounts.evil.example');
    await fails(cameTo, flow);
  });
  it('is refused with a changed, expired or too long cookie', async () => {
    const { cameTo, flow } = await arrive('mallory6');
    await fails(cameTo, `${flow.slice(0, -2)}xx`);
    await fails(cameTo, `google=${'x'.repeat(3_000)}`);
    await fails(cameTo, 'google=v1.a.b.c.d');
    const old = JSON.stringify({
      state: 's',
      nonce: 'n',
      verifier: 'v',
      referralCode: null,
      until: Date.now() - 1,
    });
    await fails(cameTo, `google=${site.platform.secrets.seal(old, 'google flow')}`);
  });
});

describe('a failed sign-in', () => {
  it('reports denied consent, and clears the cookie', async () => {
    const { location, flow } = await begin();
    const answer = await comeBack(await goThroughProvider(location, 'nobody', 'turns back'), flow);
    assert.equal(errorOf(answer), 'google-denied');
    assert.match(answer.headers.getSetCookie().join('\n'), /^google=; .*Expires=Thu, 01 Jan 1970/m);
  });
  it('reports that the provider is down, and works again with the provider', async () => {
    const fresh = await testSite({ after }, { PUBLIC_URL: publicUrl, ...provider.environment });
    const before = provider.discoveries();
    provider.setDown(true);
    const start = await fresh.call('GET', '/api/auth/google');
    assert.equal(errorOf(start), 'google-unavailable');
    provider.setDown(false);
    await begin('', fresh);
    await begin('', fresh);
    assert.equal(provider.discoveries() - before, 2, 'what was found out is kept');
    person('patient');
    const { location, flow } = await begin();
    const cameTo = await goThroughProvider(location, 'patient');
    provider.setDown(true);
    assert.equal(errorOf(await comeBack(cameTo, flow)), 'google-unavailable');
    provider.setDown(false);
  });
  it('reports a provider with another issuer than the configured one', async () => {
    const other = provider.issuer.replace('127.0.0.1', 'localhost');
    const misled = await testSite(
      { after },
      { PUBLIC_URL: publicUrl, ...provider.environment, GOOGLE_ISSUER: other },
    );
    assert.equal(errorOf(await misled.call('GET', '/api/auth/google')), 'google-unavailable');
  });
});

describe('a provider with addresses only at its userinfo endpoint', () => {
  it('is read there', async () => {
    const shy = await startOidcProvider({ after }, callback, { hasClaimsInUserInfo: true });
    const at = await testSite({ after }, { PUBLIC_URL: publicUrl, ...shy.environment });
    shy.people.set('shy', { email: 'Shy@Example.com', email_verified: true, name: 'Shy Person' });
    const { location, flow } = await begin('', at);
    const answer = await comeBack(await goThroughProvider(location, 'shy'), flow, at);
    assert.equal(locationOf(answer), '/');
    const row = await at.owner.one<{ email: string; first_name: string }>(
      sql`select email, first_name from members.members where email like 'shy%'`,
    );
    assert.deepEqual(row, { email: 'shy@example.com', first_name: 'Shy Person' });
  });
});
