import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';

const key = 'a key that is typed';
const site = await testSite({ after }, { ADMIN_GATE_KEY: key });
const operator = { email: 'gate@example.com', password: 'a quiet river 7' };
await ensureAccount(site.database, { ...operator, firstName: 'Mina', lastName: null, role: 'admin' });

const pass = (typed: string) => site.call('POST', '/api/auth/admin/gate', { body: { key: typed } });
const look = (cookie = '') => site.call('GET', '/api/auth/admin/gate', { headers: { cookie } });
const signIn = (cookie = '') =>
  site.call('POST', '/api/auth/admin/login', {
    body: { username: operator.email, password: operator.password },
    headers: { cookie },
  });

test('lets an operator sign in only from a browser in which the key was entered', async () => {
  assert.deepEqual([(await signIn()).status, (await signIn()).problem.code], [403, 'wrong-key']);
  assert.deepEqual((await look()).body, { isOpen: false });
  const passed = await pass(key);
  assert.equal(passed.status, 204);
  const cookie = passed.headers.getSetCookie().find((line) => line.startsWith('gate=')) ?? '';
  assert.match(cookie, /Max-Age=900;.*HttpOnly;.*SameSite=Strict/);
  const { status, body } = await signIn(cookie.split(';')[0]);
  assert.deepEqual([status, body.user.role], [200, 'admin']);
  assert.deepEqual((await look(cookie.split(';')[0])).body, { isOpen: true });
});

test('refuses an invented or prolonged pass', async () => {
  const [name, value = ''] =
    ((await pass(key)).headers.getSetCookie()[0] ?? '').split(';')[0]?.split('=') ?? [];
  const [until, signature] = decodeURIComponent(value).split('.');
  for (const forged of [`${Number(until) + 1}.${signature}`, `${until}.`, `${until}.AAAA`, '.', 'x.y'])
    assert.equal((await signIn(`${name}=${forged}`)).status, 403, forged);
});

test('refuses a wrong key, and stops after ten guesses', async () => {
  const codes = [];
  for (let tries = 0; tries < 10; tries += 1) codes.push((await pass('guess')).problem.code);
  assert.ok(codes.includes('wrong-key'));
  const { status, problem, headers } = await pass(key);
  assert.deepEqual([status, problem.code], [429, 'rate-limited']);
  assert.ok(Number(headers.get('retry-after')) > 0);
});

test('is open if no key is set', async () => {
  const open = await testSite({ after });
  assert.deepEqual((await open.call('GET', '/api/auth/admin/gate')).body, { isOpen: true });
  assert.equal((await open.call('POST', '/api/auth/admin/gate', { body: { key: 'any' } })).status, 204);
});
