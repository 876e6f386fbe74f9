import type { TargetKind } from '#contract/acts.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { Case, Given } from './audit-trail-cases.ts';
import type { Site } from './site.ts';

/** Acts of operators on what members read and write: support, chat, announcements, broadcasts, claims and blocks. */

/** A function that finds the target of the newest act on a kind of thing. */
const newestTarget = (owner: Reader) => (kind: TargetKind) => async () => {
  const found = await owner.rows<{ target: string }>(
    sql`select target from platform.acts where target_kind = ${kind} order by id desc limit 1`,
  );
  return found.map(({ target }) => target);
};

/** Acts on canned replies. */
function replyCases({
  call,
  owner,
}: Pick<Given, 'call'> & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/support/replies';
  const reply = (title: string) => ({ title, textEn: 'Hello {name}', textKo: '{name} 님' });
  const keptId = async (title: string): Promise<string> => (await call('POST', path, reply(title))).body.id;
  return {
    'POST /api/admin/support/replies': async () => ({
      path,
      body: reply('Greeting'),
      targets: [],
      foundTargets: async () => {
        const found = await owner.rows<{ id: bigint }>(sql`select id from support.replies`);
        return found.map(({ id }) => String(id));
      },
      again: 409,
    }),
    'PUT /api/admin/support/replies/:id': async () => {
      const id = await keptId('Changed');
      return { path: `${path}/${id}`, body: reply('Changed now'), targets: [id], again: 200 };
    },
    'DELETE /api/admin/support/replies/:id': async () => {
      const id = await keptId('Old');
      return { path: `${path}/${id}`, targets: [id], again: 404 };
    },
  };
}

/** Acts about the chat, announcements and claims. */
function chatCases({
  call,
  memberId,
  owner,
}: Given & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const newest = newestTarget(owner);
  const wordId = async (word: string): Promise<string> =>
    (await call('POST', '/api/admin/chat-banned-words', { word })).body.id;
  const message = async (isReported: boolean): Promise<string> => {
    const writer = Number(await memberId());
    const { id } = await owner.one<{ id: bigint }>(sql`
      with place as (update chat.channels set seq = seq + 1 where id = 1 returning seq)
      insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
      select 1, seq, ${writer}, false, 'Hello', platform.business_now() from place returning id`);
    if (isReported)
      await owner.rows(sql`
        insert into chat.cases (message_id, reporters, reason, reported_at)
        values (${id}, 1, 'scam', platform.business_now())`);
    return String(id);
  };
  return {
    'POST /api/admin/chat-banned-words': async () => ({
      path: '/api/admin/chat-banned-words',
      body: { word: 'audited' },
      targets: [],
      foundTargets: newest('chat-word'),
      again: 409,
    }),
    'DELETE /api/admin/chat-banned-words/:id': async () => {
      const id = await wordId('unwanted');
      return { path: `/api/admin/chat-banned-words/${id}`, targets: [id], again: 404 };
    },
    'POST /api/admin/chat-bans': async () => ({
      path: '/api/admin/chat-bans',
      body: { userId: await memberId(), reason: 'Begging' },
      targets: [],
      foundTargets: newest('chat-ban'),
      again: 409,
    }),
    'DELETE /api/admin/chat-bans/:id': async () => {
      const body = { userId: await memberId(), reason: 'Begging' };
      const { id } = (await call('POST', '/api/admin/chat-bans', body)).body;
      return { path: `/api/admin/chat-bans/${id}`, targets: [id], again: 409 };
    },
    'POST /api/admin/decisions/:id/appeal-decision': async () => {
      const member = Number(await memberId());
      const { id } = await owner.one<{ id: bigint }>(sql`
        with made as (
          insert into chat.bans (member_id, reason, duration, created_at)
          values (${member}, 'Begging', 'permanent', platform.business_now()) returning id)
        insert into decisions.appeals (source, source_id, member_id, text, created_at, answer_by)
        select 'ban', id, ${member}, 'It was not me', platform.business_now(), platform.business_now() from made
        returning source_id as id`);
      const body = { uphold: false, reason: 'Two people' };
      return {
        path: `/api/admin/decisions/ban-${id}/appeal-decision`,
        body,
        targets: [`ban-${id}`],
        again: 409,
      };
    },
    'POST /api/admin/announcements': async () => ({
      path: '/api/admin/announcements',
      body: { title: 'A short pause', content: 'On Monday at three.' },
      targets: [],
      foundTargets: newest('announcement'),
    }),
    'DELETE /api/admin/announcements/:id': async () => {
      const body = { title: 'A short pause', content: 'On Monday at three.' };
      const { id } = (await call('POST', '/api/admin/announcements', body)).body;
      return { path: `/api/admin/announcements/${id}`, targets: [id], again: 404 };
    },
    'PATCH /api/admin/claims/:id': async () => {
      const id = Number(await memberId());
      const filed = await owner.one<{ id: bigint }>(sql`
        insert into claims.claims (member_id, opening_id, provider, opened_at, text, filed_at, due_at)
        select ${id}, 1, 'cpx', c.now, 'Nothing came', c.now, c.now from (select platform.business_now() as now) c
        returning id`);
      const body = { state: 'refused', reason: 'It was not finished' };
      return { path: `/api/admin/claims/${filed.id}`, body, targets: [String(filed.id)], again: 409 };
    },
    'DELETE /api/chat/messages/:id': async () => {
      const id = await message(false);
      return { path: `/api/chat/messages/${id}`, targets: [id], again: 404 };
    },
    'POST /api/admin/chat-reports/:id/decide': async () => {
      const id = await message(true);
      const body = { decision: 'ban', reason: 'Begging', duration: '1day' };
      return { path: `/api/admin/chat-reports/${id}/decide`, body, targets: [id], again: 409 };
    },
  };
}

/** Acts on blocks of addresses and domains. */
function blockCases({
  call,
  owner,
}: Pick<Given, 'call'> & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const newest = newestTarget(owner);
  return {
    'POST /api/admin/fraud/block-ip': async () => ({
      path: '/api/admin/fraud/block-ip',
      body: { ipAddress: '203.0.113.71', reason: 'A farm' },
      targets: [],
      foundTargets: newest('block'),
      again: 409,
    }),
    'POST /api/admin/fraud/block-domain': async () => ({
      path: '/api/admin/fraud/block-domain',
      body: { domain: 'tempmail.example', reason: 'Thrown away' },
      targets: [],
      foundTargets: newest('block'),
      again: 409,
    }),
    'DELETE /api/admin/fraud/blocks/:id': async () => {
      const body = { ipAddress: '203.0.113.72', reason: 'A farm' };
      const { id } = (await call('POST', '/api/admin/fraud/block-ip', body)).body;
      return { path: `/api/admin/fraud/blocks/${id}`, targets: [id], again: 409 };
    },
  };
}

/** Acts on broadcasts. None is sent here: nobody runs the sweep. */
function broadcastCases({
  call,
  owner,
}: Pick<Given, 'call'> & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> {
  const path = '/api/admin/broadcast-email';
  const body = { subject: 'A short pause', content: 'On Monday at three.' };
  const begun = async (): Promise<string> => (await call('POST', path, body)).body.id;
  const newest = async () => {
    const found = await owner.rows<{ id: bigint }>(
      sql`select id from broadcasts.broadcasts order by id desc limit 1`,
    );
    return found.map(({ id }) => String(id));
  };
  const changed = (verb: 'pause' | 'resume' | 'stop') => async (): Promise<Case> => {
    const id = await begun();
    if (verb === 'resume') await call('POST', `${path}/${id}/pause`);
    return { path: `${path}/${id}/${verb}`, targets: [id], again: 409 };
  };
  return {
    'POST /api/admin/broadcast-email': async () => ({ path, body, targets: [], foundTargets: newest }),
    'POST /api/admin/broadcast-email/test': async () => ({ path: `${path}/test`, body, targets: ['test'] }),
    'POST /api/admin/broadcast-email/:id/pause': changed('pause'),
    'POST /api/admin/broadcast-email/:id/resume': changed('resume'),
    'POST /api/admin/broadcast-email/:id/stop': changed('stop'),
    'POST /api/admin/broadcast-email/:id/retry': async () => {
      const id = await begun();
      await owner.rows(sql`
        update broadcasts.mails set state = 'failed', reason = 'refused' where broadcast_id = ${id}::bigint`);
      await owner.rows(sql`
        update broadcasts.broadcasts set refused_count = recipient_count, status = 'done',
          finished_at = platform.business_now() where id = ${id}::bigint`);
      return { path: `${path}/${id}/retry`, body: { which: 'failed' }, targets: [id], again: 409 };
    },
  };
}

/** Acts on what members read and write. */
export const tellingCases = (given: Given & Pick<Site, 'owner'>): Record<string, () => Promise<Case>> => ({
  ...blockCases(given),
  ...replyCases(given),
  ...chatCases(given),
  ...broadcastCases(given),
});
