import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';

const key = 'a key that is typed';
const site = await testSite({ after }, { ADMIN_GATE_KEY: key, TRUSTED_PROXIES: '127.0.0.1' });
const operator = { email: 'gate@example.com', password: 'a quiet river 7' };
await ensureAccount(site.database, { ...operator, firstName: 'Mina', lastName: null, role: 'admin' });

const pass = (typed: string) => site.call('POST', '/api/auth/admin/gate', { body: { key: typed } });
const look = (cookie = '') => site.call('GET', '/api/auth/admin/gate', { headers: { cookie } });
/** The cookie of a browser in which the key was entered. */
const gatePass = ((await pass(key)).headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
const signIn = (cookie = '') =>
  site.call('POST', '/api/auth/admin/login', {
    body: { username: operator.email, password: operator.password },
    headers: { cookie },
  });

test('§1-6 operators’ gate: lets an operator sign in only from a browser in which the key was entered', async () => {
  assert.deepEqual([(await signIn()).status, (await signIn()).problem.code], [403, 'wrong-key']);
  assert.deepEqual((await look()).body, { isOpen: false });
  const passed = await pass(key);
  assert.equal(passed.status, 204);
  const cookie = passed.headers.getSetCookie().find((line) => line.startsWith('gate=')) ?? '';
  assert.match(cookie, /Max-Age=900;.*HttpOnly;.*SameSite=Lax/);
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

test('§1-8 key of the gate: refuses a wrong key, and stops after ten guesses', async () => {
  const codes = [];
  for (let tries = 0; tries < 10; tries += 1) codes.push((await pass('guess')).problem.code);
  assert.ok(codes.includes('wrong-key'));
  const { status, problem, headers } = await pass(key);
  assert.deepEqual([status, problem.code], [429, 'rate-limited']);
  assert.ok(Number(headers.get('retry-after')) > 0);
});

test('lets an operator sign in by no other form without the key', async () => {
  const asMember = (cookie = '') =>
    site.call('POST', '/api/auth/login', { body: operator, headers: { cookie } });
  const refused = await asMember();
  assert.deepEqual([refused.status, refused.problem.code], [403, 'wrong-key']);
  assert.deepEqual(refused.headers.getSetCookie(), []);
  assert.equal(
    (await site.call('POST', '/api/auth/login', { body: { ...operator, password: 'x' } })).status,
    401,
  );
  const member = { email: 'ordinary@example.com', password: 'a quiet river 7' };
  await ensureAccount(site.database, { ...member, firstName: 'Jun', lastName: null, role: 'user' });
  assert.equal((await site.call('POST', '/api/auth/login', { body: member })).status, 200);
  const signedIn = await asMember(gatePass);
  assert.equal(signedIn.status, 200);
  const as = { id: 0, email: '', cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  assert.equal((await site.call('GET', '/api/admin/stats', { as })).status, 200);
});

test('refuses operators’ calls of a session that lacks the pass, until its member enters the key', async () => {
  const person = await site.member();
  await site.owner.rows(sql`update members.members set role = 'admin' where id = ${person.id}`);
  const stats = async () => (await site.call('GET', '/api/admin/stats', { as: person })).problem.code;
  const read = () => site.call('GET', '/api/auth/admin/gate', { as: person });
  assert.equal(await stats(), 'wrong-key');
  assert.deepEqual((await read()).body, { isOpen: false });
  assert.equal((await site.call('GET', '/api/user', { as: person })).status, 200, 'members’ calls go on');
  const withKey = (typed: string, address: string) =>
    site.call('POST', '/api/auth/admin/gate', {
      as: person,
      body: { key: typed },
      headers: { 'x-forwarded-for': address },
    });
  assert.equal((await withKey('guess', '192.0.2.3')).status, 403);
  assert.equal(await stats(), 'wrong-key');
  assert.equal((await withKey(key, '192.0.2.3')).status, 204);
  assert.equal(await stats(), undefined);
  assert.deepEqual((await read()).body, { isOpen: true });
});

test('keeps an operator’s session that passed, after the fifteen minutes', async () => {
  const signedIn = await signIn(gatePass);
  const as = { id: 0, email: '', cookie: signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  assert.equal((await site.call('GET', '/api/admin/stats', { as })).status, 200, 'without the gate’s cookie');
});

test('§2-7 operators’ login: is open if no key is set', async () => {
  const open = await testSite({ after });
  assert.deepEqual((await open.call('GET', '/api/auth/admin/gate')).body, { isOpen: true });
  assert.equal((await open.call('POST', '/api/auth/admin/gate', { body: { key: 'any' } })).status, 204);
});
