import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { ensureAccount, ensureFirstOperator } from './access.ts';
import { isPassword } from './passwords.ts';

/** ADMIN_EMAIL and ADMIN_PASSWORD, as each start of the site takes them. */
const { database, owner } = await testDatabase({ after });
const named = { email: 'first@example.com', password: 'the given password' };
const person = { firstName: 'Mina', lastName: null };
const restart = () => ensureFirstOperator(database, named);
const stateOf = async (email: string) => {
  const { role, hash } = await owner.one<{ role: string; hash: string }>(
    sql`select role, password_hash as hash from members.members where email = ${email}`,
  );
  return { role, isGiven: await isPassword(hash, named.password) };
};

test('Where nobody is an operator, the account that the environment names is made one', async () => {
  await ensureAccount(database, { ...named, ...person, password: 'taken before', role: 'user' });
  await restart();
  assert.deepEqual(await stateOf(named.email), { role: 'admin', isGiven: true });
});

test('A password that the operator changed since stays', async () => {
  await ensureAccount(database, { ...named, ...person, password: 'a quiet river 7', role: 'admin' });
  await restart();
  assert.deepEqual(await stateOf(named.email), { role: 'admin', isGiven: false });
});

test('A role that was taken away stays away while the site has another operator', async () => {
  await ensureAccount(database, {
    ...person,
    email: 'second@example.com',
    password: 'a calm lake 9',
    role: 'admin',
  });
  await owner.rows(sql`update members.members set role = 'user' where email = ${named.email}`);
  await restart();
  assert.deepEqual(await stateOf(named.email), { role: 'user', isGiven: false });
});
