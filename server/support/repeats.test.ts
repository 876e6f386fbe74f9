import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';

/** Calls of support that are repeated because their answer was lost. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const question = { subject: 'Where are my points?', message: 'I finished a survey an hour ago.' };
/** A node ended between the effect and the answer, so only the feature's own row knows the key. */
const loseAnswers = () => site.owner.rows(sql`delete from platform.idempotency`);

test('a repeated opening with its key is one ticket, and without a key each is one', async () => {
  const member = await site.member();
  const ask = (key?: string, more = {}) =>
    site.call('POST', '/api/support/tickets', {
      as: member,
      body: { ...question, ...more },
      headers: key === undefined ? {} : { 'idempotency-key': key },
    });
  const first = await ask('one');
  assert.equal(first.status, 201);
  assert.deepEqual((await ask('one')).body, first.body);
  await loseAnswers();
  assert.deepEqual((await ask('one')).body, first.body);
  await loseAnswers();
  const other = await ask('one', { subject: 'Another question' });
  assert.deepEqual([other.status, other.problem.code], [422, 'idempotency-mismatch']);
  assert.notEqual((await ask()).body.id, (await ask()).body.id);
  const { body: listed } = await site.call('GET', '/api/support/tickets', { as: member });
  assert.equal(listed.length, 3);
});

test('a repeated response with its key is one response, one message and one act, in both views', async () => {
  for (const [path, more] of [
    ['/api/admin/support/tickets', { status: 'resolved' }],
    ['/api/admin/support-tickets', {}],
  ] as const) {
    const member = await site.member();
    const { id, channelId } = (
      await site.call('POST', '/api/support/tickets', { as: member, body: question })
    ).body;
    const respond = (response: string) =>
      site.call('POST', `${path}/${id}/respond`, {
        as,
        body: { response, seenSeq: 0, ...more },
        headers: { 'idempotency-key': `respond ${path}`.replace(' ', '-') },
      });
    const first = await respond('Here they are.');
    assert.equal(first.status, 200);
    await loseAnswers();
    const body = { channelId, content: 'Thank you.' };
    assert.equal((await site.call('POST', '/api/chat/messages', { as: member, body })).status, 201);
    const again = await respond('Here they are.');
    assert.deepEqual([again.status, again.body.status], [200, 'open'], 'the state of now');
    await loseAnswers();
    assert.equal((await respond('Other words.')).problem.code, 'idempotency-mismatch');
    const counts = await site.owner.one(sql`
      select (select count(*) from support.responses where ticket_id = ${id})::integer as responses,
        (select count(*) from chat.messages where channel_id = ${channelId}::bigint and is_from_operator)::integer
          as messages,
        (select count(*) from platform.acts where target = ${id})::integer as acts`);
    assert.deepEqual(counts, { responses: 1, messages: 1, acts: 1 });
  }
});
