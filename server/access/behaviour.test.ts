import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BehaviourEntry } from '#contract/access-behaviour.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { deleteOldBehaviourReports } from './behaviour.ts';

/** Reports of behaviour over HTTP: shape, bounds and deletion. */
const site = await testSite({ after });
const log = (as: Person, body: unknown) => site.call('POST', '/api/behavior/log', { as, body });
const entry = (changes: object = {}) => ({
  action: 'mouse_move',
  target: 'main',
  metadata: { x: 10, y: 20.5, isTrusted: true, at: '2026-11-20T10:00:00.000Z', none: null },
  sessionId: 'page-1',
  ...changes,
});
const keptOf = async ({ id }: Person): Promise<BehaviourEntry[]> => {
  const rows = await site.owner.rows<{ entries: BehaviourEntry[] }>(
    sql`select entries from access.behaviour where member_id = ${id} order by id`,
  );
  return rows.flatMap(({ entries }) => entries);
};
const countedOf = async ({ id }: Person) =>
  (
    await site.owner.row<{ entries_count: number }>(
      sql`select entries_count from access.behaviour_days where member_id = ${id}`,
    )
  )?.entries_count;

describe('a report', () => {
  it('§1-3 behaviour entry: is stored unchanged with 1 to 50 entries', async () => {
    const person = await site.member();
    assert.equal((await log(person, entry())).status, 204);
    const many = Array.from({ length: 50 }, (_, index) => entry({ action: `click ${index}`, target: null }));
    assert.equal((await log(person, many)).status, 204);
    assert.deepEqual(await keptOf(person), [entry(), ...many]);
    assert.equal(await countedOf(person), 51);
  });
  it('needs only the action', async () => {
    const person = await site.member();
    assert.equal((await log(person, { action: 'keyboard' })).status, 204);
    assert.deepEqual(await keptOf(person), [{ action: 'keyboard' }]);
  });
  it('is refused with no or 51 entries', async () => {
    const person = await site.member();
    for (const body of [[], Array.from({ length: 51 }, () => entry())])
      assert.equal((await log(person, body)).problem.code, 'invalid-request');
    assert.deepEqual(await keptOf(person), []);
  });
  it('is refused as a whole if it names a key or typed text', async () => {
    const person = await site.member();
    for (const name of ['key', 'code', 'value', 'Key', 'keyCode', 'charCode', 'which'])
      for (const body of [
        entry({ metadata: { [name]: 'a' } }),
        [entry(), entry({ metadata: { [name]: 'a' } })],
      ]) {
        const { status, problem } = await log(person, body);
        assert.deepEqual([status, problem.code], [400, 'invalid-request'], name);
      }
    assert.equal((await log(person, entry({ metadata: { inner: { key: 'a' } } }))).status, 400);
    assert.deepEqual([await keptOf(person), await countedOf(person)], [[], undefined]);
  });
  it('is refused in another shape', async () => {
    const person = await site.member();
    for (const changes of [
      { action: '' },
      { action: 5 },
      { action: 'x'.repeat(101) },
      { action: '<script>' },
      { target: 'x'.repeat(201) },
      { metadata: [1] },
      { metadata: { list: [1] } },
      { metadata: { long: 'x'.repeat(201) } },
      { metadata: { nul: 'a\u0000b' } },
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`field${index}`, 1])) },
      {
        metadata: Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`f${index}`, 'x'.repeat(150)])),
      },
      { sessionId: 'x'.repeat(101) },
      { surprise: 1 },
    ])
      assert.equal((await log(person, entry(changes))).status, 400, JSON.stringify(changes).slice(0, 60));
  });
  it('needs a session', async () => {
    assert.equal((await site.call('POST', '/api/behavior/log', { body: entry() })).status, 401);
    assert.equal(
      (await site.call('POST', '/api/security/track-behavior', { body: { action: 'login' } })).status,
      401,
    );
  });
});

describe('an act that matters to security', () => {
  it('§1-7 auth and security: is stored with its name only', async () => {
    const person = await site.member();
    const track = (body: unknown) => site.call('POST', '/api/security/track-behavior', { as: person, body });
    assert.equal((await track({ action: 'login' })).status, 204);
    for (const body of [{}, { action: '' }, { action: 'login', key: 'a' }, { action: ['login'] }])
      assert.equal((await track(body)).status, 400);
    assert.deepEqual(await keptOf(person), [{ action: 'login' }]);
  });
});

describe('stored behaviour', () => {
  it('has at most 1,000 entries per member and day, also concurrently; the rest is counted', async () => {
    const person = await site.member();
    const batch = Array.from({ length: 50 }, () => ({ action: 'scroll' }));
    const answers = await Promise.all(Array.from({ length: 30 }, () => log(person, batch)));
    assert.ok(answers.every(({ status }) => status === 204));
    assert.equal((await keptOf(person)).length, 1_000);
    assert.equal(await countedOf(person), 1_500);
    const other = await site.member();
    await log(other, batch);
    assert.equal((await keptOf(other)).length, 50, 'another member has a day of their own');
  });
  it('is deleted after three years, and the count after ninety days', async () => {
    const [old, young] = [await site.member(), await site.member()];
    for (const person of [old, young]) await log(person, entry());
    await site.owner.rows(sql`
      update access.behaviour set received_at = received_at - interval '1096 days' where member_id = ${old.id}`);
    await site.owner.rows(sql`update access.behaviour_days set day = day - 91 where member_id = ${old.id}`);
    await deleteOldBehaviourReports(site, new AbortController().signal);
    assert.deepEqual([(await keptOf(old)).length, await countedOf(old)], [0, undefined]);
    assert.deepEqual([(await keptOf(young)).length, await countedOf(young)], [1, 1]);
  });
  it('is deleted completely in any amount', async () => {
    const { id } = await site.member();
    await site.owner.rows(sql`
      insert into access.behaviour (member_id, received_at, address, entries)
      select ${id}, platform.business_now() - interval '1100 days', '127.0.0.1', '[]' from generate_series(1, 4500)`);
    await deleteOldBehaviourReports(site, new AbortController().signal);
    const { left } = await site.owner.one<{ left: bigint }>(
      sql`select count(*) as left from access.behaviour where member_id = ${id}`,
    );
    assert.equal(left, 0n);
  });
});
