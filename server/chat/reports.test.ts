import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { reportedMessage } from '#contract/chat-moderation.ts';
import { sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';

/** Members report messages, and operators decide about them. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const call = (method: string, path: string, as: Person, body?: unknown) =>
  site.call(method, path, { as, ...(body === undefined ? {} : { body }) });

const REPORTS = '/api/admin/chat-reports';
const report = (id: string, as: Person, reason = 'begging') =>
  call('POST', `/api/chat/messages/${id}/report`, as, { reason });
const decide = (id: string, body: object, by = operator) => call('POST', `${REPORTS}/${id}/decide`, by, body);
const read = async (id: string) => (await call('GET', `${REPORTS}/${id}`, operator)).body;

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

/** Writes a message without the rules of writing. */
async function write(writer: { id: number }, body: string, channelId = '1'): Promise<string> {
  const row = await site.owner.one<{ id: bigint }>(sql`
    with place as (update chat.channels set seq = seq + 1 where id = ${channelId}::bigint returning seq)
    insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
    select ${channelId}::bigint, seq, ${writer.id}, ${writer.id === operator.id}, ${body}, platform.business_now()
    from place returning id`);
  return String(row.id);
}

const decisionsOf = async (member: Person): Promise<object[]> =>
  (await call('GET', '/api/notices', member)).body.data.map(({ facts }: { facts: object }) => facts);
const actsOn = async (target: string) =>
  (
    await site.owner.rows<{ act: string; memberId: number; reason: string | null; after: object | null }>(sql`
      select act, member_id as "memberId", reason, after from platform.acts
      where target_kind = 'chat-message' and target = ${target} order by id`)
  ).map(({ act, memberId, reason, after }) => ({ act, memberId, reason, after }));
const isHidden = async (id: string): Promise<boolean> =>
  (
    await site.owner.one<{ isHidden: boolean }>(
      sql`select hidden_at is not null as "isHidden" from chat.messages where id = ${id}::bigint`,
    )
  ).isHidden;

/** The frames about messages that were taken out, since the last call. */
const deleted: { ownerId: number | null; id: string }[] = [];
site.platform.bus.onChannel(({ ownerId, event }) => {
  if (event.type === 'message_deleted') deleted.push({ ownerId, id: event.id });
});
const takeDeleted = () => deleted.splice(0);

describe('a report', () => {
  it('counts each member once, and shows a message once however many report it', async () => {
    const [writer, first, second] = [await site.member(), await site.member(), await site.member()];
    const id = await write(writer, 'use my code for 500 points');
    const waiting: string[] = [];
    site.platform.bus.onWaiting((topics) => void waiting.push(...topics));
    const before = (await call('GET', '/api/admin/waiting', operator)).body.chatReports;
    assert.equal((await report(id, first, 'begging')).status, 204);
    assert.equal((await report(id, first, 'scam')).status, 204);
    assert.equal((await report(id, second, 'insult')).status, 204);
    assert.deepEqual(waiting, ['chat-reports', 'chat-reports']);
    const { context, memberSince, messageCount, reportedCount, bans, ...row } = await read(id);
    assert.deepEqual(reportedMessage.strict().parse(row), row);
    assert.deepEqual(
      [row.id, row.userId, row.userName, row.message, row.isHidden, row.reporters, row.reason, row.state],
      [id, String(writer.id), 'Test', 'use my code for 500 points', false, 2, 'insult', 'open'],
    );
    assert.deepEqual([messageCount, reportedCount, bans], [1, 2, []]);
    assert.ok(Date.parse(memberSince) > 0);
    assert.deepEqual(
      context.map((one: { id: string }) => one.id),
      [id],
    );
    assert.equal((await call('GET', '/api/admin/waiting', operator)).body.chatReports, before + 1);
    const other = await write(writer, 'trust me');
    await report(other, first);
    const listed = (await call('GET', `${REPORTS}?state=open`, operator)).body;
    assert.deepEqual([listed[0].id, listed[0].reporters], [id, 2], 'most reporters first');
    const found = (await call('GET', `${REPORTS}?q=${writer.id}&sort=createdAt`, operator)).body;
    assert.deepEqual(
      found.map((one: { id: string }) => one.id),
      [id, other],
    );
  });

  it('shows five messages before and after, also hidden ones, with their writers', async () => {
    const [writer, reporter] = [await site.member(), await site.member()];
    const ids: string[] = [];
    for (let count = 0; count < 13; count += 1) ids.push(await write(writer, `Message ${count}`));
    const [id = '', hidden = ''] = [ids[6], ids[5]];
    await report(id, reporter);
    await site.owner.rows(
      sql`update chat.messages set hidden_at = platform.business_now() where id = ${hidden}::bigint`,
    );
    const { context } = await read(id);
    assert.deepEqual(
      context.map((one: { id: string }) => one.id),
      ids.slice(1, 12),
    );
    assert.equal(context[5].firstName, 'Test');
  });

  it('hides personal data at once, but no operator’s message', async () => {
    const [writer, reporter] = [await site.member(), await site.member()];
    const id = await write(writer, 'His number is 010 1234 5678');
    takeDeleted();
    await report(id, reporter, 'personal-data');
    assert.equal(await isHidden(id), true);
    assert.deepEqual(takeDeleted(), [{ ownerId: null, id }]);
    const mine = await write(operator, 'Write to support@example.com');
    await report(mine, reporter, 'personal-data');
    assert.equal(await isHidden(mine), false);
    assert.deepEqual(takeDeleted(), []);
  });

  it('is refused for a message of no general channel, and for the eleventh in an hour', async () => {
    const [writer, reporter, busy] = [await site.member(), await site.member(), await site.member()];
    refused(await report('999999', reporter), 404, 'not-found');
    await site.owner.rows(
      sql`insert into chat.channels (id, member_id, name) values (900, ${writer.id}, 'A question')`,
    );
    refused(await report(await write(writer, 'Mine', '900'), reporter), 404, 'not-found');
    refused(await report(await write(writer, 'x'), reporter, 'boring'), 400, 'invalid-request');
    for (let count = 0; count < 10; count += 1)
      assert.equal((await report(await write(writer, 'x'), busy)).status, 204);
    refused(await report(await write(writer, 'x'), busy), 429, 'rate-limited');
  });

  it('that comes after the decision is answered at once', async () => {
    const [writer, first, late] = [await site.member(), await site.member(), await site.member()];
    const id = await write(writer, 'Hello');
    await report(id, first);
    await decide(id, { decision: 'leave' });
    await report(id, late, 'personal-data');
    assert.deepEqual(await decisionsOf(late), [{ decision: 'report-decided', outcome: 'leave' }]);
    assert.equal((await read(id)).state, 'decided');
    assert.equal(await isHidden(id), false);
  });
});

describe('a decision about a reported message', () => {
  async function reported(reason = 'begging') {
    const [writer, reporter] = [await site.member(), await site.member()];
    const id = await write(writer, 'use my code');
    await report(id, reporter, reason);
    takeDeleted();
    return { writer, reporter, id };
  }

  it('leaves it, shows it again, and tells who reported it', async () => {
    const { writer, reporter, id } = await reported('personal-data');
    const { status, body } = await decide(id, { decision: 'leave' });
    assert.deepEqual([status, body.state, body.isHidden], [200, 'decided', false]);
    assert.equal(await isHidden(id), false);
    assert.deepEqual(await decisionsOf(reporter), [{ decision: 'report-decided', outcome: 'leave' }]);
    assert.deepEqual(await decisionsOf(writer), []);
    assert.deepEqual(takeDeleted(), []);
    refused(await decide(id, { decision: 'delete' }), 409, 'already-decided');
    assert.deepEqual(await actsOn(id), [
      { act: 'chat.decide-report', memberId: writer.id, reason: null, after: { decision: 'leave' } },
    ]);
  });

  it('warns the writer, who reads the reason', async () => {
    const { writer, reporter, id } = await reported();
    await decide(id, { decision: 'warn', reason: 'No codes here' });
    assert.equal(await isHidden(id), true);
    assert.deepEqual(takeDeleted(), [{ ownerId: null, id }]);
    assert.deepEqual(await decisionsOf(writer), [{ decision: 'chat-warned', reason: 'No codes here' }]);
    assert.deepEqual(await decisionsOf(reporter), [{ decision: 'report-decided', outcome: 'warn' }]);
    assert.equal((await actsOn(id)).length, 1);
  });

  it('bans the writer in one act', async () => {
    const { writer, id } = await reported();
    await decide(id, { decision: 'ban', reason: 'Begging', duration: '7days' });
    const [row] = (await call('GET', `/api/admin/chat-bans?q=${writer.id}`, operator)).body;
    assert.deepEqual([row.duration, row.isActive, row.reason], ['7days', true, 'Begging']);
    assert.deepEqual(await decisionsOf(writer), [
      { decision: 'chat-banned', reason: 'Begging', expiresAt: row.expiresAt },
    ]);
    const [act, ...others] = await actsOn(id);
    assert.deepEqual(act?.after, {
      decision: 'ban',
      ban: row.id,
      duration: '7days',
      expiresAt: row.expiresAt,
    });
    assert.equal(others.length, 0);
    const again = await write(writer, 'again');
    await report(again, await site.member());
    assert.deepEqual((await read(again)).bans, [
      { duration: '7days', createdAt: row.createdAt, expiresAt: row.expiresAt, isActive: true },
    ]);
    refused(await decide(again, { decision: 'ban', reason: 'x', duration: '1day' }), 409, 'already-exists');
    assert.equal((await read(again)).state, 'open', 'a refused decision is none');
    await call('DELETE', `/api/admin/chat-bans/${row.id}`, operator);
    assert.equal((await read(again)).bans[0].isActive, false, 'a lifted ban');
  });

  it('punishes no operator and is refused for what nobody reported', async () => {
    const id = await write(operator, 'Hello');
    refused(await decide(id, { decision: 'leave' }), 404, 'not-found');
    refused(await call('GET', `${REPORTS}/${id}`, operator), 404, 'not-found');
    await report(id, await site.member());
    const other = await site.member({ role: 'admin' });
    refused(await decide(id, { decision: 'warn', reason: 'x' }, other), 403, 'forbidden');
    refused(await decide(id, { decision: 'ban', reason: 'x', duration: '1day' }, other), 403, 'forbidden');
    refused(await decide(id, { decision: 'warn' }), 400, 'invalid-request');
    for (const decision of ['leave', 'delete']) refused(await decide(id, { decision }), 409, 'own-request');
    refused(await call('DELETE', `/api/chat/messages/${id}`, operator), 409, 'own-request');
    assert.deepEqual([(await read(id)).state, await isHidden(id)], ['open', false]);
    assert.equal((await decide(id, { decision: 'delete' }, other)).status, 200);
    const unreported = await write(operator, 'Hello');
    assert.equal((await call('DELETE', `/api/chat/messages/${unreported}`, operator)).status, 204);
  });
});

describe('deleting a message', () => {
  it('takes it out once, in any channel, and decides its reports', async () => {
    const [writer, reporter] = [await site.member(), await site.member()];
    const id = await write(writer, 'spam');
    await report(id, reporter);
    takeDeleted();
    const path = `/api/chat/messages/${id}`;
    refused(await call('DELETE', path, writer), 403, 'forbidden');
    assert.equal((await call('DELETE', path, operator)).status, 204);
    assert.deepEqual(takeDeleted(), [{ ownerId: null, id }]);
    refused(await call('DELETE', path, operator), 404, 'not-found');
    assert.equal((await read(id)).state, 'decided');
    assert.deepEqual(await decisionsOf(reporter), [{ decision: 'report-decided', outcome: 'delete' }]);
    assert.deepEqual(await actsOn(id), [
      { act: 'chat.delete-message', memberId: writer.id, reason: null, after: null },
    ]);
    await site.owner.rows(
      sql`insert into chat.channels (id, member_id, name) values (901, ${writer.id}, 'A question')`,
    );
    const inTicket = await write(writer, 'My card number', '901');
    assert.equal((await call('DELETE', `/api/chat/messages/${inTicket}`, operator)).status, 204);
    assert.deepEqual(takeDeleted(), [{ ownerId: writer.id, id: inTicket }]);
  });
});
