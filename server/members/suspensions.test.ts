import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { type Person, testSite } from '../../test/site.ts';
import { openSession } from '../access/sessions.ts';

/** Suspensions by operators. What each type blocks is tested in `restrictions.test.ts` and beside what is blocked. */
const site = await testSite({ after });
const { owner } = site;
const operator = await site.member({ role: 'admin' });
const colleague = await site.member({ role: 'admin' });

const suspend = (member: Pick<Person, 'id'>, more: Record<string, unknown> = {}, as = operator) =>
  site.call('POST', '/api/admin/suspend-user', {
    as,
    body: { userId: String(member.id), reason: 'Two accounts', ...more },
  });
const lift = (id: string, as = operator) =>
  site.call('POST', `/api/admin/lift-suspension/${id}`, { as, body: { liftReason: 'Cleared up' } });
const roleOf = async ({ id }: Person) =>
  (await owner.one<{ role: string }>(sql`select role from members.members where id = ${id}`)).role;
const noticesOf = ({ id }: Person) =>
  owner.rows<{ kind: string; facts: Record<string, unknown> }>(
    sql`select kind, facts from notices.notices where member_id = ${id} order by member_number`,
  );
const soon = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

describe('suspending a member', () => {
  it('§2-3 suspension: has the specified defaults, tells the member, and is listed', async () => {
    const member = await site.member();
    const { status, body } = await suspend(member);
    assert.equal(status, 201);
    const { id, createdAt: _, ...rest } = body;
    assert.deepEqual(rest, {
      userId: String(member.id),
      userFirstName: 'Test',
      userLastName: null,
      userName: 'Test',
      userEmail: member.email,
      reason: 'Two accounts',
      severity: 'warning',
      suspensionType: 'earnings_blocked',
      expiresAt: null,
      isActive: true,
      isOwnWord: false,
      liftedAt: null,
      liftReason: null,
      adminEmail: operator.email,
      liftedByEmail: null,
    });
    assert.equal((await site.call('GET', '/api/daily-bonus', { as: member })).status, 200);
    const claim = await site.call('POST', '/api/daily-bonus/claim', { as: member });
    assert.equal(claim.problem.code, 'earnings-suspended');
    assert.deepEqual(await noticesOf(member), [
      {
        kind: 'decision',
        facts: {
          decision: 'suspended',
          suspensionType: 'earnings_blocked',
          reason: 'Two accounts',
          expiresAt: null,
        },
      },
    ]);
    for (const q of [id, String(member.id), member.email]) {
      const { body: found } = await site.call('GET', `/api/admin/suspensions?q=${q}`, { as: operator });
      assert.deepEqual([found.length, found[0].id], [1, id]);
    }
    const record = (await site.call('GET', `/api/admin/users/${member.id}`, { as: operator })).body;
    assert.deepEqual([record.isBlocked, record.suspensions[0].id], [true, id]);
  });

  it('fully ends the sessions; after a new sign-in little is open', async () => {
    const member = await site.member();
    await suspend(member, { suspensionType: 'full_suspension', severity: 'temporary', expiresAt: soon(2) });
    assert.equal((await site.call('GET', '/api/user/stats', { as: member })).status, 401);
    assert.equal(await roleOf(member), 'user');
  });

  it('§2-4 suspension: for good and fully makes a member banned, until it is lifted', async () => {
    const member = await site.member();
    const { body } = await suspend(member, { suspensionType: 'full_suspension', severity: 'permanent' });
    const partial = await suspend(member, { severity: 'permanent' });
    assert.equal(await roleOf(member), 'banned');
    await lift(partial.body.id);
    assert.equal(await roleOf(member), 'banned');
    await lift(body.id);
    assert.equal(await roleOf(member), 'user');
  });

  it('§2-5 suspending: is refused for operators, closed accounts, an impossible end, a blank reason', async () => {
    const member = await site.member();
    for (const [more, path] of [
      [{ expiresAt: soon(-1) }, 'expiresAt'],
      [{ expiresAt: soon(1), severity: 'permanent' }, 'expiresAt'],
      [{ expiresAt: 'tomorrow' }, 'expiresAt'],
      [{ expiresAt: '0000-01-01T00:00:00Z' }, 'expiresAt'],
      [{ expiresAt: '9999-12-31T23:59:59-00:01' }, 'expiresAt'],
      [{ reason: ' ' }, 'reason'],
      [{ severity: 'mild' }, 'severity'],
    ] as const) {
      const { status, problem } = await suspend(member, more);
      assert.deepEqual([status, problem.errors?.[0]?.path], [400, path]);
    }
    assert.equal((await suspend(colleague)).problem.code, 'forbidden');
    assert.equal((await suspend(operator)).problem.code, 'forbidden');
    assert.equal((await suspend({ id: 999_999_999 })).problem.code, 'unknown-member');
    await site.call('DELETE', `/api/admin/users/${member.id}`, { as: operator });
    assert.equal((await suspend(member)).problem.code, 'unknown-member');
    assert.equal((await suspend(colleague, {}, member)).status, 401);
  });
});

describe('two operators at once', () => {
  it('§2-7 suspensions: suspend a member once, and lift once', async () => {
    const member = await site.member();
    const both = [operator, colleague];
    const answers = await Promise.all([...both, ...both].map((as) => suspend(member, {}, as)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409, 409]);
    const id = answers.find(({ status }) => status === 201)?.body.id;
    const lifts = await Promise.all([...both, ...both].map((as) => lift(id, as)));
    assert.deepEqual(lifts.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    assert.equal(lifts.find(({ status }) => status === 409)?.problem.code, 'already-decided');
    assert.deepEqual(
      (await noticesOf(member)).map(({ facts }) => facts.decision),
      ['suspended', 'lifted'],
    );
    const acts = await owner.rows<{ act: string }>(sql`
      select act from platform.acts where target = ${String(member.id)} order by id`);
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['member.suspend', 'member.lift-suspension'],
    );
  });
});

describe('the end of a suspension', () => {
  it('comes by itself, and then it can’t be lifted but begun anew', async () => {
    const member = await site.member();
    const { body } = await suspend(member, { expiresAt: soon(1) });
    await owner.rows(
      sql`update members.suspensions set expires_at = platform.business_now() where id = ${body.id}::bigint`,
    );
    assert.equal((await lift(body.id)).problem.code, 'already-decided');
    assert.equal((await lift('999999999')).status, 404);
    assert.equal((await suspend(member)).status, 201);
    const statesOf = async (state: string) =>
      (
        await site.call('GET', `/api/admin/suspensions?state=${state}&q=${member.id}`, { as: operator })
      ).body.map(({ isActive }: { isActive: boolean }) => isActive);
    assert.deepEqual([await statesOf('active'), await statesOf('ended')], [[true], [false]]);
  });

  it('is brought by no operator to the block of their own denial', async () => {
    const denying = await site.member({ role: 'admin' });
    assert.equal((await site.call('POST', '/api/user/not-me', { as: denying })).status, 204);
    const { body } = await site.call('GET', `/api/admin/suspensions?q=${denying.id}`, { as: operator });
    const [{ id }] = body;
    // As after a reset by mail, which leaves the block for a day.
    await owner.rows(sql`update members.members set awaits_reset = false where id = ${denying.id}`);
    const token = await site.database.transaction((tx) => openSession(tx, denying.id, 'test', '127.0.0.1'));
    const again = { ...denying, cookie: `${sessionCookieName(site.origin)}=${token}` };
    const own = await lift(id, again);
    assert.deepEqual([own.status, own.problem.code], [409, 'own-request']);
    assert.equal((await lift(id)).status, 200);
  });

  it('§2-5 lifting a suspension: needs a reason', async () => {
    const { body } = await suspend(await site.member());
    const answer = await site.call('POST', `/api/admin/lift-suspension/${body.id}`, {
      as: operator,
      body: { liftReason: ' ' },
    });
    assert.equal(answer.status, 400);
  });
});
