import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';
import { accountKey } from './account-key.ts';
import { failedSignInsOfAccount, failedSignInsOfSource } from './limits.ts';

/** Sign-ins over HTTP, from the addresses that the test names. */
const site = await testSite({ after }, { TRUSTED_PROXIES: '127.0.0.1' });
const PASSWORD = 'a quiet river 7';
const TOKEN = '10000000-aaaa-bbbb-cccc-000000000001';
type From = { address?: string; cookie?: string; hcaptchaToken?: string };
const signIn = (email: string, password: string, { address = '192.0.2.1', cookie, ...captcha }: From = {}) =>
  site.call('POST', '/api/auth/login', {
    body: { email, password, ...captcha },
    headers: { 'x-forwarded-for': address, ...(cookie === undefined ? {} : { cookie }) },
  });
/** The cookie by which a browser is known that signed in. */
const deviceOf = ({ headers }: { headers: Headers }): string =>
  headers
    .getSetCookie()
    .find((line) => line.startsWith('known-device='))
    ?.split(';')[0] ?? '';
const statusesOf = async (tries: Promise<{ status: number }>[]) =>
  (await Promise.all(tries)).map(({ status }) => status);
const countOf = (statuses: number[], status: number) => statuses.filter((one) => one === status).length;
const account = async (email: string) => {
  await ensureAccount(site.database, {
    email,
    password: 'a quiet river 7',
    firstName: 'Mina',
    lastName: null,
    role: 'user',
  });
  return email;
};

test('counts concurrent guesses of an account together', async () => {
  const email = await account('guessed@example.com');
  const statuses = await statusesOf(
    Array.from({ length: 40 }, (_, index) => signIn(email, `guess ${index}`)),
  );
  assert.deepEqual([countOf(statuses, 401), countOf(statuses, 429)], [10, 30]);
  assert.equal((await signIn(email, 'a quiet river 7')).status, 429);
});

test('signs a member in on many devices concurrently', async () => {
  const email = await account('busy@example.com');
  const statuses = await statusesOf(Array.from({ length: 25 }, () => signIn(email, 'a quiet river 7')));
  assert.equal(countOf(statuses, 200), 25);
});

test('lets an owner in from a known device, whatever others tried', async () => {
  const email = await account('owner@example.com');
  const cookie = deviceOf(await signIn(email, PASSWORD));
  for (let tries = 0; tries < 11; tries += 1) await signIn(email, `guess ${tries}`);
  assert.equal((await signIn(email, PASSWORD)).problem.code, 'rate-limited', 'the guesser’s address');
  assert.equal((await signIn(email, PASSWORD, { cookie })).status, 200);
  assert.equal((await signIn(email, PASSWORD, { address: '192.0.2.9' })).status, 200, 'another address');
});

test('counts the failures of a known device alone', async () => {
  const email = await account('forgetful@example.com');
  const cookie = deviceOf(await signIn(email, PASSWORD));
  for (let tries = 0; tries < 10; tries += 1)
    assert.equal((await signIn(email, `guess ${tries}`, { cookie })).status, 401);
  assert.equal((await signIn(email, PASSWORD, { cookie })).status, 429);
  assert.equal((await signIn(email, PASSWORD)).status, 200);
});

test('knows a device for its account and password only', async () => {
  const [email, other] = [await account('first@example.com'), await account('second@example.com')];
  const known = deviceOf(await signIn(email, PASSWORD));
  const [name, value = ''] = known.split('=');
  const forged = `${name}=${value.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))}`;
  const address = '192.0.2.20';
  for (const one of [email, other])
    for (let tries = 0; tries < 10; tries += 1) await signIn(one, 'a guess', { address });
  assert.equal((await signIn(other, PASSWORD, { address, cookie: known })).status, 429);
  assert.equal((await signIn(email, PASSWORD, { address, cookie: forged })).status, 429);
  const signedIn = await signIn(email, PASSWORD, { address, cookie: known });
  assert.equal(signedIn.status, 200);
  const session = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const changed = await site.call('PUT', '/api/user/password', {
    headers: { cookie: session },
    body: { currentPassword: PASSWORD, newPassword: 'a loud brook 8' },
  });
  assert.equal(changed.status, 204);
  for (let tries = 0; tries < 10; tries += 1) await signIn(email, 'a guess', { address });
  assert.equal((await signIn(email, 'a loud brook 8', { address, cookie: known })).status, 429);
  const renewed = deviceOf(changed);
  assert.equal((await signIn(email, 'a loud brook 8', { address, cookie: renewed })).status, 200);
});

test('stops an address after a hundred failures over all accounts', async () => {
  const address = '198.51.100.7';
  const email = await account('sprayed@example.com');
  for (let failures = 0; failures < 98; failures += 1)
    await site.platform.limits.count(failedSignInsOfSource, address);
  for (let tries = 0; tries < 3; tries += 1)
    assert.equal((await signIn(email, PASSWORD, { address })).status, 200, 'a success does not count');
  assert.equal((await signIn('nobody@example.com', 'a guess', { address })).status, 401);
  assert.equal((await signIn('nobody@example.com', 'a guess', { address })).status, 401);
  const stopped = await signIn(email, PASSWORD, { address });
  assert.deepEqual([stopped.status, stopped.problem.code], [429, 'rate-limited']);
  assert.ok(Number(stopped.headers.get('retry-after')) > 0);
  assert.equal((await signIn(email, PASSWORD, { address: '198.51.100.8' })).status, 200);
});

test('asks for a captcha after fifty failures of an account from many addresses, and locks nobody out', async () => {
  const email = await account('wanted@example.com');
  const cookie = deviceOf(await signIn(email, PASSWORD));
  for (const guessed of [email, 'nobody-here@example.com']) {
    for (let failures = 0; failures < 49; failures += 1)
      await site.platform.limits.count(failedSignInsOfAccount, accountKey(guessed));
    assert.equal((await signIn(guessed, 'a guess', { address: '203.0.113.1' })).status, 401);
    const asked = await signIn(guessed, PASSWORD, { address: '203.0.113.2' });
    assert.deepEqual([asked.status, asked.problem.code], [403, 'captcha-required'], guessed);
  }
  const invented = await signIn(email, PASSWORD, { address: '203.0.113.2', hcaptchaToken: 'invented' });
  assert.deepEqual([invented.status, invented.problem.code], [422, 'captcha-failed']);
  for (let host = 3; host < 8; host += 1)
    assert.equal(
      (await signIn(email, PASSWORD, { address: `203.0.113.${host}`, hcaptchaToken: TOKEN })).status,
      200,
    );
  assert.equal((await signIn(email, PASSWORD, { address: '203.0.113.9', cookie })).status, 200);
});

test('counts no refusal that asks for a captcha as a failure of the address', async () => {
  const email = await account('patient@example.com');
  for (let failures = 0; failures < 50; failures += 1)
    await site.platform.limits.count(failedSignInsOfAccount, accountKey(email));
  const address = '203.0.113.77';
  for (let tries = 0; tries < 12; tries += 1)
    assert.equal((await signIn(email, PASSWORD, { address })).problem.code, 'captcha-required');
  assert.equal((await signIn(email, PASSWORD, { address, hcaptchaToken: TOKEN })).status, 200);
});

test('ends the oldest session when a member opens a twenty-first', async () => {
  const email = await account('collector@example.com');
  const cookies = [];
  for (let count = 0; count < 22; count += 1)
    cookies.push((await signIn(email, PASSWORD)).headers.getSetCookie()[0]?.split(';')[0] ?? '');
  const statuses = [];
  for (const cookie of cookies)
    statuses.push((await site.call('GET', '/api/user', { headers: { cookie } })).status);
  assert.deepEqual(statuses, [401, 401, ...Array.from({ length: 20 }, () => 200)]);
});

test('ends sessions of an account that had the first operator’s address before', async () => {
  const email = await account('operator-to-be@example.com');
  const cookie = (await signIn(email, 'a quiet river 7')).headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const userOf = async () => (await site.call('GET', '/api/user', { headers: { cookie } })).status;
  const becomeOperator = (password: string) =>
    ensureAccount(site.database, { email, password, firstName: 'Operator', lastName: null, role: 'admin' });
  await account(email);
  assert.equal(await userOf(), 200, 'the same password changes nothing');
  await becomeOperator('the password of the real operator');
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  assert.equal(await userOf(), 401);
  assert.equal((await signIn(email, 'the password of the real operator')).body.role, 'admin');
});
