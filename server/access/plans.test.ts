import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { openDatabase, sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { findSessions } from './queries.ts';
import { openSession } from './sessions.ts';

const { database, owner, ownerUrl } = await testDatabase({ after });

const MEMBER_FIRST = 300_000_000;

/** Members from one number to another, and the hashes of a session each. */
async function addMembers(from: number, to: number): Promise<Buffer[]> {
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
    select id, id || '@example.com', id || '@example.com', 'Test', 'code' || id, '1', platform.business_now()
    from generate_series(${MEMBER_FIRST + from}::integer, ${MEMBER_FIRST + to}::integer) id`);
  const ids = Array.from({ length: to - from + 1 }, (_, index) => MEMBER_FIRST + from + index);
  const tokens = ids.map((id) => database.transaction((tx) => openSession(tx, id, 'test', '127.0.0.1')));
  return (await Promise.all(tokens)).map((token) => createHash('sha256').update(token).digest());
}

test('finds a session by index, with a plan made while there was one row', async () => {
  const early = await addMembers(0, 0);
  for (const vacuum of [sql`vacuum analyze members.members`, sql`vacuum analyze access.sessions`])
    await owner.rows(vacuum);
  const connection = openDatabase({ url: ownerUrl, connectionsMax: 1 });
  try {
    assert.equal((await findSessions(connection, early)).length, 1);
    const hashes = await addMembers(1, 300);
    const read = await connection.transaction(async (tx) => {
      assert.equal((await findSessions(tx, hashes.slice(0, 3))).length, 3);
      return tablesReadBeyond(tx, 10);
    });
    assert.deepEqual(read, []);
  } finally {
    await connection.close();
  }
});
