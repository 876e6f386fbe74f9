import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';

/** A message to a member, the end of a member's sessions, and a deletion with its reason. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });

const act = (path: string, body: unknown, as = operator) =>
  site.call('POST', `/api/admin/users/${path}`, { as, body });
const actsOn = ({ id }: Person) =>
  site.owner.rows<{ act: string; reason: string | null; operatorId: number }>(sql`
    select act, reason, operator_id as "operatorId" from platform.acts where about_member_id = ${id} order by id`);
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20);
}
const noticesOf = async (as: Person) => (await site.call('GET', '/api/notices', { as })).body;

describe('a message to a member', () => {
  it('is a notice of the member, and one act with its text', async () => {
    const member = await site.member();
    const text = 'Your payout address changed.\n\nWas it you?';
    const sent = await act(`${member.id}/message`, { text: `  ${text} ` });
    assert.equal(sent.status, 201, JSON.stringify(sent.body));
    const { data, unreadCount } = await noticesOf(member);
    assert.equal(unreadCount, 1);
    assert.deepEqual(
      data.map(({ id, kind, facts, createdAt }: Record<string, unknown>) => ({ id, kind, facts, createdAt })),
      [{ id: sent.body.id, kind: 'message', facts: { text }, createdAt: sent.body.createdAt }],
    );
    assert.deepEqual(await actsOn(member), [
      { act: 'member.message', reason: text, operatorId: operator.id },
    ]);
  });

  it('is sent once under its key, though a slow call is taken over', async () => {
    const member = await site.member();
    const send = () =>
      site.call('POST', `/api/admin/users/${member.id}/message`, {
        as: operator,
        body: { text: 'Slow' },
        headers: { 'idempotency-key': 'message-slow' },
      });
    const makeStale = () =>
      site.owner.rows(sql`
        update platform.idempotency set created_at = platform.business_now() - interval '31 seconds'
        where key = 'message-slow' returning key`);
    await act(`${member.id}/message`, { text: 'The first' });
    const calls: ReturnType<typeof send>[] = [];
    await site.owner.transaction(async (tx) => {
      await tx.rows(sql`select from notices.member_counts where member_id = ${member.id} for update`);
      calls.push(send());
      await until(async () => (await makeStale()).length === 1);
      calls.push(send());
      await until(async () => {
        const { isTaken } = await site.owner.one<{ isTaken: boolean }>(sql`
          select created_at > platform.business_now() - interval '30 seconds' as "isTaken"
          from platform.idempotency where key = 'message-slow'`);
        return isTaken;
      });
    });
    const answers = (await Promise.all(calls)).map(({ status }) => status);
    assert.deepEqual(answers.sort(), [201, 409]);
    assert.equal((await noticesOf(member)).data.length, 2);
    const again = await send();
    assert.deepEqual([again.status, again.body.text], [201, 'Slow']);
  });

  it('is sent once under its key', async () => {
    const member = await site.member();
    const send = () =>
      site.call('POST', `/api/admin/users/${member.id}/message`, {
        as: operator,
        body: { text: 'Hello' },
        headers: { 'idempotency-key': 'message-1' },
      });
    const [first, again] = [await send(), await send()];
    assert.deepEqual([again.status, again.body], [201, first.body]);
    assert.equal((await noticesOf(member)).data.length, 1);
    assert.equal((await actsOn(member)).length, 1);
  });

  it('is mailed, unless the member wants no such mail', async () => {
    const [mailed, silent] = [await site.member(), await site.member()];
    const chosen = await site.call('PUT', '/api/user/settings', {
      as: silent,
      body: { notices: { message: { mail: false } } },
    });
    assert.equal(chosen.body.notices.message.mail, false, JSON.stringify(chosen.body));
    for (const { id } of [mailed, silent])
      assert.equal((await act(`${id}/message`, { text: 'Hi' })).status, 201);
    const due = await site.owner.rows<{ id: number }>(sql`
      select member_id as id from notices.notices
      where kind = 'message' and mail_due_at is not null and member_id in (${mailed.id}, ${silent.id})`);
    assert.deepEqual(due, [{ id: mailed.id }]);
  });

  it('is refused without text, for nobody, for a closed account, and from a member', async () => {
    const [member, gone] = [await site.member(), await site.member()];
    const statusOf = async (path: string, body: unknown, as = operator) => (await act(path, body, as)).status;
    assert.equal((await site.call('DELETE', `/api/admin/users/${gone.id}`, { as: operator })).status, 204);
    assert.deepEqual(
      [
        await statusOf(`${member.id}/message`, { text: '  ' }),
        await statusOf(`${member.id}/message`, { text: 'x'.repeat(2_001) }),
        await statusOf('999999999/message', { text: 'Hi' }),
        await statusOf(`${gone.id}/message`, { text: 'Hi' }),
        await statusOf(`${member.id}/message`, { text: 'Hi' }, member),
      ],
      [400, 400, 404, 404, 403],
    );
    assert.deepEqual(await actsOn(member), []);
  });
});

describe('the end of a member’s sessions', () => {
  it('signs the member out everywhere, once for each, with one act', async () => {
    const member = await site.member();
    const record = (await site.call('GET', `/api/admin/users/${member.id}`, { as: operator })).body;
    assert.equal(record.sessions.length, 1);
    assert.match(record.sessions[0].address, /^[\d.:a-f]+$/);
    const ended = await act(`${member.id}/end-sessions`, { reason: 'A stolen phone' });
    assert.deepEqual([ended.status, ended.body], [200, { endedCount: 1 }]);
    assert.equal((await site.call('GET', '/api/user', { as: member })).status, 401);
    const later = (await site.call('GET', `/api/admin/users/${member.id}`, { as: operator })).body;
    assert.deepEqual(later.sessions, []);
    assert.deepEqual(await actsOn(member), [
      { act: 'member.end-sessions', reason: 'A stolen phone', operatorId: operator.id },
    ]);
  });

  it('needs a reason, and an account that is open', async () => {
    const member = await site.member();
    assert.equal((await act(`${member.id}/end-sessions`, {})).status, 400);
    assert.equal((await act('999999999/end-sessions', { reason: 'x' })).status, 404);
    assert.equal((await act(`${member.id}/end-sessions`, { reason: 'x' }, member)).status, 403);
    assert.equal((await site.call('GET', '/api/user', { as: member })).status, 200);
  });
});

describe('the deletion of an account by an operator', () => {
  it('keeps the reason in its act, and needs none', async () => {
    const [member, other] = [await site.member(), await site.member()];
    const remove = ({ id }: Person, body?: unknown) =>
      site.call('DELETE', `/api/admin/users/${id}`, {
        as: operator,
        ...(body === undefined ? {} : { body }),
      });
    assert.equal((await remove(member, { reason: 'Asked by mail' })).status, 204);
    assert.equal((await remove(other)).status, 204);
    assert.deepEqual(
      [...(await actsOn(member)), ...(await actsOn(other))].map(({ reason }) => reason),
      ['Asked by mail', null],
    );
  });
});
