import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { broadcast } from '#contract/broadcasts.ts';
import { sql } from '#platform/database.ts';
import { createMailer } from '#platform/mail.ts';
import { type Answer, testSite } from '../../test/site.ts';
import { sendBroadcasts } from './broadcast-sending.ts';
import { beginTermsBroadcasts } from './broadcasts.ts';
import { unsubscribeTokenOf } from './unsubscribe.ts';

/** Broadcasts over HTTP: who receives them, what operators do with them, and how a member ends them. */
const site = await testSite({ after });
const as = await site.member({ role: 'admin' });
const PATH = '/api/admin/broadcast-email';
const texts = { subject: 'A short pause', content: 'On Monday at three.' };
const change = (id: number, what: ReturnType<typeof sql>) =>
  site.owner.rows(sql`update members.members set ${what} where id = ${id}`);
const post = (path: string, body?: unknown, by = as) => site.call('POST', `${PATH}${path}`, { as: by, body });
const wantsNews = async (id: number) =>
  (
    await site.owner.one<{ wants: boolean }>(
      sql`select email_notifications as wants from members.members where id = ${id}`,
    )
  ).wants;
const refused = (answer: Answer, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
const mailCount = async () =>
  (await site.owner.one<{ count: number }>(sql`select count(*)::integer as count from broadcasts.mails`))
    .count;

const reader = await site.member();
const korean = await site.member();
const [off, suspended, leaver, stranger, gone] = [
  await site.member(),
  await site.member(),
  await site.member(),
  await site.member(),
  await site.member(),
];
await change(korean.id, sql`language = 'ko'`);
await change(off.id, sql`email_notifications = false`);
await site.call('POST', '/api/admin/suspend-user', {
  as,
  body: { userId: String(suspended.id), reason: 'A test', suspensionType: 'full_suspension' },
});
await change(leaver.id, sql`deleted_at = platform.business_now(), password_hash = null`);
await change(stranger.id, sql`email_verified_at = null`);
await site.owner.rows(sql`
  insert into broadcasts.addresses values (${gone.email}, 2, platform.business_now())`);

describe('the recipients', () => {
  it('§2-5 broadcast e-mail: are members who want mail, neither suspended nor deleted, in a list', async () => {
    const { body } = await site.call('GET', '/api/admin/notification-users', { as });
    assert.deepEqual(
      body.map(({ email }: { email: string }) => email).sort(),
      [as.email, korean.email, reader.email].sort(),
    );
    assert.deepEqual(body[0], { firstName: 'Test', lastName: null, email: body[0].email });
    const { headers } = await site.call('GET', '/api/admin/notification-users?limit=1', { as });
    assert.equal(headers.get('x-total-count'), '3');
  });
  it('are counted with the reasons of the others, which sends nothing', async () => {
    const counted = await post('?dryRun=true', texts);
    const counts = {
      recipients: 3,
      switchedOn: 7,
      suspended: 1,
      leaving: 1,
      unconfirmed: 1,
      givenUp: 1,
      korean: 1,
      english: 2,
    };
    assert.deepEqual([counted.status, counted.body], [200, { recipients: 3, counts }]);
    assert.deepEqual((await site.call('GET', `${PATH}/count`, { as })).body, counts);
    assert.deepEqual([await mailCount(), (await site.call('GET', PATH, { as })).body], [0, []]);
  });
});

describe('a broadcast', () => {
  it('is not taken as begun with the key of a dry run', async () => {
    const call = (query: string) =>
      site.call('POST', `${PATH}${query}`, { as, body: texts, headers: { 'idempotency-key': 'counted' } });
    assert.equal((await call('?dryRun=true')).status, 200);
    refused(await call(''), 422, 'idempotency-mismatch');
    assert.equal(await mailCount(), 0);
  });
  it('begins with its recipients, is paused, resumed, stopped and listed, each with its act', async () => {
    const begun = await post('', texts);
    const { id } = begun.body;
    assert.deepEqual([begun.status, begun.body], [202, { id, recipients: 3 }]);
    const read = async () => (await site.call('GET', `${PATH}/${id}`, { as })).body;
    const { status, secondsLeft, recipients } = await read();
    assert.deepEqual([status, secondsLeft, recipients], ['running', 1, 3]);
    for (const [act, expected] of [
      ['pause', 'paused'],
      ['resume', 'running'],
      ['stop', 'stopped'],
    ] as const) {
      const changed = await post(`/${id}/${act}`);
      assert.deepEqual([changed.status, changed.body.status], [200, expected]);
      assert.deepEqual(broadcast.strict().parse(changed.body), changed.body);
      refused(await post(`/${id}/${act}`), 409, 'already-decided');
    }
    refused(await post(`/${id}/retry`, { which: 'failed' }), 409, 'already-decided');
    const [row] = (await site.call('GET', `${PATH}?status=stopped`, { as })).body;
    assert.deepEqual([row.id, row.adminEmail, row.changedBy], [id, as.email, as.email]);
    const acts = await site.owner.rows<{ act: string }>(sql`
      select act from platform.acts where target_kind = 'broadcast' and target = ${id} order by id`);
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['broadcast.begin', 'broadcast.pause', 'broadcast.resume', 'broadcast.stop'],
    );
  });
  it('§2-5 broadcast e-mail: refuses a wrong text, everybody but operators, and an unknown id', async () => {
    for (const body of [
      { ...texts, subject: ' \n ' },
      { subject: 'x' },
      { ...texts, subject: 'x'.repeat(201) },
      { ...texts, content: 'x'.repeat(5_001) },
      { ...texts, contentKo: '가'.repeat(5_001) },
      { ...texts, to: 'everybody' },
    ])
      refused(await post('', body), 400, 'invalid-request');
    refused(await post('', texts, reader), 403, 'forbidden');
    refused(await site.call('GET', '/api/admin/notification-users', { as: reader }), 403, 'forbidden');
    for (const id of ['999999', 'x']) {
      refused(await site.call('GET', `${PATH}/${id}`, { as }), 404, 'not-found');
      refused(await post(`/${id}/pause`), 404, 'not-found');
    }
  });
  it('begins once for one Idempotency-Key', async () => {
    const before = (await site.call('GET', PATH, { as })).body.length;
    const headers = { 'idempotency-key': 'one-press' };
    const call = () => site.call('POST', PATH, { as, body: texts, headers });
    const [first, second] = [await call(), await call()];
    assert.deepEqual([first.status, second.status, second.body], [202, 202, first.body]);
    assert.equal((await site.call('GET', PATH, { as })).body.length, before + 1);
    // The answer was not kept, and the call is taken over.
    await site.owner.rows(sql`
      update platform.idempotency set status = null, reply = null, created_at = created_at - interval '31 seconds'
      where key = 'one-press'`);
    const repeated = await call();
    assert.deepEqual([repeated.status, repeated.body], [202, first.body]);
    assert.equal((await site.call('GET', PATH, { as })).body.length, before + 1);
    await site.owner.rows(sql`delete from platform.idempotency where key = 'one-press'`);
    const other = { ...texts, subject: 'Another text' };
    refused(await site.call('POST', PATH, { as, body: other, headers }), 422, 'idempotency-mismatch');
    await post(`/${first.body.id}/stop`);
  });
  it('is tried on the operator alone, in each language that it has', async () => {
    const mails = await mailCount();
    const tried = await post('/test', { ...texts, subjectKo: '잠시 멈춥니다' });
    assert.deepEqual([tried.status, tried.body], [200, { email: as.email }]);
    assert.equal(await mailCount(), mails);
    const jobs = await site.owner.rows(sql`select from platform.acts where act = 'broadcast.test'`);
    assert.equal(jobs.length, 1);
  });
});

describe('the end of broadcasts by a mail', () => {
  const token = unsubscribeTokenOf(site.platform, reader.id);
  const path = `/api/unsubscribe/${token}`;
  const call = (method: string, to = path, type = 'application/x-www-form-urlencoded') =>
    fetch(`${site.address}${to}`, {
      method,
      redirect: 'manual',
      ...(method === 'POST' ? { headers: { 'content-type': type }, body: 'List-Unsubscribe=One-Click' } : {}),
    });
  it('is not what a GET does, however often a scanner opens the link', async () => {
    for (let opened = 0; opened < 20; opened += 1) {
      const answer = await call('GET');
      assert.equal(answer.status, 302);
      assert.equal(answer.headers.get('location'), `${site.origin}/unsubscribe?token=${token}`);
    }
    assert.equal((await call('HEAD')).status, 404);
    assert.equal(await wantsNews(reader.id), true);
  });
  it('is one POST without cookies and origin, after which notices still come', async () => {
    const answer = await call('POST');
    assert.deepEqual([answer.status, await answer.json()], [200, { isKnown: true }]);
    assert.equal(await wantsNews(reader.id), false);
    const settings = (await site.call('GET', '/api/user/settings', { as: reader })).body;
    assert.deepEqual([settings.emailNotifications, settings.notices.paid.mail], [false, true]);
    const again = (origin: string) =>
      fetch(`${site.address}${path}/undo`, { method: 'POST', headers: { origin } });
    assert.equal((await again('https://elsewhere.example')).status, 403);
    assert.equal(await wantsNews(reader.id), false);
    assert.equal((await again(site.origin)).status, 200);
    assert.equal(await wantsNews(reader.id), true);
  });
  it('takes no form larger than 16 KB', async () => {
    for (const [bytes, status] of [
      [16_000, 200],
      [20_000, 413],
    ] as const) {
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      const body = 'x'.repeat(bytes);
      const answer = await fetch(`${site.address}/api/unsubscribe/x`, { method: 'POST', headers, body });
      assert.equal(answer.status, status);
    }
  });
  it('answers a wrong token with 200 too, says that it is not known, and does nothing', async () => {
    for (const wrong of [`${korean.id}-${token.slice(10)}`, 'x', `${token}x`]) {
      const answer = await call('POST', `/api/unsubscribe/${wrong}`, 'multipart/form-data; boundary=b');
      assert.deepEqual([answer.status, await answer.json()], [200, { isKnown: false }]);
      const undone = await site.call('POST', `/api/unsubscribe/${wrong}/undo`);
      assert.deepEqual([undone.status, undone.body], [200, { isKnown: false }]);
    }
    assert.deepEqual([await wantsNews(reader.id), await wantsNews(korean.id)], [true, true]);
  });
});

describe('an announcement that changes the terms', () => {
  it('is mailed once to every member with a mailbox when it becomes public', async () => {
    const day = async (days: number) =>
      (
        await site.owner.one<{ day: string }>(sql`
          select to_char(platform.site_day(platform.business_now()) + ${days}::integer, 'YYYY-MM-DD') as day`)
      ).day;
    const effectiveOn = await day(20);
    const { now } = await site.owner.one<{ now: Date }>(sql`select platform.business_now() as now`);
    const publishAt = new Date(now.getTime() + 3_600_000).toISOString();
    const body = { title: 'New terms', content: 'We change them.', publishAt, termsChange: { effectiveOn } };
    assert.equal((await site.call('POST', '/api/admin/announcements', { as, body })).status, 201);
    await beginTermsBroadcasts(site.platform);
    const begun = async () => (await site.call('GET', `${PATH}?status=running`, { as })).body;
    assert.deepEqual(await begun(), []);
    await site.owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + 3601`);
    await Promise.all(Array.from({ length: 3 }, () => beginTermsBroadcasts(site.platform)));
    const [terms, ...others] = await begun();
    assert.deepEqual([others, terms.kind, terms.subject, terms.adminEmail], [[], 'terms', 'New terms', null]);
    const receivers = await site.owner.rows<{ email: string }>(sql`
      select p.email from broadcasts.mails m join members.members p on p.id = m.member_id
      where m.broadcast_id = ${terms.id}::bigint`);
    assert.deepEqual(
      receivers.map(({ email }) => email).sort(),
      [as, reader, korean, off, suspended].map(({ email }) => email).sort(),
    );
    // The notice about the suspension would go first.
    await site.owner.rows(sql`update notices.notices set mail_due_at = null`);
    await sendBroadcasts({ ...site.platform, sendMail: createMailer(site.config) });
    const mails = (await site.call('GET', '/sandbox/outbox')).body.filter(
      ({ subject }: { subject: string }) => subject === 'New terms',
    );
    assert.equal(mails.length, 5);
    assert.match(mails[0].text, new RegExp(`${effectiveOn}.*/terms`));
    assert.doesNotMatch(mails[0].text, /unsubscribe/);
  });
  it('is mailed though ten of a later day are', async () => {
    const add = (count: number, title: string) =>
      site.owner.rows(sql`
        insert into announcements.announcements (title, content, publish_at, announced_at, effective_on, created_at)
        select ${title} || n, 'Text', now, now, platform.site_day(now) + 300, now
        from generate_series(1, ${count}::integer) n, (select platform.business_now() as now) t`);
    await add(10, 'Far ');
    await beginTermsBroadcasts(site.platform);
    await add(1, 'Later ');
    await beginTermsBroadcasts(site.platform);
    const begun = (await site.call('GET', `${PATH}?status=running`, { as })).body;
    assert.equal(begun[0].subject, 'Later 1');
  });
  it('is mailed no further when the announcement is deleted, and says how many were sent', async () => {
    const path = '/api/admin/announcements';
    const row = await site.owner.one<{ id: bigint; announcement: bigint }>(sql`
      update broadcasts.broadcasts set sent_count = 2 where subject = 'Later 1'
      returning id, announcement_id as announcement`);
    const id = String(row.announcement);
    const mails = await site.call('GET', `${PATH}/of-announcement/${id}`, { as });
    assert.deepEqual([mails.status, mails.body], [200, { recipients: 5, sent: 2 }]);
    assert.equal((await site.call('DELETE', `${path}/${id}`, { as })).status, 204);
    const { status, changedBy } = (await site.call('GET', `${PATH}/${row.id}`, { as })).body;
    assert.deepEqual([status, changedBy], ['stopped', as.email]);
    const [act] = await site.owner.rows<{ after: unknown }>(sql`
      select after from platform.acts where act = 'announcement.delete' and target = ${id}`);
    assert.deepEqual(act?.after, { stoppedBroadcast: String(row.id), sent: 2 });
    assert.deepEqual((await site.call('GET', `${PATH}/of-announcement/999999`, { as })).body, {
      recipients: 0,
      sent: 0,
    });
  });
  it('that went to nobody is a trouble while members have confirmed addresses', async () => {
    const troubles = () => site.platform.health.troubles().map(({ name }) => name);
    await beginTermsBroadcasts(site.platform);
    assert.ok(!troubles().includes('terms-mails'));
    await site.owner.rows(sql`update broadcasts.broadcasts set recipient_count = 0 where kind = 'terms'`);
    await beginTermsBroadcasts(site.platform);
    assert.ok(troubles().includes('terms-mails'));
  });
});
