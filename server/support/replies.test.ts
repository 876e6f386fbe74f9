import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { REPLIES_MAX, replyPlaceholders } from '#contract/support-replies.ts';
import { sql } from '#platform/database.ts';
import { type Answer, testSite } from '../../test/site.ts';
import { openTicket, respondToTicket } from './support.ts';

/** Canned replies over HTTP, and who responded last. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const PATH = '/api/admin/support/replies';
const greeting = { title: 'Greeting', textEn: 'Hello {name}.', textKo: '{name} 님, 안녕하세요.' };

const create = (body: unknown, by = as) => site.call('POST', PATH, { as: by, body });
const change = (id: string, body: unknown) => site.call('PUT', `${PATH}/${id}`, { as, body });
const remove = (id: string) => site.call('DELETE', `${PATH}/${id}`, { as });
const titles = async (): Promise<string[]> =>
  (await site.call('GET', PATH, { as })).body.map(({ title }: { title: string }) => title);
const actsOf = (id: string) =>
  site.owner.rows<{ act: string; before: unknown; after: unknown }>(sql`
    select act, before, after from platform.acts where target_kind = 'reply' and target = ${id} order by id`);

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

test('a canned reply is kept once a title, changed and removed, and each act is in the audit trail', async () => {
  const { status, body } = await create(greeting);
  assert.equal(status, 201);
  const { id, ...texts } = body;
  assert.deepEqual(texts, greeting);
  refused(await create(greeting), 409, 'already-exists');
  const other = (await create({ ...greeting, title: 'Another' })).body;
  assert.deepEqual(await titles(), ['Another', 'Greeting']);
  refused(await change(other.id, greeting), 409, 'already-exists');
  const changed = { ...greeting, textEn: 'Good day, {name}.' };
  assert.deepEqual((await change(id, changed)).body, { id, ...changed });
  assert.equal((await remove(id)).status, 204);
  refused(await remove(id), 404, 'not-found');
  refused(await change(id, changed), 404, 'not-found');
  assert.deepEqual(await titles(), ['Another']);
  assert.deepEqual(await actsOf(id), [
    { act: 'reply.create', before: null, after: greeting },
    { act: 'reply.change', before: { textEn: greeting.textEn }, after: { textEn: changed.textEn } },
    { act: 'reply.remove', before: changed, after: null },
  ]);
  refused(await create(greeting, await site.member()), 403, 'forbidden');
});

test('a canned reply has a text in both languages and no placeholder that nothing fills', async () => {
  const known = replyPlaceholders.map((name) => `{${name}}`).join(' ');
  assert.equal((await create({ title: 'All', textEn: known, textKo: known })).status, 201);
  for (const wrong of [
    { ...greeting, textKo: ' ' },
    { ...greeting, textEn: 'Hello {nmae}.' },
    { ...greeting, title: '가'.repeat(61) },
  ])
    refused(await create(wrong), 400, 'invalid-request');
});

test('the number of canned replies is bounded', async () => {
  await site.owner.rows(sql`
    insert into support.replies (title, text_en, text_ko)
    select 'Reply ' || i, 'Hello', '안녕하세요' from generate_series(1, ${REPLIES_MAX}) i`);
  refused(await create(greeting), 400, 'invalid-request');
  assert.ok(!(await titles()).includes(greeting.title));
});

test('an operator sees who responded last, and the member does not', async () => {
  const { platform } = site;
  const member = await site.member();
  const hana = await site.member({ role: 'admin' });
  await site.owner.rows(sql`
    update members.members set first_name = '하나', last_name = '이' where id = ${hana.id}`);
  const { id } = await openTicket(platform, member.id, { subject: 'Where?', message: 'Where is it?' });
  const read = async () => (await site.call('GET', `/api/admin/support/tickets?id=${id}`, { as })).body[0];
  const nobody = await read();
  assert.deepEqual([nobody.responderId, nobody.respondedBy, nobody.respondedAt], [null, null, null]);
  await respondToTicket(platform, as.id, id, { response: 'We look.', status: 'in_progress' });
  const { respondedAt } = await respondToTicket(platform, hana.id, id, { response: 'Here.', status: 'open' });
  const ticket = await read();
  assert.deepEqual(
    [ticket.responderId, ticket.respondedBy, ticket.respondedAt],
    [String(hana.id), '이하나', respondedAt],
  );
  const [own] = (await site.call('GET', '/api/support/tickets', { as: member })).body;
  assert.ok(!JSON.stringify(own).includes('하나'));
});

test('the tickets that are not solved are a filter of the list', async () => {
  const { platform } = site;
  const member = await site.member();
  for (const status of ['open', 'in_progress', 'resolved', 'closed'] as const) {
    const { id } = await openTicket(platform, member.id, { subject: status, message: 'A question' });
    await respondToTicket(platform, as.id, id, { response: 'Here.', status });
  }
  const query = `status=unsolved&q=${member.id}&sort=createdAt`;
  const found = (await site.call('GET', `/api/admin/support/tickets?${query}`, { as })).body;
  assert.deepEqual(
    found.map(({ subject }: { subject: string }) => subject),
    ['open', 'in_progress'],
  );
});
