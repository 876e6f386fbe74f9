import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { RecordedAct } from '#contract/audit-trail.ts';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { offerMethod } from './offered-methods.ts';
import { type Person, testSite } from './site.ts';

/** The operators' list of acts: its filters, its search and its export. */
const site = await testSite({ after });
await offerMethod(site.platform, 'litecoin');
const operator = await site.member({ role: 'admin' });
const call = (method: string, path: string, body?: unknown, as: Person = operator) =>
  site.call(method, path, body === undefined ? { as } : { as, body });

async function pendingWithdrawal(): Promise<string> {
  const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
  const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
  const request = { amountPoints: '1000', method: 'litecoin', recipientInfo };
  const asked = await call('POST', '/api/withdrawal', request, member);
  assert.equal(asked.status, 201);
  return asked.body.id;
}

async function trail(query = 'limit=100'): Promise<RecordedAct[]> {
  const { status, body } = await call('GET', `/api/admin/audit?${query}`);
  assert.equal(status, 200);
  return body.data;
}

describe('acts of operators', () => {
  it('are a list that operators filter, search and export, newest first', async () => {
    const id = await pendingWithdrawal();
    await call('POST', `/api/admin/withdrawals/${id}/reject`, { reason: 'Wrong address' });
    const [newest] = await trail('action=withdrawal.reject&limit=1');
    assert.ok(newest);
    const { at: _, id: __, ...row } = newest;
    assert.deepEqual(row, {
      operatorId: String(operator.id),
      actor: 'operator',
      action: 'withdrawal.reject',
      target: id,
      targetKind: 'withdrawal',
      memberId: row.memberId,
      memberName: row.memberName,
      memberEmail: row.memberEmail,
      reason: 'Wrong address',
      before: { status: 'pending' },
      after: { status: 'rejected' },
    });
    assert.deepEqual(await trail(`q=${id}`), [newest]);
    assert.equal((await trail(`q=${operator.id}&limit=1`)).length, 1);
    const csv = await call('GET', '/api/admin/audit?format=csv');
    assert.match(
      csv.body,
      /^id,at,operatorId,actor,action,target,targetKind,memberId,memberName,memberEmail,reason,before,after\r\n/,
    );
    assert.match(csv.body, /Wrong address/);
    assert.equal((await call('GET', '/api/admin/audit', undefined, await site.member())).status, 403);
  });

  it('are found by operator, target, site day and words, and exported with safe cells', async () => {
    const other = await site.member({ role: 'admin' });
    const id = await pendingWithdrawal();
    const reason = '=HYPERLINK("http://x") 주소를 다시 확인해 주세요, mina@example.com';
    await call('POST', `/api/admin/withdrawals/${id}/reject`, { reason }, other);
    const [only] = await trail(`operatorId=${other.id}`);
    assert.equal(only?.target, id);
    assert.deepEqual(await trail(`target=${id}`), [only]);
    assert.deepEqual(await trail(`target=${id.slice(0, 8)}`), []);
    const { today, zone } = await site.owner.one<{ today: string; zone: string }>(sql`
      select platform.site_day(platform.business_now())::text as today, site_timezone as zone
      from platform.clock`);
    const dayBefore = new Date(Date.parse(today) - 86_400_000).toISOString().slice(0, 10);
    const ofOther = `operatorId=${other.id}`;
    assert.deepEqual(await trail(`${ofOther}&fromDay=${today}&toDay=${today}`), [only], zone);
    assert.deepEqual(await trail(`${ofOther}&toDay=${dayBefore}`), []);
    for (const words of ['주소를 다시', 'example.com', 'HYPER', 'mina rejected'])
      assert.deepEqual(await trail(`${ofOther}&q=${encodeURIComponent(words)}`), [only], words);
    assert.deepEqual(await trail(`${ofOther}&q=${encodeURIComponent('주소 :*&|! nowhere')}`), []);
    assert.deepEqual(await trail(`q=${encodeURIComponent("'!|")}`), []);
    const wrongDays = ['fromDay=2026-02-30', 'toDay=yesterday', 'toDay=0000-01-01', 'fromDay=1969-12-31'];
    for (const query of ['operatorId=7', ...wrongDays, 'action=nothing'])
      assert.equal((await call('GET', `/api/admin/audit?${query}`)).status, 400, query);
    const csv = await call('GET', `/api/admin/audit?format=csv&${ofOther}`);
    assert.equal(csv.body.trim().split('\r\n').length, 2);
    assert.match(csv.body, /,"'=HYPERLINK\(/);
  });

  it('are found by the member whom they are about, also those on what is the member’s', async () => {
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
    const request = { amountPoints: '1000', method: 'litecoin', recipientInfo };
    const { id } = (await call('POST', '/api/withdrawal', request, member)).body;
    await call('POST', `/api/admin/withdrawals/${id}/reject`, { reason: 'Wrong address' });
    const ticket = { subject: 'A question', message: 'Where are my points?' };
    const asked = (await call('POST', '/api/support/tickets', ticket, member)).body;
    await call('PATCH', `/api/admin/support/tickets/${asked.id}/status`, { status: 'closed' });
    const suspension = { severity: 'permanent', suspensionType: 'withdrawal_blocked' };
    await call('POST', '/api/admin/suspend-user', {
      userId: String(member.id),
      reason: 'Two',
      ...suspension,
    });
    const expected = [
      ['member.suspend', 'member', String(member.id)],
      ['ticket.change-status', 'ticket', String(member.id)],
      ['withdrawal.reject', 'withdrawal', String(member.id)],
    ];
    for (const query of [`q=${member.id}`, `memberId=${member.id}`])
      assert.deepEqual(
        (await trail(query)).map((one) => [one.action, one.targetKind, one.memberId]),
        expected,
        query,
      );
    const [newest] = await trail(`memberId=${member.id}&limit=1`);
    const { firstName } = await site.owner.one<{ firstName: string }>(
      sql`select first_name as "firstName" from members.members where id = ${member.id}`,
    );
    assert.equal(newest?.memberEmail, member.email);
    assert.ok(newest?.memberName?.includes(firstName), newest?.memberName ?? 'no name');
    assert.deepEqual(await trail('memberId=nobody'), []);
    const csv = await call('GET', `/api/admin/audit?format=csv&memberId=${member.id}`);
    assert.match(csv.body, new RegExp(`,withdrawal\\.reject,${id},withdrawal,${member.id},`));
  });

  it('tell the command line from the site', async () => {
    await changeSettings(site.database, 'sandbox', { payoutDelaySeconds: 61 }, 'command-line');
    await changeSettings(site.database, 'sandbox', { payoutDelaySeconds: 30 });
    for (const actor of ['command-line', 'site']) {
      const [newest] = await trail(`actor=${actor}&limit=1`);
      assert.deepEqual([newest?.actor, newest?.operatorId, newest?.action], [actor, null, 'site.change']);
    }
    assert.ok((await trail('actor=operator')).every(({ operatorId }) => operatorId !== null));
  });
});
