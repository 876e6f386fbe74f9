import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { type Person, testSite } from '../../test/site.ts';
import { openSession } from './sessions.ts';

/** A member's list of sessions, over HTTP. */
const site = await testSite({ after });

/** Another session of a member, as on another device. */
async function elsewhere(person: Person, userAgent = 'Elsewhere'): Promise<Person> {
  const token = await site.database.transaction((tx) => openSession(tx, person.id, userAgent, '127.0.0.1'));
  return { ...person, cookie: `${sessionCookieName(site.origin)}=${token}` };
}

const statusOf = async (person: Person) => (await site.call('GET', '/api/user', { as: person })).status;

describe('sessions', () => {
  const list = async (as: Person) => (await site.call('GET', '/api/user/sessions', { as })).body;

  it('are listed with their fields, the current one marked', async () => {
    const person = await site.member();
    await elsewhere(person, 'Phone');
    const sessions = await list(person);
    assert.equal(sessions.length, 2);
    assert.deepEqual(Object.keys(sessions[0]).sort(), [
      'createdAt',
      'current',
      'id',
      'lastSeenAt',
      'userAgent',
    ]);
    assert.deepEqual(
      sessions.map((one: { userAgent: string; current: boolean }) => [one.userAgent, one.current]).sort(),
      [
        ['Phone', false],
        ['test', true],
      ],
    );
  });
  it('are not listed after their end', async () => {
    const person = await site.member();
    const old = await elsewhere(person, 'Old');
    await site.owner.rows(sql`
      update access.sessions set last_seen_at = last_seen_at - interval '8 days'
      where member_id = ${person.id} and user_agent = 'Old'`);
    assert.equal(await statusOf(old), 401);
    assert.equal((await list(person)).length, 1);
  });
  it('end one by one; another member’s and unknown ones answer 404', async () => {
    const person = await site.member();
    const phone = await elsewhere(person, 'Phone');
    const phoneId = (await list(phone)).find((one: { current: boolean }) => one.current).id;
    const stranger = await site.member();
    const end = (as: Person, id: string) => site.call('DELETE', `/api/user/sessions/${id}`, { as });
    assert.equal((await end(stranger, phoneId)).problem.code, 'not-found');
    assert.equal(await statusOf(phone), 200);
    assert.equal((await end(person, phoneId)).status, 204);
    assert.equal(await statusOf(phone), 401);
    assert.equal((await end(person, phoneId)).status, 404);
    assert.equal((await end(person, 'no-id')).status, 404);
  });
  it('end all but this one', async () => {
    const person = await site.member();
    const others = [await elsewhere(person), await elsewhere(person)];
    const stranger = await site.member();
    assert.equal((await site.call('DELETE', '/api/user/sessions', { as: person })).status, 204);
    for (const other of others) assert.equal(await statusOf(other), 401);
    assert.equal((await list(person)).length, 1);
    assert.equal(await statusOf(stranger), 200);
  });
  it('clear the cookies of a session that ends itself', async () => {
    const person = await site.member();
    const [own] = await list(person);
    const { status, headers } = await site.call('DELETE', `/api/user/sessions/${own.id}`, { as: person });
    assert.equal(status, 204);
    assert.match(headers.getSetCookie().join('\n'), /^sid=;/m);
    assert.equal(await statusOf(person), 401);
  });
});
