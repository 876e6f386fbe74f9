import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';

const site = await testSite({ after });
const signIn = (email: string, password: string) =>
  site.call('POST', '/api/auth/login', { body: { email, password } });
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
