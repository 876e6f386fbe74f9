import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Ticket } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import { type Answer, testSite } from '../../test/site.ts';
import { promisedAt } from './promise.ts';

/** The promised time of an answer, who waits, and the operators' figures about it. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const TICKETS = '/api/admin/support/tickets';

const open = async (member: Awaited<ReturnType<typeof site.member>>, subject = 'Points'): Promise<Ticket> =>
  (await site.call('POST', '/api/support/tickets', { as: member, body: { subject, message: 'Where?' } }))
    .body;
const respond = (id: string, status: string): Promise<Answer> =>
  site.call('POST', `${TICKETS}/${id}/respond`, { as, body: { response: 'Here.', status } });
const setStatus = (id: string, status: string): Promise<Answer> =>
  site.call('PATCH', `${TICKETS}/${id}/status`, { as, body: { status } });
const figures = async () => (await site.call('GET', '/api/admin/support/figures', { as })).body;

test('promises an answer after two business days of the site’s zone, at the same time of day', () => {
  for (const [from, timeZone, until] of [
    ['2026-11-16T10:30:00Z', 'UTC', '2026-11-18T10:30:00.000Z'],
    // A Friday, a Saturday and a Sunday, which count from Monday's first moment.
    ['2026-11-20T10:30:00Z', 'UTC', '2026-11-24T10:30:00.000Z'],
    ['2026-11-21T10:30:00Z', 'UTC', '2026-11-25T00:00:00.000Z'],
    ['2026-11-22T10:30:00Z', 'UTC', '2026-11-25T00:00:00.000Z'],
    // Already Saturday in Seoul.
    ['2026-11-20T15:30:00Z', 'Asia/Seoul', '2026-11-24T15:00:00.000Z'],
    // The clock of New York goes back on Sunday, November 1.
    ['2026-10-30T14:00:00Z', 'America/New_York', '2026-11-03T15:00:00.000Z'],
  ] as const)
    assert.equal(promisedAt(new Date(from), timeZone)?.toISOString(), until, from);
  assert.equal(promisedAt(null, 'UTC'), null);
});

test('a ticket waits until a response, and again from the member’s next message on', async () => {
  const member = await site.member();
  const { id, channelId } = await open(member);
  const waitsSince = (since: string) =>
    site.owner.rows(sql`update support.tickets set waiting_since = ${since}::timestamptz where id = ${id}`);
  const shown = async () =>
    (await site.call('GET', '/api/support/tickets', { as: member })).body[0] as Ticket;
  const write = async (content: string) => {
    const body = { channelId, content };
    assert.equal((await site.call('POST', '/api/chat/messages', { as: member, body })).status, 201);
  };
  await waitsSince('2026-11-20T10:30Z');
  assert.equal((await shown()).answerBy, '2026-11-24T10:30:00.000Z');
  await waitsSince('2020-01-03T10:30Z');
  assert.deepEqual([(await shown()).answerBy, (await shown()).isLate], ['2020-01-07T10:30:00.000Z', true]);
  await write('Anybody?');
  assert.equal((await shown()).answerBy, '2020-01-07T10:30:00.000Z', 'asking again gains and loses nothing');
  await respond(id, 'in_progress');
  const { answerBy, answeredAt } = await shown();
  assert.deepEqual([answerBy, answeredAt === null], [null, false]);
  await write('It is still missing.');
  const again = await shown();
  assert.ok(again.answerBy !== null && again.answerBy > (answeredAt ?? ''), 'a new promise');
  assert.equal(again.isLate, false);
  assert.deepEqual([again.status, again.answeredAt], ['in_progress', answeredAt]);
  assert.equal((await setStatus(id, 'closed')).body.answerBy, null);
  const reopened = (await setStatus(id, 'open')).body.answerBy;
  assert.ok(
    reopened !== null && reopened <= (again.answerBy ?? ''),
    'still since the first unanswered message',
  );
  await respond(id, 'resolved');
  assert.equal((await setStatus(id, 'open')).body.answerBy, null, 'an operator opened it, and nobody asked');
  await setStatus(id, 'resolved');
  await write('No.');
  assert.deepEqual([(await shown()).status, (await shown()).answerBy === null], ['open', false]);
  const solved = await site.call('POST', `/api/support/tickets/${id}/resolve`, { as: member });
  assert.equal(solved.body.answerBy, null);
});

test('what happened to a ticket stays readable between its messages, with its time and promise', async () => {
  const member = await site.member();
  const { id, channelId } = await open(member);
  const write = (content: string) =>
    site.call('POST', '/api/chat/messages', { as: member, body: { channelId, content } });
  await respond(id, 'resolved');
  const again: string = (await write('No.')).body.createdAt;
  await setStatus(id, 'in_progress');
  await setStatus(id, 'closed');
  await setStatus(id, 'open');
  await respond(id, 'in_progress');
  await write('Still not.');
  const solved = await site.call('POST', `/api/support/tickets/${id}/resolve`, { as: member });
  const { events }: Ticket = solved.body;
  assert.deepEqual(
    events.map(({ kind, answerBy }) => [kind, answerBy !== null]),
    [
      ['asked', true],
      ['resolved', false],
      ['reopened', true],
      ['closed', false],
      ['reopened', true],
      ['asked', true],
      ['resolved', false],
    ],
  );
  const messages = (await site.call('GET', `/api/chat/messages/${channelId}`, { as: member })).body;
  const times = [messages[0].createdAt, events[1]?.at, again, events[2]?.at, events[3]?.at];
  assert.deepEqual(times, times.toSorted(), 'each stands behind the message that it follows');
  assert.deepEqual((await site.call('GET', `${TICKETS}?id=${id}`, { as })).body[0].events, events);
});

test('a response is refused if the member wrote what the operator did not see', async () => {
  const member = await site.member();
  const { id, channelId } = await open(member);
  const write = async (content: string): Promise<number> =>
    (await site.call('POST', '/api/chat/messages', { as: member, body: { channelId, content } })).body.seq;
  const answer = (path: string, body: object) =>
    site.call('POST', `${path}/${id}/respond`, { as, body: { response: 'Here.', ...body } });
  const seen = await write('It is the one of Monday.');
  const unseen = await write('No, of Tuesday.');
  for (const refused of [
    await answer(TICKETS, { status: 'resolved', seenSeq: seen }),
    await answer('/api/admin/support-tickets', { seenSeq: seen }),
  ])
    assert.deepEqual([refused.status, refused.problem.code], [409, 'outcome-changed']);
  const answered = await answer(TICKETS, { status: 'in_progress', seenSeq: unseen });
  assert.deepEqual([answered.status, answered.body.answerBy], [200, null]);
  const again = await answer('/api/admin/support-tickets', { seenSeq: unseen });
  assert.equal(again.status, 200, 'responses are no messages of the member');
});

test('a ticket that was closed without a response and is opened again waits since its beginning', async () => {
  const { id, answerBy } = await open(await site.member());
  assert.equal((await setStatus(id, 'resolved')).body.answerBy, null);
  assert.equal((await setStatus(id, 'in_progress')).body.answerBy, answerBy);
});

test('§2-7 support: the operators’ list begins with the longest wait', async () => {
  const member = await site.member();
  const waits = { quiet: null, late: '2026-11-20T10:30Z', later: '2026-11-19T10:30Z' };
  for (const [subject, since] of Object.entries(waits)) {
    const { id } = await open(member, subject);
    await site.owner.rows(sql`
      update support.tickets set waiting_since = ${since}::timestamptz where id = ${id}`);
  }
  const subjects = async (query: string) =>
    (await site.call('GET', `${TICKETS}?q=${member.id}&${query}`, { as })).body.map(
      ({ subject }: Ticket) => subject,
    );
  assert.deepEqual(await subjects('sort=answerBy'), ['later', 'late', 'quiet']);
  assert.deepEqual(await subjects('status=open&sort=answerBy&limit=2'), ['later', 'late']);
  assert.deepEqual(await subjects('sort=-answerBy'), ['quiet', 'late', 'later']);
  const csv = await site.call('GET', `${TICKETS}?q=${member.id}&sort=answerBy&format=csv`, { as });
  assert.match(String(csv.body), /,later,.*,late,.*,quiet,/s);
});

test('tickets that wait since the same moment are listed by priority, and one about a withdrawal is high', async () => {
  const member = await site.member();
  const priorities = { second: 'low', first: 'urgent' };
  for (const [subject, priority] of Object.entries(priorities)) {
    const { id } = await open(member, subject);
    await site.owner.rows(sql`update support.tickets set priority = ${priority} where id = ${id}`);
  }
  const body = { subject: 'paid', message: 'Where is it?', category: 'withdrawal' };
  const opened = await site.call('POST', '/api/support/tickets', { as: member, body });
  assert.equal(opened.body.priority, 'high');
  await site.owner.rows(sql`
    update support.tickets set waiting_since = '2026-11-20T10:30Z' where member_id = ${member.id}`);
  const listed = await site.call('GET', `${TICKETS}?q=${member.id}&sort=answerBy`, { as });
  assert.deepEqual(
    listed.body.map(({ subject }: Ticket) => subject),
    ['first', 'paid', 'second'],
  );
});

test('counts waits and late ones, and measures the answers of the last 30 days', async () => {
  await site.owner.rows(sql`update support.tickets set waiting_since = null, created_at = '2020-01-01Z'`);
  assert.deepEqual(await figures(), {
    waiting: 0,
    late: 0,
    firstAnswerMedianMinutes: null,
    resolvedAtOnce: { resolved: 0, of: 0 },
  });
  const member = await site.member();
  const [late, once, twice, reopened] = [
    await open(member),
    await open(member),
    await open(member),
    await open(member),
  ];
  await site.owner.rows(sql`update support.tickets set waiting_since = '2020-01-03Z' where id = ${late.id}`);
  for (const id of [once.id, twice.id, twice.id, reopened.id]) await respond(id, 'resolved');
  const body = { channelId: reopened.channelId, content: 'Not yet.' };
  await site.call('POST', '/api/chat/messages', { as: member, body });
  assert.deepEqual((await figures()).resolvedAtOnce, { resolved: 1, of: 2 });
  await site.call('POST', `/api/support/tickets/${reopened.id}/resolve`, { as: member });
  await open(member);
  await site.owner.rows(sql`
    update support.responses r set created_at = t.created_at + interval '49.5 minutes'
    from support.tickets t where t.id = r.ticket_id`);
  assert.deepEqual(await figures(), {
    waiting: 2,
    late: 1,
    firstAnswerMedianMinutes: 49,
    resolvedAtOnce: { resolved: 1, of: 3 },
  });
});
