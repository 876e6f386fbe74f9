import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { type Person, testSite } from '../../test/site.ts';
import { hashPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

/** The password of a signed-in member, over HTTP. */
const site = await testSite({ after });
const PASSWORD = 'a quiet river 7';
const passwordHash = await hashPassword(PASSWORD);

/** A member with a password. */
async function somebody(): Promise<Person> {
  const person = await site.member();
  await site.owner.rows(
    sql`update members.members set password_hash = ${passwordHash} where id = ${person.id}`,
  );
  return person;
}

/** Another session of a member, as on another device. */
async function elsewhere(person: Person, userAgent = 'Elsewhere'): Promise<Person> {
  const token = await site.database.transaction((tx) => openSession(tx, person.id, userAgent, '127.0.0.1'));
  return { ...person, cookie: `${sessionCookieName(site.origin)}=${token}` };
}

const login = (email: string, password: string) =>
  site.call('POST', '/api/auth/login', { body: { email, password } });
const statusOf = async (person: Person) => (await site.call('GET', '/api/user', { as: person })).status;

describe('changing the password', () => {
  const change = (as: Person, currentPassword: string, newPassword: string) =>
    site.call('PUT', '/api/user/password', { as, body: { currentPassword, newPassword } });

  it('§1-7 member data: sets the new one, keeps this session and ends the others', async () => {
    const person = await somebody();
    const phone = await elsewhere(person);
    assert.equal(await statusOf(phone), 200);
    assert.equal((await change(person, PASSWORD, 'a louder river 8')).status, 204);
    assert.equal(await statusOf(person), 200);
    assert.equal(await statusOf(phone), 401);
    assert.equal((await login(person.email, PASSWORD)).problem.code, 'invalid-credentials');
    assert.equal((await login(person.email, 'a louder river 8')).status, 200);
  });
  it('informs the member by mail', async () => {
    const person = await somebody();
    await change(person, PASSWORD, 'a louder river 8');
    const mailed = await site.owner.rows<{ change: string }>(sql`
      select facts->>'change' as change from notices.notices
      where member_id = ${person.id} and kind = 'security' and mail_due_at is not null`);
    assert.deepEqual(mailed, [{ change: 'password' }]);
  });
  it('§2-5 password change: refuses a wrong current password, a common one, and lengths outside 6 to 256', async () => {
    const person = await somebody();
    const wrong = await change(person, 'not this one', 'a louder river 8');
    assert.deepEqual([wrong.status, wrong.problem.code], [403, 'wrong-password']);
    const common = await change(person, PASSWORD, 'password1');
    assert.deepEqual([common.status, common.problem.code], [422, 'common-password']);
    for (const newPassword of ['12345', 'x'.repeat(257), 'nul\u0000nul'])
      assert.equal((await change(person, PASSWORD, newPassword)).status, 400);
    assert.equal((await change(person, PASSWORD, `${' '.repeat(3)}x${' '.repeat(252)}`)).status, 204);
  });
  it('answers 409 without a password, and reports whether there is one', async () => {
    const person = await site.member();
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${person.id}`);
    const { status, problem } = await change(person, PASSWORD, 'a louder river 8');
    assert.deepEqual([status, problem.code], [409, 'no-password']);
    const state = async (as: Person) => (await site.call('GET', '/api/user/password', { as })).body;
    assert.deepEqual(await state(person), { isSet: false });
    assert.deepEqual(await state(await somebody()), { isSet: true });
  });
  it('accepts one of 50 concurrent changes, counts 10 wrong ones and refuses the rest', async () => {
    const person = await somebody();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => change(person, PASSWORD, `a new river ${index}`)),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    assert.deepEqual({ 204: count(204), 403: count(403), 429: count(429) }, { 204: 1, 403: 10, 429: 39 });
    const winner = answers.findIndex((answer) => answer.status === 204);
    const { password_hash: stored } = await site.owner.one<{ password_hash: string }>(
      sql`select password_hash from members.members where id = ${person.id}`,
    );
    const { isPassword } = await import('./passwords.ts');
    assert.ok(await isPassword(stored, `a new river ${winner}`));
    const limited = answers.find((answer) => answer.status === 429);
    assert.ok(Number(limited?.headers.get('retry-after')) > 0);
    // Signing in has a count of its own.
    assert.equal((await login(person.email, `a new river ${winner}`)).status, 200);
  });
});
