import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { type Person, testSite } from '../../test/site.ts';
import { siteChecks } from '../books.ts';
import { runChecks } from '../ledger/ledger.ts';
import { decideGrant, givePoints } from './grants.ts';

/** Points that operators give: once, not to themselves, and large sums by two of them. */
const site = await testSite({ after });
const { platform, owner } = site;
let operator = await site.member({ role: 'admin' });
const colleague = await site.member({ role: 'admin' });

// What an operator gave counts for the day, so each test has an operator of its own.
beforeEach(async () => {
  operator = await site.member({ role: 'admin' });
});

const setSum = (secondPersonFrom: string | null) =>
  changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom } });
const balanceOf = async ({ id }: Person): Promise<bigint> =>
  (await owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;
const soundBooks = async () => assert.deepEqual(await runChecks(owner, siteChecks), []);
const give = (member: Person, amount: number, more: { as?: Person; key?: string; reason?: string } = {}) =>
  site.call('POST', '/api/admin/give-points', {
    as: more.as ?? operator,
    body: { userId: String(member.id), amount, reason: more.reason ?? 'For the survey that closed halfway' },
    ...(more.key === undefined ? {} : { headers: { 'idempotency-key': more.key } }),
  });
const decide = (id: string, decision: 'confirm' | 'decline', as: Person) =>
  site.call('POST', `/api/admin/manual-rewards/${id}/${decision}`, {
    as,
    ...(decision === 'decline' ? { body: { reason: 'Not agreed' } } : {}),
  });
/** As the deletion of an account does. */
async function leave({ id }: Person): Promise<void> {
  await owner.rows(sql`select ledger.close_wallet(${id})`);
  await owner.rows(sql`
    update members.members set deleted_at = platform.business_now(), password_hash = null where id = ${id}`);
}
const actsOf = ({ id }: Person) =>
  owner.rows<{ act: string; operator: number | null; reason: string | null }>(sql`
    select act, operator_id as operator, reason from platform.acts
    where target = ${String(id)} and act like 'points.%' order by id`);
const noticesOf = ({ id }: Person) =>
  owner.rows<{ kind: string; facts: unknown }>(
    sql`select kind, facts from notices.notices where member_id = ${id} order by member_number`,
  );

describe('a grant', () => {
  it('§2-3 manual reward: books the points with the act and the member’s notice, and is listed', async () => {
    const member = await site.member();
    const given = await give(member, 500);
    assert.equal(given.status, 201);
    const { id, createdAt, userName: _, userFirstName: __, userLastName: ___, ...rest } = given.body;
    assert.deepEqual(rest, {
      userId: String(member.id),
      userEmail: member.email,
      amount: 500,
      reason: 'For the survey that closed halfway',
      adminEmail: operator.email,
      status: 'completed',
      adminId: String(operator.id),
      decidedByEmail: null,
      decidedAt: null,
      declineReason: null,
    });
    assert.equal(await balanceOf(member), 500n);
    const reason = 'For the survey that closed halfway';
    assert.deepEqual(await actsOf(member), [{ act: 'points.grant', operator: operator.id, reason }]);
    assert.deepEqual(await noticesOf(member), [{ kind: 'granted', facts: { amount: '500', reason } }]);
    for (const q of [id, String(member.id), member.email, operator.email]) {
      const { body, headers } = await site.call('GET', `/api/admin/manual-rewards?q=${q}`, { as: operator });
      assert.deepEqual([headers.get('x-total-count'), body[0].id, body[0].amount], ['1', id, '500'], q);
      assert.equal(body[0].createdAt, createdAt);
    }
    const { body: history } = await site.call('GET', '/api/user/history', { as: member });
    assert.deepEqual([history.data[0].kind, history.data[0].description], ['grant', reason]);
  });

  it('reaches a member by e-mail address, whose name and balance can be looked at before', async () => {
    const member = await site.member({ balancePoints: 40n });
    const look = (who: string) =>
      site.call('GET', `/api/admin/manual-rewards/receiver?member=${encodeURIComponent(who)}`, {
        as: operator,
      });
    for (const who of [String(member.id), member.email.toUpperCase()]) {
      const { body } = await look(who);
      assert.deepEqual(body, { id: String(member.id), name: 'Test', email: member.email, balance: '40' });
    }
    const unknown = await look('nobody@example.com');
    assert.deepEqual([unknown.status, unknown.problem.code], [404, 'unknown-member']);
    const body = { userId: member.email, amount: 2, reason: 'Prize' };
    assert.equal((await site.call('POST', '/api/admin/give-points', { as: operator, body })).status, 201);
    assert.equal(await balanceOf(member), 42n);
  });

  it('§2-5 manual reward: is refused without 1 to 10,000,000 points, reason or member, and to oneself', async () => {
    const member = await site.member();
    for (const amount of [0, -1, 1.5, 10_000_001])
      assert.equal((await give(member, amount)).status, 400, `${amount}`);
    assert.equal((await give(member, 5, { reason: ' ' })).status, 400);
    const nobody = { ...member, id: 999_999_999 };
    assert.deepEqual(
      [(await give(nobody, 5)).status, (await give(operator, 5)).problem.code],
      [404, 'own-request'],
    );
    await leave(member);
    assert.equal((await give(member, 5)).problem.code, 'unknown-member');
    assert.equal((await give(member, 5, { as: member })).status, 403);
    assert.deepEqual([await balanceOf(member), await balanceOf(operator)], [0n, 0n]);
  });

  it('§2-7 manual rewards: books once under its key, also for 20 calls at once below HTTP', async () => {
    const member = await site.member();
    const [first, again] = [await give(member, 300, { key: 'one' }), await give(member, 300, { key: 'one' })];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.deepEqual([again.body, again.headers.get('idempotent-replayed')], [first.body, 'true']);
    assert.equal((await give(member, 301, { key: 'one' })).problem.code, 'idempotency-mismatch');
    const request = {
      who: member.email,
      amountPoints: 7n,
      reason: 'Prize',
      actor: operator.id,
      key: 'two',
    };
    const calls = await Promise.all(Array.from({ length: 20 }, () => givePoints(platform, request)));
    assert.equal(new Set(calls.map(({ id }) => id)).size, 1);
    await assert.rejects(givePoints(platform, { ...request, amountPoints: 8n }), {
      code: 'idempotency-mismatch',
    });
    // The key belongs to its operator.
    await givePoints(platform, { ...request, actor: colleague.id });
    assert.equal(await balanceOf(member), 314n);
    assert.equal((await actsOf(member)).length, 3);
    assert.equal((await noticesOf(member)).length, 3);
  });
});

describe('a grant from the sum for two people on', () => {
  it('moves no points before another operator confirms it, who is not its receiver', async () => {
    await setSum('5000');
    const receiver = await site.member({ role: 'admin' });
    const given = await give(receiver, 5_000);
    assert.deepEqual([given.status, given.body.status], [201, 'pending']);
    const { id } = given.body;
    assert.deepEqual([await balanceOf(receiver), await noticesOf(receiver)], [0n, []]);
    for (const person of [operator, receiver])
      assert.equal((await decide(id, 'confirm', person)).problem.code, 'own-request');
    assert.equal(await balanceOf(receiver), 0n);
    const confirmed = await decide(id, 'confirm', colleague);
    assert.deepEqual(
      [confirmed.status, confirmed.body.status, confirmed.body.amount],
      [200, 'completed', '5000'],
    );
    assert.equal(confirmed.body.decidedByEmail, colleague.email);
    assert.equal(await balanceOf(receiver), 5_000n);
    const again = await decide(id, 'confirm', colleague);
    assert.deepEqual([again.status, again.problem.detail], [409, 'This grant was booked already.']);
    const acts = (await actsOf(receiver)).map(({ act }) => act);
    assert.deepEqual(acts, ['points.grant', 'points.confirm']);
    assert.deepEqual(
      (await noticesOf(receiver)).map(({ kind }) => kind),
      ['granted'],
    );
    await setSum(null);
  });

  it('books once for 20 confirmations and denials of two operators at once', async () => {
    await setSum('100');
    const others = [colleague, await site.member({ role: 'admin' })];
    for (let round = 0; round < 5; round += 1) {
      const member = await site.member();
      const { id } = (await give(member, 100)).body;
      const calls = Array.from({ length: 20 }, (_value, index) =>
        decideGrant(platform, {
          id: BigInt(id),
          decision: index % 4 === 3 ? 'decline' : 'confirm',
          operatorId: others[index % 2]?.id ?? 0,
          reason: index % 4 === 3 ? 'Not agreed' : null,
        }),
      );
      const decided = (await Promise.allSettled(calls)).filter(({ status }) => status === 'fulfilled');
      assert.equal(decided.length, 1);
      const { status } = (await site.call('GET', `/api/admin/manual-rewards?id=${id}`, { as: operator }))
        .body[0];
      assert.equal(await balanceOf(member), status === 'completed' ? 100n : 0n);
    }
    await setSum(null);
  });

  it('is declined with a reason, also by its giver, and moves nothing', async () => {
    await setSum('100');
    const member = await site.member();
    const { id } = (await give(member, 100)).body;
    const body = { reason: ' ' };
    const path = `/api/admin/manual-rewards/${id}/decline`;
    assert.equal((await site.call('POST', path, { as: operator, body })).status, 400);
    const declined = await decide(id, 'decline', operator);
    assert.deepEqual([declined.body.status, declined.body.declineReason], ['failed', 'Not agreed']);
    const confirmed = await decide(id, 'confirm', colleague);
    assert.deepEqual([confirmed.status, confirmed.problem.detail], [409, 'This grant was declined already.']);
    assert.deepEqual([await balanceOf(member), await noticesOf(member)], [0n, []]);
    assert.equal((await decide('999999', 'confirm', colleague)).status, 404);
    await setSum(null);
  });

  it('can’t be confirmed after its member left', async () => {
    await setSum('100');
    const member = await site.member();
    const { id } = (await give(member, 100)).body;
    await leave(member);
    assert.equal((await decide(id, 'confirm', colleague)).problem.code, 'unknown-member');
    assert.equal((await decide(id, 'decline', colleague)).status, 200);
    await setSum(null);
  });

  it('is also one of many small ones, whose sum of the day counts, for 30 at once', async () => {
    await setSum('1000');
    const members = await Promise.all(Array.from({ length: 6 }, () => site.member()));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_value, index) => give(members[index % 6] as Person, 90 + index)),
    );
    const alone = answers
      .filter(({ body }) => body.status === 'completed')
      .reduce((sum, { body }) => sum + body.amount, 0);
    assert.ok(alone < 1_000 && alone > 850, `${alone}`);
    const { body } = await site.call('GET', '/api/admin/manual-rewards/stats', { as: operator });
    assert.deepEqual([body.givenToday, body.secondPersonFrom], [String(alone), '1000']);
    const booked = await Promise.all(members.map(balanceOf));
    assert.equal(
      booked.reduce((sum, balance) => sum + balance, 0n),
      BigInt(alone),
    );
    assert.equal((await give(members[0] as Person, 90, { as: colleague })).body.status, 'completed');
    await setSum(null);
  });
});

it('leaves balanced books', soundBooks);
