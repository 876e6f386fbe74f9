import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it, type TestContext } from 'node:test';
import { sql } from '#platform/database.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';

/** Earning with a suspended member, a deleted account, or a damaged secret. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const secrets = {
  cpx: 'a cpx secret',
  bitlabs: 'a bitlabs secret',
  kiwiwall: 'a kiwi secret',
  theoremreach: 'a theorem secret',
};
for (const [id, secret] of Object.entries(secrets))
  assert.equal(
    (
      await site.call('PUT', `/api/admin/providers/${id}`, {
        as: operator,
        body: { isEnabled: true, apiKey: 'app', secret },
      })
    ).status,
    200,
  );

const refused = ({ status, problem }: Answer, wantedStatus: number, code: string) =>
  assert.deepEqual([status, problem.code], [wantedStatus, code]);
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
let count = 0;
/** A genuine credit of CPX Research. */
function credit(member: Person, points: string): Promise<Answer> {
  count += 1;
  const transaction = `8000000${count}`;
  return site.call(
    'GET',
    `/api/webhooks/postback/cpx?status=1&trans_id=${transaction}&user_id=${member.id}&amount_local=${points}` +
      `&amount_usd=1&offer_id=1&type=complete&secure_hash=${md5(`${transaction}-${secrets.cpx}`)}`,
  );
}
const suspend = (member: Person, type: string) =>
  site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member.id}, 'test', 'temporary', ${type}, platform.business_now())`);
/** Waits until the cache of providers' settings has expired. */
const expire = () => new Promise((resolve) => setTimeout(resolve, 1_050));

describe('earning of a suspended member', () => {
  const earningCalls: [string, string][] = [
    ['GET', '/api/offerwalls'],
    ['POST', '/api/offerwalls/cpx/open'],
    ['POST', '/api/cpx/generate-url'],
    ['GET', '/api/cpx/url'],
    ['POST', '/api/theoremreach/generate-url'],
    ['GET', '/api/kiwiwall/url'],
  ];
  for (const [method, path] of earningCalls)
    it(`refuses ${method} ${path}, which other members may call`, async () => {
      const [member, other] = [await site.member(), await site.member()];
      await suspend(member, 'earnings_blocked');
      refused(await site.call(method, path, { as: member }), 403, 'earnings-suspended');
      assert.ok((await site.call(method, path, { as: other })).status < 300);
    });
  it('still shows the activity, and resumes after the suspension', async () => {
    const member = await site.member();
    await suspend(member, 'earnings_blocked');
    assert.equal((await site.call('GET', '/api/offerwalls/activity', { as: member })).status, 200);
    await site.owner.rows(sql`
      update members.suspensions set expires_at = platform.business_now() - interval '1 second'
      where member_id = ${member.id}`);
    assert.equal((await site.call('GET', '/api/offerwalls', { as: member })).body.length, 4);
  });
  it('is allowed while only withdrawals are suspended', async () => {
    const member = await site.member();
    await suspend(member, 'withdrawal_blocked');
    assert.equal((await site.call('GET', '/api/cpx/url', { as: member })).status, 200);
  });
});

describe('a held earning of an operator', () => {
  it('§2-7 pending earnings: is decided by another operator only', async () => {
    assert.equal((await credit(operator, '12000')).status, 200);
    const path = `/api/admin/pending-earnings?q=${operator.id}`;
    const [held] = (await site.call('GET', path, { as: operator })).body;
    const decide = (as: Person, verdict: 'approve' | 'reject') => {
      const body = { reviewNote: 'Seen' };
      return site.call('POST', `/api/admin/pending-earnings/${held.id}/${verdict}`, { as, body });
    };
    refused(await decide(operator, 'approve'), 409, 'own-request');
    refused(await decide(operator, 'reject'), 409, 'own-request');
    assert.deepEqual((await site.call('GET', path, { as: operator })).body, [held]);
    const other = await site.member({ role: 'admin' });
    assert.equal((await decide(other, 'reject')).status, 200);
  });
});

describe('a held earning of a deleted account', () => {
  const totals = async () => (await site.call('GET', '/api/admin/approval-stats', { as: operator })).body;
  const decide = (id: string, verdict: 'approve' | 'reject', body = {}) =>
    site.call('POST', `/api/admin/pending-earnings/${id}/${verdict}`, { as: operator, body });

  it('can’t be approved, stays held, and can be rejected', async () => {
    const member = await site.member();
    assert.equal((await credit(member, '12000')).status, 200);
    const path = `/api/admin/pending-earnings?q=${member.id}`;
    const [held] = (await site.call('GET', path, { as: operator })).body;
    await site.owner.rows(sql`select ledger.close_wallet(${member.id})`);
    const before = await totals();
    refused(await decide(held.id, 'approve'), 404, 'unknown-member');
    assert.deepEqual(await totals(), before);
    assert.deepEqual((await site.call('GET', path, { as: operator })).body, [held]);
    assert.equal((await decide(held.id, 'reject', { reviewNote: 'Has left' })).status, 200);
    refused(await decide(held.id, 'approve'), 409, 'already-decided');
    assert.deepEqual(await auditBooks(site.owner), []);
  });
});

describe('a provider’s secret that can’t be opened', () => {
  it('stops only its provider’s calls and walls, and is logged once', async (t: TestContext) => {
    const said = t.mock.method(site.platform.log, 'error');
    await site.owner.rows(sql`
      update earning.providers set sealed_secret = (select sealed_secret from earning.providers where id = 'cpx')
      where id = 'bitlabs'`);
    await expire();
    const member = await site.member();
    assert.equal((await credit(member, '180')).body, '1');
    const unsigned = `uid=${member.id}&tx=b1&val=10&type=COMPLETE`;
    const bad = await site.call('GET', `/api/webhooks/postback/bitlabs?${unsigned}&hash=${md5(unsigned)}`);
    refused(bad, 403, 'invalid-signature');
    const walls = (await site.call('GET', '/api/offerwalls', { as: member })).body;
    assert.deepEqual(walls.map(({ id }: { id: string }) => id).sort(), ['cpx', 'kiwiwall', 'theoremreach']);
    await expire();
    assert.equal((await credit(member, '180')).body, '1');
    assert.equal((await site.call('GET', '/api/user/stats', { as: member })).body.balance, '360');
    const lines = said.mock.calls.map(
      ({ arguments: [fields] }) => fields as unknown as { provider?: string },
    );
    assert.deepEqual(
      lines.map(({ provider }) => provider),
      ['bitlabs'],
    );
  });
  it('is replaced when an operator sets it again', async () => {
    const body = { secret: secrets.bitlabs };
    await site.call('PUT', '/api/admin/providers/bitlabs', { as: operator, body });
    const walls = (await site.call('GET', '/api/offerwalls', { as: await site.member() })).body;
    assert.equal(walls.length, 4);
  });
});
