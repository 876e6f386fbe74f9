import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Decision, decision, listedAppeal } from '#contract/decisions.ts';
import { sql } from '#platform/database.ts';
import { sessionCookieName } from '#platform/http/caller.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { openSession } from '../access/sessions.ts';
import { anonymiseDeleted } from '../members/account-deletion.ts';
import { deleteOldAppeals, forgetAppeals } from './decisions.ts';
import { exportAppeals } from './export.ts';

/** Members read the decisions about them and appeal; operators answer. */
const site = await testSite({ after });
const { owner, platform } = site;
const maker = await site.member({ role: 'admin' });
const answerer = await site.member({ role: 'admin' });

const call = (method: string, path: string, as: Person, body?: unknown) =>
  site.call(method, path, { as, ...(body === undefined ? {} : { body }) });

async function suspend(member: Person, more: Record<string, unknown> = {}): Promise<string> {
  const body = { userId: String(member.id), reason: 'Two accounts', ...more };
  const made = await call('POST', '/api/admin/suspend-user', maker, body);
  assert.equal(made.status, 201);
  return `suspension-${made.body.id}`;
}

async function ban(member: Person): Promise<string> {
  const body = { userId: String(member.id), reason: 'Begging for codes', duration: '1day' };
  return `ban-${(await call('POST', '/api/admin/chat-bans', maker, body)).body.id}`;
}

/** The member with a new session, because the others were ended; after a denial as if the password were reset. */
async function signedInAgain(member: Person): Promise<Person> {
  await owner.rows(sql`update members.members set awaits_reset = false where id = ${member.id}`);
  const token = await platform.database.transaction((tx) => openSession(tx, member.id, 'test', '127.0.0.1'));
  return { ...member, cookie: `${sessionCookieName(site.origin)}=${token}` };
}

const decisionsOf = async (as: Person): Promise<Decision[]> =>
  (await call('GET', '/api/user/decisions', as)).body;
const appeal = (id: string, as: Person, text = 'My brother and I share a computer.') =>
  call('POST', `/api/user/decisions/${id}/appeal`, as, { text });
const answer = (id: string, as: Person, uphold = false, reason = 'Two people, one household.') =>
  call('POST', `/api/admin/decisions/${id}/appeal-decision`, as, { uphold, reason });
const appeals = async (query = '') => (await call('GET', `/api/admin/decisions?${query}`, answerer)).body;
const newestNotice = async ({ id }: Person) =>
  owner.one<{ facts: object; count: bigint }>(sql`
    select facts, count(*) over () as count from notices.notices where member_id = ${id}
    order by member_number desc limit 1`);

function refused({ status, problem }: Answer, wanted: number, code: string): void {
  assert.deepEqual([status, problem.code], [wanted, code]);
}

describe('a member', () => {
  it('reads suspensions and bans, newest first, with their reasons and ends', async () => {
    const member = await site.member();
    assert.deepEqual(await decisionsOf(member), []);
    const [first, second] = [
      await suspend(member, { suspensionType: 'withdrawal_blocked' }),
      await ban(member),
    ];
    const [banned, suspended, ...others] = await decisionsOf(member);
    assert.deepEqual(others, []);
    assert.deepEqual(decision.strict().parse(suspended), {
      id: first,
      kind: 'withdrawal_blocked',
      reason: 'Two accounts',
      rule: null,
      subject: null,
      createdAt: suspended?.createdAt,
      expiresAt: null,
      liftedAt: null,
      isActive: true,
      isOwnWord: false,
      canAppeal: true,
      appealUntil: null,
      appeal: null,
    });
    assert.deepEqual([banned?.id, banned?.kind, banned?.reason], [second, 'chat_ban', 'Begging for codes']);
    assert.ok(banned?.expiresAt);
  });

  it('appeals once, also by twenty calls at the same time, and is promised a time', async () => {
    const member = await site.member();
    const id = await suspend(member);
    const answers = await Promise.all(Array.from({ length: 20 }, () => appeal(id, member)));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    for (const one of answers) if (one.status !== 201) refused(one, 409, 'already-exists');
    const own = made[0]?.body.appeal;
    assert.equal(own.status, 'open');
    assert.ok(Date.parse(own.answerBy) - Date.parse(own.createdAt) >= 47 * 3_600_000, own.answerBy);
    assert.deepEqual(await decisionsOf(member), [made[0]?.body]);
    await answer(id, answerer, true);
    refused(await appeal(id, member), 409, 'already-exists');
  });

  it('is refused another’s decision, one that has ended, and a text that is blank or long', async () => {
    const [member, other] = [await site.member(), await site.member()];
    const id = await suspend(member);
    for (const unknown of [await ban(other), 'suspension-999999', 'ban-999999'])
      refused(await appeal(unknown, member), 404, 'not-found');
    for (const text of [' ', 'x'.repeat(2_001)])
      refused(await appeal(id, member, text), 400, 'invalid-request');
    refused(await appeal('suspension-0', member), 404, 'not-found');
    const lifted = { liftReason: 'Cleared up' };
    await call('POST', `/api/admin/lift-suspension/${id.split('-')[1]}`, maker, lifted);
    refused(await appeal(id, member), 409, 'already-decided');
    const [ended] = await decisionsOf(member);
    assert.deepEqual([ended?.isActive, ended?.canAppeal, ended?.liftedAt === null], [false, false, false]);
  });

  it('can’t appeal against the block of their own word, which ends after a new password', async () => {
    const member = await site.member();
    assert.equal((await call('POST', '/api/user/not-me', member)).status, 204);
    const again = await signedInAgain(member);
    const [own] = await decisionsOf(again);
    assert.deepEqual([own?.isOwnWord, own?.canAppeal, own?.kind], [true, false, 'withdrawal_blocked']);
    refused(await appeal(own?.id ?? '', again), 403, 'forbidden');
  });
});

describe('an operator', () => {
  it('overturns a full suspension of a member who appealed while suspended: role and acts are back', async () => {
    const member = await site.member({ balancePoints: 2_000n, isPhoneVerified: true });
    const id = await suspend(member, { suspensionType: 'full_suspension', severity: 'permanent' });
    const suspended = await signedInAgain(member);
    const flip = () => call('POST', '/api/coin-flip', suspended, { betAmount: 100, playerChoice: 'heads' });
    refused(await flip(), 403, 'account-suspended');
    assert.equal((await appeal(id, suspended)).status, 201);
    assert.equal((await decisionsOf(suspended))[0]?.appeal?.status, 'open');
    const { count: before } = await newestNotice(member);

    const answered = await answer(id, answerer);
    assert.equal(answered.status, 200, JSON.stringify(answered.body));
    const { decidedByEmail, answeredByEmail, status, isActive } = listedAppeal.strict().parse(answered.body);
    assert.deepEqual(
      [decidedByEmail, answeredByEmail, status, isActive],
      [maker.email, answerer.email, 'overturned', false],
    );
    const { role } = await owner.one<{ role: string }>(
      sql`select role from members.members where id = ${member.id}`,
    );
    assert.equal(role, 'user');
    assert.notEqual((await flip()).problem?.code, 'account-suspended');
    const { facts, count } = await newestNotice(member);
    assert.deepEqual(
      [facts, count - before],
      [
        {
          decision: 'appeal-answered',
          outcome: 'overturned',
          about: 'full_suspension',
          reason: 'Two people, one household.',
        },
        1n,
      ],
    );
    refused(await answer(id, answerer, true), 409, 'already-decided');
  });

  it('overturns a block of withdrawals and a ban, and upholds one, which stays', async () => {
    const member = await site.member();
    const ids = [await suspend(member, { suspensionType: 'withdrawal_blocked' }), await ban(member)];
    const kept = await suspend(member);
    for (const id of [...ids, kept]) await appeal(id, member);
    for (const id of ids) assert.equal((await answer(id, answerer)).body.isActive, false);
    assert.equal((await answer(kept, answerer, true, 'The same device')).body.isActive, true);
    const { earning, withdrawal } = await owner.one<{ earning: string | null; withdrawal: string | null }>(
      sql`select earning, withdrawal from members.refusals(${member.id})`,
    );
    assert.deepEqual([earning, withdrawal], ['earnings-suspended', null]);
    const message = await call('POST', '/api/chat/messages', member, { channelId: '1', content: 'Hello' });
    assert.equal(message.status, 201);
    const [last] = await decisionsOf(member);
    assert.deepEqual(
      [last?.id, last?.isActive, last?.appeal?.status, last?.appeal?.answer],
      [kept, true, 'upheld', 'The same device'],
    );
  });

  it('doesn’t answer an appeal against their own decision while there is another operator', async () => {
    const member = await site.member();
    const id = await suspend(member);
    refused(await answer(id, maker), 404, 'not-found');
    await appeal(id, member);
    refused(await answer(id, maker), 409, 'own-request');
    assert.equal((await decisionsOf(member))[0]?.isActive, true);
    const setRole = (role: string) =>
      owner.rows(sql`update members.members set role = ${role} where id = ${answerer.id}`);
    await setRole('user');
    const alone = await answer(id, maker);
    await setRole('admin');
    assert.equal(alone.status, 200, 'the only operator may');
  });

  it('sees open appeals first, the late ones on top, and the member reads that the answer is late', async () => {
    const member = await site.member();
    const [early, late] = [await suspend(member), await ban(member)];
    for (const id of [early, late]) await appeal(id, member);
    await owner.rows(sql`
      update decisions.appeals set answer_by = '2020-01-03T10:00Z' where source = 'ban'
        and source_id = ${BigInt(late.split('-')[1] ?? '')}`);
    const [first, second, ...others] = await appeals();
    assert.deepEqual([first.id, first.isLate, second.id, second.isLate], [late, true, early, false]);
    assert.ok(others.length > 0 && others.every(({ status }: { status: string }) => status !== 'open'));
    assert.equal((await decisionsOf(member))[0]?.appeal?.isLate, true);
    for (const q of [late, String(member.id), member.email])
      assert.equal((await appeals(`status=open&q=${q}`))[0].id, late, q);
    assert.deepEqual(
      (await appeals(`id=${early}`)).map(({ id }: { id: string }) => id),
      [early],
    );
    assert.deepEqual(await appeals('q=suspension-0'), []);
    assert.equal((await call('GET', '/api/admin/waiting', answerer)).body.appeals, 2);
    const { waits } = (await call('GET', '/api/admin/overview', answerer)).body;
    const { count, dueAt } = waits.find(({ kind }: { kind: string }) => kind === 'appeals');
    assert.ok(count === 2 && dueAt !== null);
    await Promise.all([early, late].map((id) => answer(id, answerer, true)));
  });
});

describe('what is kept', () => {
  it('is exported to its member, goes with the account and after three years', async () => {
    const [leaving, staying] = [await site.member(), await site.member()];
    for (const member of [leaving, staying]) {
      const id = await suspend(member);
      await appeal(id, member);
      await answer(id, answerer, true);
    }
    const exported = [];
    for await (const row of exportAppeals(owner, leaving.id)) exported.push(row as { answer: string });
    assert.deepEqual(
      exported.map((row) => row.answer),
      ['Two people, one household.'],
    );
    const countOf = async ({ id }: Person) =>
      (
        await owner.one<{ rows: bigint }>(
          sql`select count(*) as rows from decisions.appeals where member_id = ${id}`,
        )
      ).rows;
    await platform.database.transaction((tx) => forgetAppeals(tx, staying.id));
    assert.equal(await countOf(staying), 1n, 'an account that nobody deleted');
    await call('DELETE', `/api/admin/users/${leaving.id}`, maker);
    await owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${8 * 86_400}`);
    await anonymiseDeleted(platform.database, forgetAppeals);
    assert.equal(await countOf(leaving), 0n);
    const { signal } = new AbortController();
    await deleteOldAppeals(platform, signal);
    assert.equal(await countOf(staying), 1n);
    await owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${3 * 366 * 86_400}`);
    await deleteOldAppeals(platform, signal);
    assert.equal(await countOf(staying), 0n);
  });
});
