import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type RegistrationReview, readRegistrationReviews } from '#contract/access-registration-reviews.ts';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { mailsTo, startMailing, untilMails } from '../../test/mail.ts';
import { type Person, testSite } from '../../test/site.ts';

/** Registrations that wait, and operators' decisions about them, over HTTP. */
const site = await testSite({ after }, { TRUSTED_PROXIES: '127.0.0.1' });
await startMailing(site, { after });
const operator = await site.member({ role: 'admin' });
const LIST = '/api/admin/registration-reviews';

let count = 0;
const newName = () => {
  count += 1;
  return `reviewed${count}`;
};
type From = { device: string; address: string; email?: string; language?: string };
const register = ({ device, address, email = `${newName()}@example.com`, language = 'en' }: From) =>
  site.call('POST', '/api/auth/register', {
    body: {
      email,
      password: 'a quiet river 7',
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf({ canvas: device }),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
    headers: { 'x-forwarded-for': address, 'accept-language': language },
  });

/** A device at an address of which three members were made. Returns them in the order in which they came. */
async function sharedDevice(): Promise<From & { memberIds: string[] }> {
  const device = newName();
  const address = `45.90.${count}.7`;
  const memberIds: string[] = [];
  for (let member = 1; member <= 3; member += 1) {
    const { status, body } = await register({ device, address });
    assert.equal(status, 201);
    memberIds.push(body.id);
  }
  return { device, address, memberIds };
}
const shared = await sharedDevice();

const list = async (query = '', as: Person = operator): Promise<RegistrationReview[]> => {
  const { status, body } = await site.call('GET', `${LIST}${query}`, { as });
  assert.equal(status, 200, JSON.stringify(body));
  return readRegistrationReviews.reply.parse(body);
};
const details = (id: string, as: Person = operator) => site.call('GET', `${LIST}/${id}`, { as });
const decide = (id: string, verb: 'approve' | 'reject', body?: unknown, as: Person = operator) =>
  site.call('POST', `${LIST}/${id}/${verb}`, body === undefined ? { as } : { as, body });
const actsOn = (id: string) =>
  site.owner.rows<{
    act: string;
    operatorId: number;
    reason: string | null;
    before: object;
    after: object;
  }>(sql`
    select act, operator_id as "operatorId", reason, before, after from platform.acts
    where target_kind = 'registration' and target = ${id} order by id`);

/** A registration that waits. */
async function waiting(from: Partial<From> = {}): Promise<RegistrationReview> {
  const email = from.email ?? `${newName()}@example.com`;
  const { status, problem } = await register({ ...shared, ...from, email });
  assert.deepEqual([status, problem.code], [403, 'manual-review-required']);
  const [review, ...more] = await list(`?q=${encodeURIComponent(email)}`);
  assert.ok(review && more.length === 0);
  return review;
}

describe('a registration that waits', () => {
  it('is listed with why, from where, and the 24 hours that the person was promised', async () => {
    const review = await waiting();
    const { id: _, createdAt, dueAt, secondsLeft, ...rest } = review;
    assert.deepEqual(rest, {
      email: review.email,
      flags: ['shared-device'],
      ipAddress: shared.address,
      status: 'open',
      decidedAt: null,
      adminEmail: null,
      decisionReason: null,
    });
    assert.equal(Date.parse(dueAt) - Date.parse(createdAt), 24 * 3_600_000);
    assert.ok(secondsLeft !== null && secondsLeft > 86_000 && secondsLeft <= 86_400, String(secondsLeft));
  });

  it('names a banned member on the device, and the accounts that used it, last seen first', async () => {
    const device = await sharedDevice();
    const [first = '', second = '', third = ''] = device.memberIds;
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${Number(second)}`);
    await site.owner.rows(sql`
      update access.devices set last_seen_at = last_seen_at + interval '1 minute' where member_id = ${Number(first)}`);
    const review = await waiting(device);
    assert.deepEqual(review.flags, ['shared-device', 'banned-member']);
    const { accounts, owner, isOwn } = (await details(review.id)).body;
    assert.deepEqual(
      accounts.map(({ id, role }: { id: string; role: string }) => [id, role]),
      [
        [first, 'user'],
        [third, 'user'],
        [second, 'banned'],
      ],
    );
    assert.deepEqual([owner, isOwn], [null, false]);
    assert.deepEqual(Object.keys(accounts[0]).sort(), ['createdAt', 'email', 'id', 'name', 'role']);
  });

  it('is found by its e-mail address, its number and its network address, and by its state', async () => {
    const device = await sharedDevice();
    const one = await waiting(device);
    const other = await waiting(device);
    const idsOf = async (query: string) => (await list(query)).map(({ id }) => id);
    assert.deepEqual(await idsOf(`?q=${device.address}`), [other.id, one.id]);
    assert.deepEqual(await idsOf(`?q=${device.address}&sort=createdAt`), [one.id, other.id]);
    assert.deepEqual(await idsOf(`?q=${one.email.toUpperCase()}`), [one.id]);
    assert.equal((await decide(one.id, 'reject', { reason: 'The same person' })).status, 200);
    for (const [status, ids] of [
      ['open', [other.id]],
      ['rejected', [one.id]],
      ['approved', []],
    ] as const)
      assert.deepEqual(await idsOf(`?status=${status}&q=${device.address}`), ids, status);
    const csv = await site.call('GET', `${LIST}?format=csv&q=${one.email}`, { as: operator });
    assert.match(csv.body, /^id,email,flags,ipAddress,status,createdAt,dueAt,secondsLeft,decidedAt,/);
    assert.match(csv.body, /rejected/);
  });

  it('keeps the facts of the first try', async () => {
    const review = await waiting();
    const { status } = await register({ device: 'another one', address: '45.91.3.3', email: review.email });
    assert.equal(status, 403);
    const [kept] = await list(`?q=${review.email}`);
    assert.deepEqual([kept?.flags, kept?.ipAddress], [['shared-device'], shared.address]);
  });

  it('is there for operators only, and not found by an unknown number', async () => {
    const { id } = await waiting();
    const member = await site.member();
    for (const [method, path, body] of [
      ['GET', LIST],
      ['GET', `${LIST}/${id}`],
      ['POST', `${LIST}/${id}/approve`, {}],
      ['POST', `${LIST}/${id}/reject`, { reason: 'None' }],
    ] as const) {
      assert.equal((await site.call(method, path, { body: body ?? undefined })).status, 401, path);
      assert.equal(
        (await site.call(method, path, { as: member, body: body ?? undefined })).status,
        403,
        path,
      );
    }
    for (const unknown of ['999999999', 'none', '0']) {
      assert.equal((await details(unknown)).status, 404, unknown);
      assert.equal((await decide(unknown, 'approve')).status, 404, unknown);
      assert.equal((await decide(unknown, 'reject', { reason: 'None' })).status, 404, unknown);
    }
    assert.equal((await list(`?q=${id}`))[0]?.status, 'open');
  });
});

describe('a decision', () => {
  it('allows the address to register, with a mail, and leaves one act with its reason', async () => {
    const { id, email } = await waiting();
    const { status, body } = await decide(id, 'approve', { reason: ' A family with one computer ' });
    assert.equal(status, 200);
    assert.deepEqual(
      [body.status, body.adminEmail, body.decisionReason, body.secondsLeft],
      ['approved', operator.email, 'A family with one computer', null],
    );
    assert.ok(body.decidedAt);
    assert.deepEqual(await actsOn(id), [
      {
        act: 'registration.approve',
        operatorId: operator.id,
        reason: 'A family with one computer',
        before: { status: 'open' },
        after: { status: 'approved' },
      },
    ]);
    const [mail] = await untilMails(site, email, 1);
    assert.equal(mail?.subject, 'You can register at Earnest');
    assert.ok(mail?.text.includes(`${site.origin}/auth?tab=register`), mail?.text);
    assert.ok(!mail?.text.includes('family'), 'the reason is for operators');
    assert.equal((await register({ ...shared, email })).status, 201);
  });

  it('refuses the address, with a mail in the person’s language, and not without a reason', async () => {
    const { id, email } = await waiting({ language: 'ko-KR,ko;q=0.9' });
    for (const body of [undefined, {}, { reason: ' ' }, { reason: 'x'.repeat(501) }])
      assert.equal((await decide(id, 'reject', body)).status, 400, JSON.stringify(body));
    assert.deepEqual(await actsOn(id), []);
    const { status, body } = await decide(id, 'reject', { reason: 'A banned person' });
    assert.deepEqual([status, body.status], [200, 'rejected']);
    const [act, ...more] = await actsOn(id);
    assert.deepEqual([act?.act, act?.reason, more.length], ['registration.reject', 'A banned person', 0]);
    const [mail] = await untilMails(site, email, 1);
    assert.equal(mail?.subject, 'Earnest 가입 검토 결과');
    assert.match(mail?.text ?? '', /support@/);
    assert.ok(!mail?.text.includes('A banned person'), 'the reason is for operators');
    const again = await register({ ...shared, email });
    assert.deepEqual([again.status, again.problem.code], [403, 'registration-not-allowed']);
  });

  it('needs no reason to allow', async () => {
    const { id } = await waiting();
    assert.equal((await decide(id, 'approve')).status, 200);
    assert.equal((await actsOn(id))[0]?.reason, null);
  });

  it('is made once, whoever of many operators is first', async () => {
    const { id, email } = await waiting();
    const other = await site.member({ role: 'admin' });
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        index % 2 === 0 ? decide(id, 'approve') : decide(id, 'reject', { reason: 'A copy' }, other),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409, 409, 409]);
    for (const { status, problem } of answers)
      if (status === 409) assert.equal(problem.code, 'already-decided');
    assert.equal((await actsOn(id)).length, 1);
    await untilMails(site, email, 1);
    await new Promise((resolve) => setTimeout(resolve, 500));
    assert.equal((await mailsTo(site, email)).length, 1);
  });

  it('mails an address that has an account already how to log in', async () => {
    const { email, id: memberId } = await site.member();
    const { id } = await waiting({ email });
    assert.equal((await details(id)).body.owner.id, String(memberId));
    assert.equal((await decide(id, 'approve')).status, 200);
    const [mail] = await untilMails(site, email, 1);
    assert.equal(mail?.subject, 'You already have an account at Earnest');
  });

  it('allows nothing from a device of the operator’s own, who may refuse it', async () => {
    const own = await sharedDevice();
    const insider = await site.member({ role: 'admin' });
    await site.owner.rows(sql`
      update access.devices set member_id = ${insider.id} where member_id = ${Number(own.memberIds[0])}`);
    const { id } = await waiting(own);
    assert.equal((await details(id, insider)).body.isOwn, true);
    const refused = await decide(id, 'approve', {}, insider);
    assert.deepEqual([refused.status, refused.problem.code], [409, 'own-request']);
    assert.deepEqual(await actsOn(id), []);
    assert.equal((await decide(id, 'reject', { reason: 'My own' }, insider)).status, 200);
    const other = await waiting(own);
    assert.equal((await decide(other.id, 'approve')).status, 200);
  });

  it('allows nothing with a mailbox of the operator’s own, however its address is spelled', async () => {
    const insider = await site.member({ role: 'admin' });
    const { id } = await waiting({ email: insider.email.replace('@', '+second@') });
    assert.equal((await details(id, insider)).body.isOwn, true);
    assert.equal((await details(id)).body.isOwn, false);
    assert.equal((await decide(id, 'approve', {}, insider)).problem.code, 'own-request');
    assert.deepEqual(await actsOn(id), []);
    assert.equal((await decide(id, 'approve')).status, 200);
  });

  it('knows the operator’s own device, however many members used it since', async () => {
    const own = await sharedDevice();
    const [first] = own.memberIds;
    const insider = await site.member({ role: 'admin' });
    await site.owner.rows(sql`
      update access.devices set member_id = ${insider.id}, last_seen_at = last_seen_at - interval '1 day'
      where member_id = ${Number(first)}`);
    for (let more = 1; more <= 20; more += 1) {
      const { id } = await site.member();
      await site.owner.rows(sql`
        insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
        select fingerprint_hash, ${id}, address, fields, platform.business_now(), platform.business_now()
        from access.devices where member_id = ${insider.id} and address = ${own.address}::inet`);
    }
    const { id } = await waiting(own);
    const { accounts, isOwn } = (await details(id, insider)).body;
    assert.deepEqual([accounts.length, accounts[0].id, isOwn], [20, String(insider.id), true]);
    assert.equal((await decide(id, 'approve', {}, insider)).problem.code, 'own-request');
  });
});

describe('the 24 hours', () => {
  it('are over by the site’s clock, in the list, its filter, the overview and the rail', async () => {
    await site.owner.rows(sql`delete from access.registration_reviews`);
    const late = await waiting();
    const read = async (path: string) =>
      (await site.call('GET', `/api/admin/${path}`, { as: operator })).body;
    const wait = async () =>
      (await read('overview')).waits.find(({ kind }: { kind: string }) => kind === 'registrations');
    assert.equal((await read('waiting')).registrations, 1);
    assert.deepEqual([(await wait()).count, (await wait()).urgency], [1, 'inTime']);
    assert.equal((await wait()).dueAt, late.dueAt);

    await passTime(20n);
    assert.equal((await wait()).urgency, 'soon');
    const young = await waiting();
    await passTime(5n);
    assert.equal((await wait()).urgency, 'late');
    assert.deepEqual([(await wait()).count, (await wait()).points], [2, null]);

    const [first, second] = await list('?status=open&sort=createdAt');
    assert.deepEqual([first?.id, second?.id], [late.id, young.id]);
    assert.ok((first?.secondsLeft ?? 0) < -3_500 && (second?.secondsLeft ?? 0) > 60_000);
    assert.deepEqual(
      (await list('?clock=overdue')).map(({ id }) => id),
      [late.id],
    );
    assert.deepEqual(
      (await list('?clock=in-time')).map(({ id }) => id),
      [young.id],
    );

    assert.equal((await decide(late.id, 'reject', { reason: 'Late' })).status, 200);
    assert.deepEqual(await list('?clock=overdue'), []);
    assert.equal((await read('waiting')).registrations, 1);
    assert.equal((await wait()).urgency, 'inTime');
    assert.equal((await decide(young.id, 'approve')).status, 200);
    assert.equal((await read('waiting')).registrations, 0);
    assert.equal(await wait(), undefined);
  });

  it('are named by the palette, which opens the registration by its address', async () => {
    const { id, email } = await waiting();
    const find = async () =>
      (await site.call('GET', `/api/admin/search?q=${email.toUpperCase()}`, { as: operator })).body;
    const link = '/management-panel-x7k9w/registrations';
    assert.deepEqual(await find(), [{ kind: 'registration', id, title: email, link: `${link}?open=${id}` }]);
    assert.equal((await decide(id, 'approve')).status, 200);
    assert.equal((await find())[0].link, `${link}?status=all&open=${id}`);
  });
});

/** Moves business time. The operators' sessions stay new. */
async function passTime(hours: bigint): Promise<void> {
  await advanceClock(site.owner, hours * 3_600n);
  await site.owner.rows(sql`
    update access.sessions set created_at = platform.business_now(), last_seen_at = platform.business_now()`);
}
