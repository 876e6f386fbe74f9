import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, beforeEach, describe, it } from 'node:test';
import { createBus, type SessionChange } from '#platform/bus.ts';
import { sql } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { testDatabase } from '../../test/database.ts';
import { endSessions, ensureAccount } from './access.ts';
import { createEndedSessionsTurn } from './ended-sessions.ts';
import { openSession } from './sessions.ts';

const { database, owner } = await testDatabase({ after });
const signedIn = async (): Promise<number> => {
  const person = {
    email: `${randomUUID()}@example.com`,
    firstName: 'Test',
    lastName: null,
    isEmailVerified: true,
  };
  const { id } = await ensureAccount(database, { ...person, role: 'admin', password: randomUUID() });
  await database.transaction((tx) => openSession(tx, id, 'test', '127.0.0.1'));
  return id;
};
const end = (memberId: number) => database.transaction((tx) => endSessions(tx, memberId));

/** A node, which hears whose sessions ended. */
async function createNode() {
  const bus = await createBus(null, createLog('silent'));
  const heard: SessionChange['memberId'][] = [];
  bus.onSessionChange(({ memberId }) => heard.push(memberId));
  const turn = createEndedSessionsTurn({ database, bus });
  return {
    hear: async () => {
      await turn();
      return heard.splice(0).sort();
    },
  };
}

describe('the look at ended sessions', () => {
  beforeEach(() => owner.rows(sql`delete from access.ended_sessions`));

  it('tells each node once who lost sessions', async () => {
    const nodes = [await createNode(), await createNode()];
    const [one, two] = [await signedIn(), await signedIn()];
    await end(one);
    await end(two);
    for (const { hear } of nodes) assert.deepEqual(await hear(), [one, two].sort());
    for (const { hear } of nodes) assert.deepEqual(await hear(), []);
  });
  it('misses none whose transaction ends after a later one', async () => {
    const { hear } = await createNode();
    const [slow, quick] = [await signedIn(), await signedIn()];
    await database.transaction(async (tx) => {
      await endSessions(tx, slow);
      await end(quick);
      assert.deepEqual(await hear(), [quick]);
    });
    assert.deepEqual(await hear(), [slow]);
  });
  it('tells of all members at once when more than 100 lost sessions together', async () => {
    const { hear } = await createNode();
    await owner.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, created_at, referral_code, terms_version)
      select 800000000 + n, n || '@many.example', n || '@many.example', 'Test', platform.business_now(), 'many' || n, ''
      from generate_series(1, 101) n`);
    await owner.rows(sql`
      insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
        has_passed_gate)
      select sha256(int4send(n)), gen_random_uuid(), 800000000 + n, platform.business_now(),
        platform.business_now(), 'test', '127.0.0.1', false
      from generate_series(1, 101) n`);
    await database.rows(sql`delete from access.sessions where user_agent = 'test' and member_id > 800000000`);
    assert.deepEqual(await hear(), [null]);
  });
  it('is silent about sessions that were over, and forgets what it told', async () => {
    const { hear } = await createNode();
    const [over, old] = [await signedIn(), await signedIn()];
    await owner.rows(sql`
      update access.sessions set created_at = created_at - interval '31 days' where member_id = ${over}`);
    await end(over);
    assert.deepEqual(await hear(), []);
    await end(old);
    await owner.rows(sql`update access.ended_sessions set ended_at = ended_at - interval '3 minutes'`);
    assert.deepEqual(await hear(), []);
    assert.deepEqual(await owner.rows(sql`select number from access.ended_sessions`), []);
  });
});
