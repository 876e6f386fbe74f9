import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { hash } from '@node-rs/argon2';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { type Person, testSite } from '../../test/site.ts';

/** Registration, sign-in and phones over HTTP, with the sandbox's captcha and text messages. */
const site = await testSite({ after });

const fingerprint = deviceTextOf();
const captchaToken = '10000000-aaaa-bbbb-cccc-000000000001';
let count = 0;

const registration = (changes: Record<string, unknown> = {}) => {
  count += 1;
  return {
    email: `Person.${count}@Example.com`,
    password: 'a quiet river 7',
    firstName: 'Mina',
    deviceFingerprint: fingerprint,
    hcaptchaToken: captchaToken,
    ...changes,
  };
};
const register = (changes: Record<string, unknown> = {}) =>
  site.call('POST', '/api/auth/register', { body: registration(changes) });
const membersCount = async () =>
  (await site.owner.one<{ n: bigint }>(sql`select count(*) as n from members.members`)).n;
const cookieOf = (headers: Headers): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');

describe('registering', () => {
  it('§1-3 member: makes a member, signs in, and keeps the address in lower case', async () => {
    const { status, body, headers } = await register({ lastName: 'Kim' });
    assert.equal(status, 201);
    assert.match(body.id, /^[1-9]\d{8}$/);
    assert.equal(body.email, `person.${count}@example.com`);
    assert.equal(body.role, 'user');
    assert.deepEqual(
      [body.chatTheme, body.chatBubbleColor, body.chatTextColor],
      ['default', '#3B82F6', '#FFFFFF'],
    );
    assert.equal(body.phoneVerified, false);
    assert.ok(!JSON.stringify(body).includes('password'));
    const cookies = headers.getSetCookie().join('\n');
    assert.match(cookies, /^sid=[\w-]{43}; .*HttpOnly; SameSite=Lax/m);
    assert.match(cookies, /^signedin=1;(?!.*HttpOnly)/m);
    const person: Person = { id: 0, email: '', cookie: cookieOf(headers) };
    assert.deepEqual((await site.call('GET', '/api/user', { as: person })).body, body);
    assert.deepEqual((await site.call('GET', '/api/auth/user', { as: person })).body, body);
  });

  const refusals: [string, Record<string, unknown>, number, string][] = [
    ['an invalid address', { email: 'nobody' }, 400, 'Please enter a valid email'],
    ['a short password', { password: '12345' }, 400, 'Password must be at least 6 characters'],
    ['a password longer than 256', { password: 'x'.repeat(257) }, 400, 'At most 256 characters'],
    ['a blank name', { firstName: '  ' }, 400, 'Please enter your name'],
    ['a line break in a name', { firstName: 'a\n=1' }, 400, 'Control characters are not allowed'],
    ['a tab in a last name', { lastName: 'a\t=1' }, 400, 'Control characters are not allowed'],
    ['an escape sequence in a name', { firstName: 'a\u001b[2Jb' }, 400, 'Control characters are not allowed'],
    ['NUL in a name', { firstName: 'a\u0000b' }, 400, 'Control characters are not allowed'],
    [
      'half an emoji',
      { lastName: 'a\ud83d' },
      400,
      'Half a character, such as half an emoji, is not allowed',
    ],
    [
      'a missing captcha token',
      { hcaptchaToken: undefined },
      400,
      'Please complete the captcha verification',
    ],
    ['a missing name', { firstName: undefined }, 400, 'Please enter your name'],
    ['a number for a name', { firstName: 5 }, 400, ''],
    ['an unknown field', { role: 'admin' }, 400, ''],
    ['a fingerprint that is no base64', { deviceFingerprint: '{}' }, 400, ''],
    [
      'a fingerprint without its fields',
      { deviceFingerprint: Buffer.from('{}').toString('base64') },
      400,
      '',
    ],
    ['a fingerprint over 16 KiB', { deviceFingerprint: 'A'.repeat(22_001) }, 400, ''],
  ];
  for (const [what, change, status, message] of refusals)
    it(`§1-5 registration: refuses ${what}, and makes no account`, async () => {
      const before = await membersCount();
      const { status: got, problem } = await register(change);
      assert.equal(got, status);
      assert.equal(problem.code, 'invalid-request');
      assert.ok((problem.errors ?? []).length > 0);
      if (message !== '') assert.equal(problem.detail, message);
      assert.equal(await membersCount(), before);
    });

  it('refuses a wrong captcha token with 422', async () => {
    const { status, problem } = await register({ hcaptchaToken: 'made up' });
    assert.deepEqual([status, problem.code], [422, 'captcha-failed']);
    assert.equal(problem.detail, 'Captcha verification failed. Please try again.');
  });
  it('refuses one of the most common passwords, and an unknown referral code', async () => {
    assert.equal((await register({ password: 'password1' })).problem.code, 'common-password');
    assert.equal((await register({ referralCode: 'NOBODY99' })).problem.code, 'unknown-referral-code');
  });
  it('stores the referrer, for any spelling of the code', async () => {
    const referrer = await register();
    const { status, body } = await register({
      referralCode: ` ${referrer.body.referralCode.toLowerCase()} `,
    });
    assert.equal(status, 201);
    const row = await site.owner.one<{ referred_by: number }>(
      sql`select referred_by from members.members where id = ${Number(body.id)}`,
    );
    assert.equal(String(row.referred_by), referrer.body.id);
  });
  it('answers 409 for a taken address, in any case of letters', async () => {
    const first = await register();
    const { status, problem } = await register({ email: first.body.email.toUpperCase() });
    assert.deepEqual([status, problem.code], [409, 'email-taken']);
  });
  it('answers 409 for a taken mailbox, with its domain in letters or in ASCII', async () => {
    const [written, ascii] = ['Kim.Idn@예시.한국', 'kim.idn@xn--vv4b11d.xn--3e0b707e'];
    const first = await register({ email: written });
    assert.deepEqual([first.status, first.body.email], [201, ascii]);
    for (const email of [written, ascii]) {
      assert.equal((await register({ email })).problem.code, 'email-taken');
      const body = { email, password: registration().password };
      assert.equal((await site.call('POST', '/api/auth/login', { body })).body.id, first.body.id);
    }
    for (const email of ['kim@예시', 'kim@예시..한국', 'kim@예시.한국/a', 'kim@예시 .한국', '김@예시.한국'])
      assert.equal((await register({ email })).status, 400, email);
  });
  it('makes one account for concurrent registrations of an address', async () => {
    const body = registration();
    const all = await Promise.all(
      Array.from({ length: 8 }, () => site.call('POST', '/api/auth/register', { body })),
    );
    assert.deepEqual(all.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409, 409, 409]);
  });
  it('blocks the mailbox of a banned account, as the check says before', async () => {
    const { body } = await register({ email: 'trickster@gmail.com' });
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${Number(body.id)}`);
    const again = { email: 'Trick.Ster+2@googlemail.com' };
    assert.equal((await register(again)).problem.code, 'registration-blocked');
    const check = await site.call('POST', '/api/security/check-registration', {
      body: { ...again, deviceFingerprint: fingerprint, phoneNumber: '' },
    });
    assert.deepEqual([check.status, check.body.allowed, check.body.blockAccount], [200, false, true]);
    const fine = await site.call('POST', '/api/security/check-registration', {
      body: { email: 'new@example.com', deviceFingerprint: fingerprint },
    });
    assert.deepEqual(fine.body, {
      allowed: true,
      blockAccount: false,
      requiresManualReview: false,
      reasons: [],
    });
  });
});

describe('signing in', () => {
  it('§1-4 authentication: gives a new token and ends the one it came with', async () => {
    const { body, headers } = await register();
    const old: Person = { id: 0, email: '', cookie: cookieOf(headers) };
    const signedIn = await site.call('POST', '/api/auth/login', {
      as: old,
      body: { email: body.email, password: 'a quiet river 7' },
    });
    assert.equal(signedIn.status, 200);
    assert.equal((await site.call('GET', '/api/user', { as: old })).status, 401);
    const fresh: Person = { id: 0, email: '', cookie: cookieOf(signedIn.headers) };
    assert.equal((await site.call('GET', '/api/user', { as: fresh })).status, 200);
    assert.equal((await site.call('POST', '/api/auth/logout', { as: fresh })).status, 204);
    assert.equal((await site.call('GET', '/api/user', { as: fresh })).status, 401);
  });
  it('takes a password in each form of its characters, also one that was hashed as it was typed', async () => {
    const [typed, composed] = ['조용한 강가'.normalize('NFD'), '조용한 강가'];
    const short = await register({ password: '조용한강'.normalize('NFD') });
    assert.equal(short.problem.detail, 'Password must be at least 6 characters');
    const { body } = await register({ password: typed });
    const id = Number(body.id);
    const statusOf = async (password: string) =>
      (await site.call('POST', '/api/auth/login', { body: { email: body.email, password } })).status;
    assert.deepEqual([await statusOf(composed), await statusOf(typed)], [200, 200]);
    const former = await hash(typed);
    await site.owner.rows(sql`update members.members set password_hash = ${former} where id = ${id}`);
    const changed = '2026-01-01 00:00:00.123456+00';
    await site.owner.rows(sql`
      update members.members set security_changed_at = ${changed}::timestamptz where id = ${id}`);
    assert.deepEqual([await statusOf(composed), await statusOf(typed)], [401, 200]);
    assert.equal(await statusOf(composed), 200);
    assert.deepEqual(
      await site.owner.one(sql`
        select password_hash = ${former} as "isFormer", security_changed_at = ${changed}::timestamptz as "isKept"
        from members.members where id = ${id}`),
      { isFormer: false, isKept: true },
    );
  });
  it('gives the same answer for a wrong password and an unknown address, and stops after ten', async () => {
    const { body } = await register();
    const wrong = (email: string) =>
      site.call('POST', '/api/auth/login', { body: { email, password: 'not this one' } });
    const known = await wrong(body.email);
    const unknown = await wrong('nobody@example.com');
    assert.deepEqual(known.body, unknown.body);
    assert.deepEqual([known.status, known.problem.code], [401, 'invalid-credentials']);
    for (let tries = 0; tries < 9; tries += 1) await wrong(body.email);
    const locked = await site.call('POST', '/api/auth/login', {
      body: { email: body.email, password: 'a quiet river 7' },
    });
    assert.deepEqual([locked.status, locked.problem.code], [429, 'rate-limited']);
    assert.ok(Number(locked.headers.get('retry-after')) > 0);
  });
  it('ends after seven idle days, and after thirty at the latest', async () => {
    const person = await site.member();
    await site.owner.rows(
      sql`update access.sessions set last_seen_at = last_seen_at - interval '8 days' where member_id = ${person.id}`,
    );
    assert.equal((await site.call('GET', '/api/user', { as: person })).status, 401);
    const operator = await site.member({ role: 'admin' });
    await site.owner.rows(
      sql`update access.sessions set created_at = created_at - interval '13 hours' where member_id = ${operator.id}`,
    );
    assert.equal((await site.call('GET', '/api/admin/stats', { as: operator })).status, 401);
  });
});

describe('the phone', () => {
  const send = (as: Person, phoneNumber: string) =>
    site.call('POST', '/api/auth/send-phone-verification', { as, body: { phoneNumber } });
  const verify = (as: Person, phoneNumber: string, code: string) =>
    site.call('POST', '/api/auth/verify-phone-code', { as, body: { phoneNumber, code } });
  const codeFor = async (phoneNumber: string): Promise<string> => {
    const outbox = await site.call('GET', '/sandbox/outbox');
    return outbox.body.filter((entry: { to: string }) => entry.to === phoneNumber).at(-1).code;
  };

  it('§1-7 auth and security: is verified with the code from the outbox', async () => {
    const person = await site.member();
    const sent = await send(person, '+821011110001');
    assert.equal(sent.status, 200);
    const inMs = new Date(sent.body.expiresAt).getTime() - Date.now();
    assert.ok(inMs > 590_000 && inMs <= 600_000, `${inMs}`);
    const verified = await verify(person, '+821011110001', await codeFor('+821011110001'));
    assert.equal(verified.status, 200);
    assert.deepEqual([verified.body.phoneVerified, verified.body.phoneNumber], [true, '+821011110001']);
    assert.equal((await send(await site.member(), '+821011110001')).problem.code, 'phone-taken');
  });
  it('§1-9 passwords and codes: voids a code after five wrong attempts, also concurrent ones', async () => {
    const person = await site.member();
    await send(person, '+821011110002');
    const right = await codeFor('+821011110002');
    const wrong = right === '000000' ? '000001' : '000000';
    const tries = await Promise.all(Array.from({ length: 8 }, () => verify(person, '+821011110002', wrong)));
    const codes = tries.map(({ problem }) => problem.code).sort();
    assert.equal(codes.filter((code) => code === 'wrong-code').length, 5);
    assert.equal((await verify(person, '+821011110002', right)).problem.code, 'code-expired');
  });
  it('§2-4 phone: refuses a code after ten minutes, and a former code after a new one', async () => {
    const person = await site.member();
    await send(person, '+821011110003');
    const old = await codeFor('+821011110003');
    await send(person, '+821011110003');
    const fresh = await codeFor('+821011110003');
    if (old !== fresh) assert.equal((await verify(person, '+821011110003', old)).problem.code, 'wrong-code');
    await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 601 } });
    assert.equal((await verify(person, '+821011110003', fresh)).problem.code, 'code-expired');
  });
  it('§1-5 phone: refuses numbers and codes of another shape', async () => {
    const person = await site.member();
    for (const number of ['01012345678', '+0123456789', '+82', '+8210abc', '+821012345678901234'])
      assert.equal((await send(person, number)).status, 400);
    for (const code of ['12345', '1234567', 'abcdef'])
      assert.equal((await verify(person, '+821011110004', code)).status, 400);
  });
});

describe('a fully suspended member', () => {
  it('may only read their account and sign out; a wrong shape is refused first', async () => {
    const person = await site.member();
    await site.database.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${person.id}, 'test', 'temporary', 'full_suspension', platform.business_now())`);
    const stats = await site.call('GET', '/api/user/stats', { as: person });
    assert.deepEqual([stats.status, stats.problem.code], [403, 'account-suspended']);
    const shapeless = await site.call('POST', '/api/withdrawal', { as: person, body: {} });
    assert.equal(shapeless.problem.code, 'invalid-request');
    assert.equal((await site.call('GET', '/api/user', { as: person })).status, 200);
    assert.equal((await site.call('POST', '/api/auth/logout', { as: person })).status, 204);
  });
});
