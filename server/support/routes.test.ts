import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operatorTicket, type Ticket, ticket } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { openTicket } from './support.ts';

/** Support over HTTP, for members and operators. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const LISTS = ['/api/admin/support/tickets', '/api/admin/support-tickets'] as const;
const question = { subject: 'Where are my points?', message: 'I finished a survey an hour ago.' };
const ask = (asker: Person, body: unknown = question, headers: Record<string, string> = {}) =>
  site.call('POST', '/api/support/tickets', { as: asker, body, headers });
const ticketsOf = async (asker: Person): Promise<Ticket[]> =>
  (await site.call('GET', '/api/support/tickets', { as: asker })).body;
const list = (query = '', path: string = LISTS[0]) => site.call('GET', `${path}?${query}`, { as });
const respond = (id: string, body: unknown, by = as) =>
  site.call('POST', `/api/admin/support/tickets/${id}/respond`, { as: by, body });

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

test('§1-3 support ticket: opens a ticket with trimmed text, medium priority and its own channel', async () => {
  const member = await site.member();
  assert.deepEqual(await ticketsOf(member), []);
  const opened = await ask(member, { subject: '  도와주세요  ', message: '\n포인트가 없어요\n' });
  assert.equal(opened.status, 201);
  assert.deepEqual(ticket.strict().parse(opened.body), opened.body);
  const { id: _, createdAt, channelId, answerBy, events, ...rest } = opened.body;
  assert.deepEqual(events, [{ kind: 'asked', at: createdAt, answerBy }]);
  assert.ok(answerBy > createdAt, answerBy);
  assert.deepEqual(rest, {
    subject: '도와주세요',
    message: '포인트가 없어요',
    status: 'open',
    priority: 'medium',
    category: null,
    subjectKind: null,
    subjectId: null,
    adminResponse: null,
    isLate: false,
    answeredAt: null,
  });
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assert.equal(channelId, '2', 'the first channel after the general one');
  const second = (await ask(member)).body;
  assert.ok(Number(second.channelId) > 2);
  assert.deepEqual(await ticketsOf(member), [second, opened.body], 'newest first');
});

test('a ticket has a category, and is about no record that is not the member’s own', async () => {
  const member = await site.member();
  assert.equal((await ask(member, { ...question, category: 'account' })).body.category, 'account');
  for (const subjectKind of ['withdrawal', 'chargeback'])
    for (const subjectId of ['x', '1', '00000000-0000-4000-8000-000000000000'])
      refused(await ask(member, { ...question, subjectKind, subjectId }), 404, 'not-found');
  assert.equal((await ask(member, { ...question, subjectKind: 'withdrawal' })).status, 400);
});

test('§1-5 support request: refuses a subject or message that is too long, blank or has NUL', async () => {
  const member = await site.member();
  const longest = { subject: '가'.repeat(200), message: ` ${'나'.repeat(5_000)} ` };
  assert.equal((await ask(member, longest)).status, 201);
  const shapes: unknown[] = [
    {},
    [],
    { subject: 'x' },
    { message: 'x' },
    { subject: ' \n\t ', message: 'x' },
    { subject: 'x', message: ' ' },
    { subject: '가'.repeat(201), message: 'x' },
    { subject: 'x', message: '나'.repeat(5_001) },
    { subject: 'a\u0000b', message: 'x' },
    { subject: 'x', message: 'a\u0000b' },
    { subject: 1, message: 'x' },
    { subject: 'x', message: null },
    { ...question, priority: 'urgent' },
    { ...question, status: 'closed' },
    { ...question, userId: String(as.id) },
  ];
  for (const body of shapes) refused(await ask(member, body), 400, 'invalid-request');
  refused(await ask(member, question, { origin: 'https://evil.example' }), 403, 'cross-site');
  refused(await site.call('POST', '/api/support/tickets', { body: question }), 401, 'unauthenticated');
  assert.equal((await ticketsOf(member)).length, 1);
});

test('§1-7 support: lists only the member’s newest 200 tickets, and refuses operators’ calls', async () => {
  const [member, other] = [await site.member(), await site.member()];
  const { id } = (await ask(other)).body;
  assert.deepEqual(await ticketsOf(member), []);
  for (const path of LISTS) {
    refused(await site.call('GET', path, { as: member }), 403, 'forbidden');
    refused(await site.call('GET', path), 401, 'unauthenticated');
    const body = { status: 'closed' };
    refused(await site.call('PATCH', `${path}/${id}/status`, { as: other, body: body }), 403, 'forbidden');
  }
  refused(await respond(id, { response: 'x', status: 'closed' }, other), 403, 'forbidden');
  for (let count = 0; count < 201; count += 1)
    await openTicket(site.platform, member.id, { ...question, subject: `Number ${count}` });
  const listed = await ticketsOf(member);
  assert.equal(listed.length, 200);
  assert.deepEqual([listed[0]?.subject, listed[199]?.subject], ['Number 200', 'Number 1']);
  assert.deepEqual((await ticketsOf(other))[0]?.status, 'open', 'nothing was changed');
});

test('shows an operator’s response to the member, and announces it at once', async () => {
  const member = await site.member();
  const told: unknown[] = [];
  site.platform.bus.onNews((news) => {
    if (news.memberId === member.id) told.push(news.event);
  });
  const opened = (await ask(member)).body;
  const answer = await respond(opened.id, { response: ' We are looking. ', status: 'in_progress' });
  assert.equal(answer.status, 200);
  const { answeredAt } = answer.body;
  assert.ok(answeredAt >= opened.createdAt, answeredAt);
  const expected = {
    ...opened,
    status: 'in_progress',
    adminResponse: 'We are looking.',
    answerBy: null,
    answeredAt,
  };
  const who = { responderId: String(as.id), respondedBy: 'Test', respondedAt: answeredAt };
  const asked = { userId: String(member.id), userName: 'Test', userEmail: member.email };
  assert.deepEqual(answer.body, { ...expected, ...asked, ...who });
  assert.deepEqual(operatorTicket.strict().parse(answer.body), answer.body);
  assert.deepEqual(await ticketsOf(member), [expected]);
  const resolved = await site.call('POST', `${LISTS[1]}/${opened.id}/respond`, {
    as,
    body: { response: 'Booked.' },
  });
  assert.deepEqual([resolved.body.status, resolved.body.adminResponse], ['resolved', 'Booked.']);
  for (const path of LISTS)
    for (const status of ['open', 'in_progress', 'resolved', 'closed', 'open']) {
      const changed = await site.call('PATCH', `${path}/${opened.id}/status`, { as, body: { status } });
      assert.deepEqual(
        [changed.status, changed.body.status, changed.body.adminResponse],
        [200, status, 'Booked.'],
      );
    }
  assert.deepEqual(told, Array(13).fill({ type: 'ticket', id: opened.id }));
});

test('§1-4 view of support: responses and follow-ups are messages of the ticket’s channel', async () => {
  const member = await site.member();
  const { id, channelId } = (await ask(member)).body;
  const messages = async () =>
    (await site.call('GET', `/api/chat/messages/${channelId}`, { as: member })).body.map(
      ({
        message,
        isFromAdmin,
        user,
      }: {
        message: string;
        isFromAdmin: boolean;
        user: { firstName: string };
      }) => [message, isFromAdmin, isFromAdmin ? user.firstName : null],
    );
  const write = (content: string, clientId = content) =>
    site.call('POST', '/api/chat/messages', { as: member, body: { channelId, content, clientId } });
  const statusOf = async () => (await ticketsOf(member)).find((one) => one.id === id)?.status;
  await respond(id, { response: 'Booked now.', status: 'resolved' });
  const waiting: unknown[] = [];
  site.platform.bus.onNews(({ event, memberId }) => memberId === member.id && waiting.push(event));
  assert.equal((await write('Not here yet.')).status, 201);
  assert.equal(await statusOf(), 'open', 'writing opens it again');
  assert.deepEqual(waiting, [{ type: 'ticket', id }], 'operators’ lists are told');
  await respond(id, { response: 'Look again.', status: 'resolved' });
  assert.equal((await write('Not here yet.')).status, 201, 'a repeat');
  assert.equal(await statusOf(), 'resolved', 'a repeat opens nothing');
  await write('Now it is.');
  const solve = () => site.call('POST', `/api/support/tickets/${id}/resolve`, { as: member });
  assert.deepEqual([(await solve()).body.status, await statusOf()], ['resolved', 'resolved']);
  assert.deepEqual(await messages(), [
    ['Booked now.', true, 'Admin'],
    ['Not here yet.', false, null],
    ['Look again.', true, 'Admin'],
    ['Now it is.', false, null],
  ]);
  await site.call('PATCH', `${LISTS[0]}/${id}/status`, { as, body: { status: 'closed' } });
  assert.equal((await solve()).body.status, 'closed');
});

test('a response and a follow-up at once are both written', async () => {
  const member = await site.member();
  const { id, channelId } = (await ask(member)).body;
  const all = await Promise.all(
    Array.from({ length: 6 }, (_, number) => [
      respond(id, { response: `response ${number}`, status: 'resolved' }),
      site.call('POST', '/api/chat/messages', { as: member, body: { channelId, content: `more ${number}` } }),
    ]).flat(),
  );
  assert.deepEqual(new Set(all.map(({ status }) => status)), new Set([200, 201]));
  const { body } = await site.call('GET', `/api/chat/messages/${channelId}`, { as: member });
  assert.deepEqual(
    body.map(({ seq }: { seq: number }) => seq),
    Array.from({ length: 12 }, (_, index) => index + 1),
  );
});

test('§2-5 response to a ticket: refuses operators’ malformed requests, which change nothing', async () => {
  const member = await site.member();
  const before = (await ask(member)).body;
  const calls: ['POST' | 'PATCH', string, object, object[]][] = [
    [
      'POST',
      '/api/admin/support/tickets/:id/respond',
      { response: 'x', status: 'closed' },
      [
        { response: 'x' },
        { status: 'closed' },
        { response: ' ', status: 'closed' },
        { response: 'x', status: 'pending' },
      ],
    ],
    [
      'POST',
      '/api/admin/support-tickets/:id/respond',
      { response: 'x' },
      [
        {},
        { response: '' },
        { response: 'x'.repeat(5_001) },
        { response: 'a\u0000b' },
        { response: 'x', status: 'open' },
      ],
    ],
    ...LISTS.map((path): ['PATCH', string, object, object[]] => [
      'PATCH',
      `${path}/:id/status`,
      { status: 'closed' },
      [{}, { status: '' }, { status: 'Open' }, { status: ['open'] }, { status: 'open', response: 'x' }],
    ]),
  ];
  for (const [method, path, good, bad] of calls) {
    for (const body of bad)
      refused(await site.call(method, path.replace(':id', before.id), { as, body }), 400, 'invalid-request');
    for (const id of [crypto.randomUUID(), before.id.toUpperCase(), 'x', '1', '%00'])
      refused(await site.call(method, path.replace(':id', id), { as, body: good }), 404, 'not-found');
  }
  assert.deepEqual(await ticketsOf(member), [before]);
});

test('§2-4 support ticket: keeps both concurrent responses, and shows one of them with its own status', async () => {
  const [member, second] = [await site.member(), await site.member({ role: 'admin' })];
  const { id } = (await ask(member)).body;
  for (let round = 0; round < 10; round += 1) {
    const answers = await Promise.all([
      respond(id, { response: `First ${round}`, status: 'in_progress' }),
      respond(id, { response: `Second ${round}`, status: 'resolved' }, second),
    ]);
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body.adminResponse, body.status]),
      [
        [200, `First ${round}`, 'in_progress'],
        [200, `Second ${round}`, 'resolved'],
      ],
    );
    const [shown] = await ticketsOf(member);
    const wanted = shown?.adminResponse === `First ${round}` ? 'in_progress' : 'resolved';
    assert.deepEqual(
      [shown?.status, shown?.adminResponse?.endsWith(` ${round}`)],
      [wanted, true],
      JSON.stringify(shown),
    );
  }
  const kept = await site.owner.rows<{ operator_id: number; count: bigint }>(sql`
    select operator_id, count(*) as count from support.responses where ticket_id = ${id}
    group by operator_id order by count(*), operator_id`);
  assert.deepEqual(
    kept.map(({ operator_id, count }) => [operator_id, count]).sort(),
    [
      [as.id, 10n],
      [second.id, 10n],
    ].sort(),
  );
});

test('§2-7 support: pages, sorts, filters and searches the operators’ list by id and e-mail', async () => {
  const member = await site.member();
  const opened = [];
  for (const subject of ['one', 'two', 'three'])
    opened.push((await ask(member, { ...question, subject })).body);
  await respond(opened[1].id, { response: 'x', status: 'closed' });
  const subjects = (answer: Answer) => answer.body.map((row: Ticket) => row.subject);
  for (const path of LISTS) {
    const mine = `q=${member.email.slice(0, 20).toUpperCase()}`;
    const found = await list(mine, path);
    assert.deepEqual(subjects(found), ['three', 'two', 'one']);
    assert.equal(found.headers.get('x-total-count'), '3');
    const last = await list(`${mine}&sort=createdAt&limit=2&page=2`, path);
    assert.deepEqual([subjects(last), last.headers.get('x-total-count')], [['three'], '3']);
    assert.deepEqual(subjects(await list(`${mine}&status=closed`, path)), ['two']);
    assert.deepEqual(subjects(await list(`q=${opened[0].id}`, path)), ['one']);
    assert.deepEqual(subjects(await list(`q=${member.id}&limit=1`, path)), ['three']);
    for (const nobody of ['q=%25', 'q=_', 'q=nobody', 'q=%27', 'page=999999999'])
      assert.deepEqual((await list(nobody, path)).body, [], nobody);
    for (const wrong of [
      'limit=0',
      'limit=101',
      'page=x',
      'sort=id',
      'status=pending',
      'q=a%00',
      'format=xml',
    ])
      refused(await list(wrong, path), 400, 'invalid-request');
    const all = await list('', path);
    assert.equal(all.body.length, 20);
    assert.equal(all.body[0].subject, 'three');
    const { count } = await site.owner.one<{ count: bigint }>(
      sql`select count(*) as count from support.tickets`,
    );
    assert.equal(all.headers.get('x-total-count'), String(count));
  }
});

test('escapes formulas in the CSV', async () => {
  const member = await site.member();
  await ask(member, { subject: '=HYPERLINK("https://evil.example")', message: '@SUM(A1)' });
  const answer = await list(`q=${member.id}&format=csv`);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv/);
  const text = String(answer.body);
  const responder = 'responderId,respondedBy,respondedAt';
  const columns = ['id,subject,message,status,priority,createdAt,adminResponse,channelId,answerBy,isLate'];
  assert.ok(
    text.startsWith(
      `${[...columns, 'answeredAt,category,subjectKind,subjectId,userId,userName,userEmail', responder].join()}\r\n`,
    ),
    text,
  );
  assert.ok(text.includes(`,"'=HYPERLINK(""https://evil.example"")",'@SUM(A1),open,medium,`), text);
});

test('lets a fully suspended member open, read and write their tickets, and not the general chat', async () => {
  const member = await site.member();
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member.id}, 'Test', 'temporary', 'full_suspension', platform.business_now())`);
  const elsewhere = await site.call('GET', '/api/withdrawal/methods', { as: member });
  refused(elsewhere, 403, 'account-suspended');
  const opened = await ask(member);
  assert.equal(opened.status, 201);
  assert.equal((await ticketsOf(member)).length, 1);
  const { channelId } = opened.body;
  const channels = await site.call('GET', '/api/chat/channels', { as: member });
  assert.deepEqual(
    channels.body.map(({ id }: { id: string }) => id),
    [channelId],
  );
  const write = (to: string) =>
    site.call('POST', '/api/chat/messages', { as: member, body: { channelId: to, content: 'Why?' } });
  const read = (from: string) => site.call('GET', `/api/chat/messages/${from}`, { as: member });
  const mark = (of: string, upTo: string) =>
    site.call('POST', `/api/chat/channels/${of}/read`, { as: member, body: { upTo } });
  const written = await write(channelId);
  assert.equal(written.status, 201);
  assert.deepEqual((await read(channelId)).body, [written.body]);
  assert.equal((await mark(channelId, written.body.id)).status, 204);
  for (const answer of [await write('1'), await read('1'), await mark('1', '1')])
    refused(answer, 403, 'account-suspended');
  const others = (await ask(await site.member())).body.channelId;
  for (const answer of [await write(others), await read(others), await mark(others, '1')])
    refused(answer, 404, 'not-found');
});

test('denies the application changing tickets’ texts and responses', async () => {
  const member = await site.member();
  const { id } = (await ask(member)).body;
  await respond(id, { response: 'x', status: 'closed' });
  for (const statement of [
    sql`update support.tickets set message = 'y' where id = ${id}`,
    sql`delete from support.tickets where id = ${id}`,
    sql`update support.responses set response = 'y' where ticket_id = ${id}`,
    sql`delete from support.responses where ticket_id = ${id}`,
  ])
    await assert.rejects(site.database.rows(statement), /permission denied/);
});

test('counts at most ten thousand tickets', async () => {
  const member = await site.member();
  await site.owner.rows(sql`
    insert into support.tickets (member_id, subject, message, created_at)
    select ${member.id}, 'Many', 'x', platform.business_now() from generate_series(1, 10050)`);
  for (const query of ['', `q=${member.id}`, 'status=open']) {
    const answer = await list(query);
    assert.deepEqual([answer.body.length, answer.headers.get('x-total-count')], [20, '10000+'], query);
  }
});
