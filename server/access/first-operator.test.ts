import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { ensureAccount, ensureFirstOperator } from './access.ts';
import { isPassword } from './passwords.ts';

/** ADMIN_EMAIL and ADMIN_PASSWORD at each start. */
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

test('§2-6 first operator: makes the environment’s account an operator if there is none', async () => {
  await ensureAccount(database, { ...named, ...person, password: 'taken before', role: 'user' });
  await restart();
  assert.deepEqual(await stateOf(named.email), { role: 'admin', isGiven: true });
});

test('keeps a password that the operator changed', async () => {
  await ensureAccount(database, { ...named, ...person, password: 'a quiet river 7', role: 'admin' });
  await restart();
  assert.deepEqual(await stateOf(named.email), { role: 'admin', isGiven: false });
});

test('does not restore a revoked role while the site has another operator', async () => {
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
