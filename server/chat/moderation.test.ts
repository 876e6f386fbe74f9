import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { bannedWord, type ListedBan, listedBan } from '#contract/chat-moderation.ts';
import { sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';

/** Operators ban words and members. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const call = (method: string, path: string, body?: unknown, as: Person = operator) =>
  site.call(method, path, { as, ...(body === undefined ? {} : { body }) });

const WORDS = '/api/admin/chat-banned-words';
const BANS = '/api/admin/chat-bans';
const addWord = (word: string) => call('POST', WORDS, { word });
const test = async (text: string) =>
  (await call('GET', `${WORDS}/test?${new URLSearchParams({ text })}`)).body;
const ban = (member: { id: number }, rest: object = {}) =>
  call('POST', BANS, { userId: String(member.id), reason: 'Begging for codes', ...rest });

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

type Act = { act: string; target: string; memberId: number | null; reason: string | null };
const actsOn = (kind: 'chat-ban' | 'chat-word', target: string) =>
  site.owner.rows<Act>(sql`
    select act, target, member_id as "memberId", reason from platform.acts
    where target_kind = ${kind} and target = ${target} order by id`);
const noticesOf = async (member: Person) =>
  (await call('GET', '/api/notices', undefined, member)).body.data.map(
    ({ kind, facts }: { kind: string; facts: unknown }) => ({ kind, facts }),
  );

describe('banned words', () => {
  it('§2-3 banned word: is added once however it is written, listed, and removed', async () => {
    const added = await addWord('  free points  ');
    assert.equal(added.status, 201);
    assert.deepEqual(bannedWord.strict().parse(added.body), added.body);
    const { id, createdAt, ...rest } = added.body;
    assert.deepEqual(rest, { word: 'free points', createdBy: 'Test', blockedCount: 0 });
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    for (const same of ['free points', 'FREE POINTS', 'ｆｒｅｅ points', 'fr3e p0ints']) {
      const again = await addWord(same);
      refused(again, 409, 'already-exists');
      assert.equal(again.problem.detail, '“free points” is already on the list.');
      assert.deepEqual([again.body.word, again.body.since], ['free points', createdAt]);
    }
    const second = (await addWord('airdrop')).body;
    assert.deepEqual((await call('GET', WORDS)).body, [second, added.body], 'newest first');
    assert.deepEqual((await call('GET', `${WORDS}?q=air`)).body, [second]);
    assert.deepEqual((await call('GET', `${WORDS}?sort=word&limit=1`)).body, [second]);
    assert.equal((await call('DELETE', `${WORDS}/${id}`)).status, 204);
    refused(await call('DELETE', `${WORDS}/${id}`), 404, 'not-found');
    assert.deepEqual((await call('GET', WORDS)).body, [second]);
    assert.deepEqual(
      (await actsOn('chat-word', id)).map(({ act }) => act),
      ['chat.ban-word', 'chat.allow-word'],
    );
  });

  it('§2-5 banned word: is refused when it is blank, too long, or nothing is read of it', async () => {
    for (const word of ['', '   ', 'x'.repeat(501), '\u200b'])
      refused(await addWord(word), 400, 'invalid-request');
    assert.equal((await addWord('x'.repeat(500))).status, 201);
  });

  it('counts the messages that it stopped in the last 30 days, today among them', async () => {
    const { id } = (await addWord('seed phrase')).body;
    await site.owner.rows(sql`
      insert into chat.word_days (word_id, day, blocked)
      select ${id}::bigint, platform.site_day(platform.business_now()) - age, 1
      from unnest(array[0, 29, 30]) as age`);
    const [row] = (await call('GET', `${WORDS}?id=${id}`)).body;
    assert.equal(row.blockedCount, 2);
  });

  it('are tried by a message that is not sent, also one that was added just now', async () => {
    assert.equal((await test('casino bonus')).word, null);
    const { id } = (await addWord('casino')).body;
    const { word, readAs } = await test('play at the CASIN0 today');
    assert.equal(word, 'casino');
    assert.match(readAs, /casino/);
    await call('DELETE', `${WORDS}/${id}`);
    assert.equal((await test('casino bonus')).word, null);
    const [{ blockedCount }] = (await call('GET', `${WORDS}?limit=1`)).body;
    assert.equal(typeof blockedCount, 'number');
  });
});

describe('bans', () => {
  it('§2-3 ban from chat: names its member and reason, lasts a day by default, and tells the member', async () => {
    const member = await site.member();
    const { status, body } = await ban(member);
    assert.equal(status, 201);
    assert.deepEqual(listedBan.strict().parse(body), body);
    const { id, createdAt, expiresAt, ...rest } = body;
    assert.deepEqual(rest, {
      userId: String(member.id),
      userName: 'Test',
      userEmail: member.email,
      reason: 'Begging for codes',
      duration: '1day',
      isActive: true,
      liftedAt: null,
    });
    assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 86_400_000);
    assert.deepEqual(await noticesOf(member), [
      { kind: 'decision', facts: { decision: 'chat-banned', reason: 'Begging for codes', expiresAt } },
    ]);
    const [act, ...others] = await actsOn('chat-ban', id);
    assert.deepEqual(
      [act?.act, act?.memberId, act?.reason],
      ['chat.ban-member', member.id, 'Begging for codes'],
    );
    assert.equal(others.length, 0);
  });

  it('§2-5 ban from chat: takes an id or an e-mail address, and is found by either', async () => {
    const [member, other] = [await site.member(), await site.member()];
    const { id } = (await ban(member)).body;
    const byEmail = await call('POST', BANS, {
      userId: other.email.toUpperCase(),
      reason: 'x',
      duration: 'permanent',
    });
    assert.deepEqual([byEmail.body.userId, byEmail.body.expiresAt], [String(other.id), null]);
    for (const q of [id, String(member.id), member.email]) {
      const { body: found } = await call('GET', `${BANS}?q=${q}`);
      // Addresses of other members may begin with the id's figure.
      assert.ok(
        found.some((one: ListedBan) => one.id === id),
        q,
      );
    }
    const permanent = (await call('GET', `${BANS}?duration=permanent`)).body;
    assert.deepEqual([permanent.length, permanent[0].userId], [1, String(other.id)]);
  });

  it('§2-4 ban from chat: is active until it is lifted, once, and its row stays', async () => {
    const member = await site.member();
    const { id } = (await ban(member, { duration: '7days' })).body;
    refused(await ban(member), 409, 'already-exists');
    assert.equal((await call('DELETE', `${BANS}/${id}`)).status, 204);
    refused(await call('DELETE', `${BANS}/${id}`), 409, 'already-decided');
    refused(await call('DELETE', `${BANS}/999999`), 404, 'not-found');
    const [row] = (await call('GET', `${BANS}?id=${id}`)).body;
    assert.equal(row.isActive, false);
    assert.equal(typeof row.liftedAt, 'string');
    assert.deepEqual((await noticesOf(member))[0], {
      kind: 'decision',
      facts: { decision: 'chat-unbanned' },
    });
    assert.deepEqual(
      (await actsOn('chat-ban', id)).map(({ act }) => act),
      ['chat.ban-member', 'chat.lift-ban'],
    );
    assert.equal((await ban(member)).status, 201);
  });

  it('§2-9 durations of bans: one ends by its time', async () => {
    const member = await site.member();
    const { id } = (await ban(member)).body;
    const states = async () => {
      const active = (await call('GET', `${BANS}?state=active&q=${member.id}`)).body;
      const inactive = (await call('GET', `${BANS}?state=inactive&q=${member.id}`)).body;
      return [active.length, inactive.length];
    };
    assert.deepEqual(await states(), [1, 0]);
    await site.owner.rows(
      sql`update chat.bans set expires_at = platform.business_now() - interval '1 second' where id = ${id}::bigint`,
    );
    assert.deepEqual(await states(), [0, 1]);
    refused(await call('DELETE', `${BANS}/${id}`), 409, 'already-decided');
    assert.equal((await ban(member)).status, 201);
  });

  it('is one however many operators ban at once', async () => {
    const member = await site.member();
    const answers = await Promise.all(Array.from({ length: 5 }, () => ban(member)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409]);
  });

  it('§2-7 chat moderation: refuses operators, unknown and deleted accounts, and calls of members', async () => {
    const other = await site.member({ role: 'admin' });
    refused(await ban(other), 403, 'forbidden');
    refused(await ban({ id: 999_999_999 }), 404, 'unknown-member');
    refused(await call('POST', BANS, { userId: 'nobody@example.com', reason: 'x' }), 404, 'unknown-member');
    refused(await ban(other, { reason: ' ' }), 400, 'invalid-request');
    refused(await ban(other, { duration: '2days' }), 400, 'invalid-request');
    const member = await site.member();
    refused(await call('POST', BANS, { userId: String(member.id), reason: 'x' }, member), 403, 'forbidden');
    refused(await call('GET', BANS, undefined, member), 403, 'forbidden');
    const { id } = (await ban(member)).body;
    await call('DELETE', `/api/admin/users/${member.id}`, { reason: 'Asked by mail' });
    const [row] = (await call('GET', `${BANS}?id=${id}`)).body;
    assert.deepEqual([row.userId, row.userName, row.userEmail], [String(member.id), null, null]);
    refused(await ban(member), 404, 'unknown-member');
  });

  it('tells the member’s open pages when it begins and ends', async () => {
    const member = await site.member();
    const heard: string[] = [];
    site.platform.bus.onNews(({ memberId, event }) => {
      if (memberId === member.id) heard.push(event.type);
    });
    const { id } = (await ban(member)).body;
    await call('DELETE', `${BANS}/${id}`);
    assert.deepEqual(heard, ['chat', 'notice', 'chat', 'notice']);
  });
});
