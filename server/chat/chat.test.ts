import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Channel, channel } from '#contract/chat.ts';
import { type Message, message } from '#contract/message.ts';
import { type Reader, sql, sqlText } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { deleteOldMessages, findTypist, forgetChat, writeMessage } from './chat.ts';
import { onlineReader } from './online.ts';
import { readMessagesBefore } from './queries.ts';

/** The member's side of the chat over HTTP: channels, messages, rules, marks and mutes. */
const site = await testSite({ after });
const { platform, owner } = site;
const operator = await site.member({ role: 'admin' });

const post = (as: Person, content: string, more: Record<string, unknown> = {}) =>
  site.call('POST', '/api/chat/messages', { as, body: { channelId: '1', content, ...more } });
const write = async (as: Person, content: string, more: Record<string, unknown> = {}): Promise<Message> => {
  const answer = await post(as, content, more);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
};
const read = async (as: Person, channelId = '1', query = ''): Promise<Message[]> => {
  const answer = await site.call('GET', `/api/chat/messages/${channelId}${query}`, { as });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const channels = async (as: Person): Promise<Channel[]> =>
  (await site.call('GET', '/api/chat/channels', { as })).body;
const general = async (as: Person): Promise<Channel> => {
  const [first] = await channels(as);
  assert.ok(first);
  return first;
};
const openTicket = async (as: Person) =>
  (await site.call('POST', '/api/support/tickets', { as, body: { subject: 'Points', message: 'Where?' } }))
    .body;
const change = (body: object) => site.call('PUT', '/api/admin/site', { as: operator, body: { chat: body } });

function refused(answer: Answer, status: number, code: string): Answer {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
  return answer;
}

/** What was told to the readers of channels since the start. */
const told: { ownerId: number | null; event: { type: string; message?: Message } }[] = [];
platform.bus.onChannel((news) => told.push(news as (typeof told)[number]));

test('§1-3 chat message: is written trimmed, and read oldest first with its writer’s colours', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const before = await read(anna);
  const first = await write(anna, '  안녕하세요 \r\n all ', { clientId: 'a-1' });
  assert.deepEqual(message.strict().parse(first), first);
  const { id: _, seq, createdAt, ...rest } = first;
  assert.deepEqual(rest, {
    channelId: '1',
    userId: String(anna.id),
    user: { firstName: first.user.firstName, chatBubbleColor: '#3B82F6', chatTextColor: '#FFFFFF' },
    message: '안녕하세요 \n all',
    isFromAdmin: false,
    clientId: 'a-1',
  });
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  const second = await write(ben, 'Hello');
  assert.equal(second.seq, seq + 1);
  assert.deepEqual(await read(anna), [...before, first, second].slice(-50));
  assert.deepEqual(told.at(-1), {
    ownerId: null,
    event: { type: 'new_message', channelId: '1', message: second },
  });
});

test('§1-3 chat channel: the general one has id 1, and counts what came after the member’s mark', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const start = await general(anna);
  assert.deepEqual(channel.strict().parse(start), start);
  assert.deepEqual([start.id, start.type, start.unread, start.ban], ['1', 'general', 0, null]);
  const seen = await write(anna, 'one');
  const newer = await write(ben, 'two');
  assert.equal((await general(anna)).unread, 1, 'her own message is read');
  const mark = (as: Person, upTo: string, channelId = '1') =>
    site.call('POST', `/api/chat/channels/${channelId}/read`, { as, body: { upTo } });
  assert.equal((await mark(anna, newer.id)).status, 204);
  assert.equal((await mark(anna, seen.id)).status, 204, 'the mark never goes back');
  assert.deepEqual([(await general(anna)).unread, (await general(anna)).readSeq], [0, newer.seq]);
  refused(await mark(anna, '999999999'), 404, 'not-found');
});

test('a repeat with the same client id is no second message', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => post(anna, 'once', { clientId: 'same' })),
  );
  assert.deepEqual(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size, 1);
  assert.equal((await read(ben)).filter(({ message: text }) => text === 'once').length, 1);
  refused(await post(anna, 'other text', { clientId: 'same' }), 422, 'idempotency-mismatch');
  await write(ben, 'once', { clientId: 'same' });
});

test('messages written at once have places without a gap, in the order of their ids', async () => {
  const writers = await Promise.all(Array.from({ length: 6 }, () => site.member()));
  await Promise.all(writers.flatMap((as) => [1, 2, 3].map((number) => write(as, `at once ${number}`))));
  const rows = await owner.rows<{ seq: bigint }>(
    sql`select seq from chat.messages where channel_id = 1 order by id`,
  );
  assert.deepEqual(
    rows.map(({ seq }) => Number(seq)),
    rows.map((_, index) => index + 1),
  );
});

test('§1-5 chat message: refuses what is blank, too long or of another shape', async () => {
  const anna = await site.member();
  for (const body of [
    {},
    { channelId: '1' },
    { channelId: '1', content: ' \n ' },
    { channelId: '1', content: 'x'.repeat(2_001) },
    { channelId: '1', content: 'a\u0000b' },
    { channelId: 1, content: 'x' },
    { channelId: '1', content: 'x', isFromAdmin: true },
    { channelId: '1', content: 'x', clientId: 'y'.repeat(65) },
  ])
    refused(await site.call('POST', '/api/chat/messages', { as: anna, body }), 400, 'invalid-request');
  refused(await post(anna, 'x', { channelId: '999999' }), 404, 'not-found');
  refused(await site.call('GET', '/api/chat/messages/1'), 401, 'unauthenticated');
  assert.equal((await write(anna, '가'.repeat(2_000))).message.length, 2_000);
});

test('refuses what nobody sees and what stands for too many letters, and joins empty lines', async () => {
  const anna = await site.member();
  for (const content of ['\u200b', '\u3164', '\u0301', '\ufdfa'.repeat(2_000)])
    refused(await post(anna, content), 400, 'invalid-request');
  assert.equal((await write(anna, `a${'\n'.repeat(50)}b`)).message, 'a\n\nb');
});

test('an operator who has not passed the gate writes for nobody', async () => {
  const gated = { ...platform, config: { ...platform.config, adminGateKey: 'a key' } };
  const writer = { id: operator.id, role: 'admin', isSuspended: false, hasPassedGate: false } as const;
  const body = { channelId: '1', content: 'Send your wallet' };
  await assert.rejects(writeMessage(gated, null, null, writer, body), { code: 'wrong-key' });
  const passed = await writeMessage(gated, null, null, { ...writer, hasPassedGate: true }, body);
  assert.equal(passed.isFromAdmin, true);
});

test('a message that was taken out leaves no unread mark, and can’t be reported', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  await write(anna, 'I am here');
  const seen = await write(ben, 'stays');
  const { id } = await write(ben, 'goes');
  assert.equal((await site.call('DELETE', `/api/chat/messages/${id}`, { as: operator })).status, 204);
  const upTo = { as: anna, body: { upTo: seen.id } };
  assert.equal((await site.call('POST', '/api/chat/channels/1/read', upTo)).status, 204);
  assert.equal((await general(anna)).unread, 0);
  const reason = { as: anna, body: { reason: 'insult' } };
  refused(await site.call('POST', `/api/chat/messages/${id}/report`, reason), 404, 'not-found');
});

test('a ticket that a node of the former release opens has a channel', async () => {
  const anna = await site.member();
  const { channelId } = await owner.one<{ channelId: bigint }>(sql`
    insert into support.tickets (member_id, subject, message, created_at)
    values (${anna.id}, 'Points', 'Where?', platform.business_now()) returning channel_id as "channelId"`);
  await write(operator, 'Here.', { channelId: String(channelId) });
  assert.equal((await read(anna, String(channelId))).length, 1);
});

test('pages back by the id of a message', async () => {
  const anna = await site.member();
  for (let number = 0; number < 6; number += 1) await write(anna, `page ${number}`);
  const all = await read(anna, '1', '?limit=100');
  const newest = await read(anna, '1', '?limit=2');
  assert.deepEqual(newest, all.slice(-2));
  assert.deepEqual(await read(anna, '1', `?limit=3&before=${newest[0]?.id}`), all.slice(-5, -2));
  assert.deepEqual(await read(anna, '1', `?before=${all[0]?.id}`), []);
  for (const query of ['?limit=0', '?limit=101', '?before=x', '?before=0'])
    refused(await site.call('GET', `/api/chat/messages/1${query}`, { as: anna }), 400, 'invalid-request');
});

test('§1-3 chat channel: that of a ticket is its member’s and the operators’; anybody else’s answers 404', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const { channelId } = await openTicket(anna);
  const [, own] = await channels(anna);
  assert.deepEqual([own?.id, own?.type, own?.name, own?.unread], [channelId, 'support', 'Points', 0]);
  assert.equal((await channels(ben)).length, 1);
  const asked = await write(anna, 'Any news?', { channelId });
  assert.deepEqual(told.at(-1)?.ownerId, anna.id);
  const answered = await write(operator, 'Soon.', { channelId });
  assert.deepEqual([answered.user.firstName, answered.isFromAdmin], ['Admin', true]);
  assert.deepEqual(await read(anna, channelId), [asked, answered]);
  assert.deepEqual(await read(operator, channelId), [asked, answered]);
  assert.equal((await channels(anna))[1]?.unread, 1);
  for (const call of [
    () => site.call('GET', `/api/chat/messages/${channelId}`, { as: ben }),
    () => post(ben, 'mine now', { channelId }),
    () => site.call('POST', `/api/chat/channels/${channelId}/read`, { as: ben, body: { upTo: asked.id } }),
  ])
    refused(await call(), 404, 'not-found');
  const typist = (memberId: number, isOperator = false) =>
    findTypist(platform, memberId, isOperator, channelId);
  assert.equal((await typist(anna.id))?.ownerId, anna.id);
  assert.deepEqual(await typist(operator.id, true), { ownerId: anna.id, firstName: 'Admin' });
  assert.equal((await findTypist(platform, operator.id, true, '1'))?.firstName, 'Earnest Bot');
  assert.equal(await findTypist(platform, operator.id, false, '1'), undefined, 'without the gate');
  assert.equal(await typist(ben.id), undefined);
});

test('operators write under the name of the site, also when they wrote before they were operators', async () => {
  const { user, isFromAdmin } = await write(operator, 'Welcome.');
  assert.deepEqual([user.firstName, isFromAdmin], ['Earnest Bot', true]);
});

test('§1-8 chat: a ban says why and until when, and keeps reading and one’s tickets open', async () => {
  const anna = await site.member();
  const { channelId } = await openTicket(anna);
  await owner.rows(sql`
    insert into chat.bans (member_id, reason, duration, created_at, expires_at)
    values (${anna.id}, 'Begging', '1day', platform.business_now(), platform.business_now() + interval '1 day')`);
  const answer = refused(await post(anna, 'hello'), 403, 'chat-banned');
  assert.match(answer.problem.detail, /banned from chat/);
  assert.equal(answer.problem.reason, 'Begging');
  const { ban } = await general(anna);
  assert.deepEqual(ban, { reason: 'Begging', expiresAt: answer.problem.expiresAt });
  await read(anna);
  await write(anna, 'Why?', { channelId });
  assert.equal(await findTypist(platform, anna.id, false, '1'), undefined);
  await owner.rows(
    sql`update chat.bans set lifted_at = platform.business_now() where member_id = ${anna.id}`,
  );
  await write(anna, 'hello again');
  assert.equal((await general(anna)).ban, null);
});

test('§1-8 chat: a forbidden word is named, and counted on the site’s day', async () => {
  const anna = await site.member();
  const added = await site.call('POST', '/api/admin/chat-banned-words', {
    as: operator,
    body: { word: 'free points' },
  });
  const id = BigInt(added.body.id);
  for (const text of ['get free points', 'get fr3e p0ints']) {
    const answer = refused(await post(anna, text), 422, 'forbidden-content');
    assert.match(answer.problem.detail, /forbidden content/);
    assert.equal(answer.problem.word, 'free points');
  }
  const { blocked } = await owner.one<{ blocked: bigint }>(
    sql`select blocked from chat.word_days where word_id = ${id}`,
  );
  assert.equal(blocked, 2n);
  await write(operator, 'Nobody gives free points.');
  const { channelId } = await openTicket(anna);
  await write(anna, 'Somebody offers free points.', { channelId });
  await write(anna, 'points for free');
  const clientId = 'before-the-ban';
  const first = await write(anna, 'a banana split', { clientId });
  await site.call('POST', '/api/admin/chat-banned-words', { as: operator, body: { word: 'banana' } });
  assert.equal((await write(anna, 'a banana split', { clientId })).id, first.id);
  refused(await post(anna, 'a banana split', { clientId: 'after' }), 422, 'forbidden-content');
});

test('slow mode lets a member write once in its time, and says how long to wait', async () => {
  const anna = await site.member();
  const toAll: string[] = [];
  platform.bus.onNewsForAll(({ type }) => toAll.push(type));
  assert.equal((await change({ slowModeSeconds: 30 })).status, 200);
  assert.deepEqual(toAll, ['chat'], 'open panels are told');
  assert.equal((await general(anna)).slowModeSeconds, 30);
  await write(anna, 'first');
  const answer = refused(await post(anna, 'second'), 429, 'slow-mode');
  const waitSeconds = Number(answer.headers.get('retry-after'));
  assert.ok(waitSeconds > 20 && waitSeconds <= 30, String(waitSeconds));
  await write(operator, 'Operators');
  await write(operator, 'write on.');
  const shift = (seconds: number) =>
    owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${seconds}`);
  await shift(72_000);
  await write(anna, 'ahead');
  await shift(-72_000);
  await write(anna, 'after the clock was set right');
  refused(await post(anna, 'once more'), 429, 'slow-mode');
  await change({ slowModeSeconds: 0 });
  await write(anna, 'second');
});

test('with the switch on, only members with earnings send links', async () => {
  const [poor, earner] = [await site.member(), await site.member({ balancePoints: 500n })];
  await write(poor, 'see example.com/a');
  assert.equal((await change({ linksNeedEarnings: true })).status, 200);
  for (const [text, link] of [
    ['see example.com/r/kai now', 'example.com/r/kai'],
    ['https://a.example', 'https://a.example'],
    ['mail me: kai@example.com', 'kai@example.com'],
    ['evil。com now', 'evil.com'],
    ['evil.\u200bwin', 'evil.win'],
  ] as const)
    assert.equal(refused(await post(poor, text), 422, 'links-not-allowed').problem.link, link);
  await write(poor, 'I got 3.5 points.Thanks');
  await write(earner, 'see example.com/a');
  await change({ linksNeedEarnings: false });
});

test('a muted member stays muted, once, and nobody is told', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const before = told.length;
  const mute = (userId: string) => site.call('POST', '/api/chat/mutes', { as: anna, body: { userId } });
  for (let time = 0; time < 2; time += 1) assert.equal((await mute(String(ben.id))).status, 204);
  assert.deepEqual((await general(anna)).mutedUserIds, [String(ben.id)]);
  assert.deepEqual((await general(ben)).mutedUserIds, []);
  for (const nobody of ['100000000', String(anna.id)]) assert.equal((await mute(nobody)).status, 204);
  assert.equal((await general(anna)).mutedUserIds.length, 1);
  assert.equal((await site.call('DELETE', `/api/chat/mutes/${ben.id}`, { as: anna })).status, 204);
  assert.deepEqual((await general(anna)).mutedUserIds, []);
  assert.equal(told.length, before);
});

test('§1-7 chat: who is online is listed by first name, and leaves at once', async () => {
  const anna = await site.member();
  const say = (word: string) => site.call('POST', `/api/chat/${word}`, { as: anna });
  assert.equal((await say('online')).status, 204);
  const mine = { id: String(anna.id), firstName: 'Test' };
  assert.deepEqual((await site.call('GET', '/api/chat/online-users', { as: anna })).body, [mine]);
  let now = 0;
  const readOnline = onlineReader(platform, () => now);
  assert.deepEqual(await readOnline(), [mine]);
  assert.equal((await say('offline')).status, 204);
  assert.deepEqual(await readOnline(), [mine], 'the names are read once in two seconds');
  now = 2_000;
  assert.deepEqual(await readOnline(), []);
});

test('a channel of 100,000 messages is read as cheaply as one of 100', async () => {
  const member = await site.member();
  const explaining =
    (blocks: number[]): Reader['rows'] =>
    async (statement) => {
      const [row] = await owner.rows<{ 'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number } }] }>(
        sql`explain (analyze, buffers, format json) ${statement}`,
      );
      blocks.push(row?.['QUERY PLAN'][0].Plan['Shared Hit Blocks'] ?? Number.NaN);
      return [];
    };
  const blocksOf = async (count: number): Promise<number> => {
    const { channelId } = await openTicket(member);
    const { last } = await owner.one<{ last: bigint }>(sql`
      with added as (
        insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
        select ${channelId}::bigint, place, ${member.id}, false, 'message ' || place, platform.business_now()
        from generate_series(1, ${count}::integer) place returning id)
      select max(id) as last from added`);
    await owner.rows(sqlText('vacuum (analyze) chat.messages'));
    const blocks: number[] = [];
    const reader = { ...owner, rows: explaining(blocks) };
    for (const before of [null, last]) await readMessagesBefore(reader, BigInt(channelId), before, 50);
    return Math.max(...blocks);
  };
  const few = await blocksOf(100);
  const many = await blocksOf(100_000);
  assert.ok(many < few * 1.5 + 20, `${many} blocks beside ${few}`);
});

test('removes messages that are older than the setting, and those of an anonymised account', async () => {
  const [anna, ben] = [await site.member(), await site.member()];
  const { id } = await write(anna, 'of a deleted account');
  const forget = async () => {
    await platform.database.transaction((tx) => forgetChat(tx, anna.id));
    return (await read(ben)).some((one) => one.id === id);
  };
  assert.equal(await forget(), true, 'an account that is not due keeps its messages');
  await owner.rows(sql`
    update members.members set password_hash = null, deleted_at = platform.business_now() - interval '8 days'
    where id = ${anna.id}`);
  assert.equal(await forget(), false);
  const away = await site.member();
  await write(away, 'read to here');
  await write(ben, 'old');
  const kept = await write(ben, 'young');
  await owner.rows(sql`
    update chat.messages set created_at = created_at - interval '366 days' where channel_id = 1 and id <> ${kept.id}`);
  await deleteOldMessages(platform, new AbortController().signal);
  assert.deepEqual(await read(ben), [kept]);
  assert.equal((await general(away)).unread, 1, 'what was removed is not unread');
});

test('denies the application changing messages, places and bans', async () => {
  for (const statement of [
    sql`update chat.messages set body = 'x'`,
    sql`insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
      values (1, 1, ${operator.id}, true, 'x', now())`,
    sql`update chat.channels set seq = 0`,
    sql`delete from chat.bans`,
    sql`update chat.bans set reason = 'x'`,
    sql`delete from chat.messages`,
  ])
    await assert.rejects(site.database.rows(statement), /permission denied/);
});
