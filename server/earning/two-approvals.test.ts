import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { newTransaction } from '../../test/postback-site.ts';
import { type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';

/** From the sum for two people on, two operators approve providers' credits. */
const site = await testSite({ after });
const set = (secondPersonFrom: string | null) =>
  changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom } });
const operators = () => Promise.all([site.member({ role: 'admin' }), site.member({ role: 'admin' })]);
const secret = 'cpx secret of a test';
const changeProvider = (body: object, as: Person) =>
  site.call('PUT', '/api/admin/providers/cpx', { as, body });
const [founder] = await operators();
await changeProvider({ isEnabled: true, apiKey: 'app', secret, settings: { sourceAddresses: [] } }, founder);

async function send(memberRef: string | number, points: number, key = secret): Promise<string> {
  const transaction = newTransaction();
  const hash = createHash('md5').update(`${transaction}-${key}`).digest('hex');
  const query = `status=1&trans_id=${transaction}&user_id=${memberRef}&amount_local=${points}&secure_hash=${hash}`;
  const answer = await site.call('GET', `/api/webhooks/postback/cpx?${query}`);
  assert.deepEqual([answer.status, answer.body], [200, '1']);
  return transaction;
}
/** A held credit of a new member. */
async function held(points: number, key?: string): Promise<{ id: string; member: Person }> {
  const member = await site.member();
  await send(member.id, points, key);
  const { body } = await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: founder });
  return { id: body[0].id, member };
}
const approve = (id: string, as: Person) =>
  site.call('POST', `/api/admin/pending-earnings/${id}/approve`, { as });
const firstApprovedBy = async (id: string) =>
  (await site.call('GET', `/api/admin/pending-earnings?q=${id}`, { as: founder })).body[0].firstApprovedBy;
const balanceOf = async (member: Person) =>
  (
    await site.owner.one<{ balance: bigint }>(
      sql`select balance from ledger.wallets where member_id = ${member.id}`,
    )
  ).balance;
const actsOf = async (kind: 'earning' | 'quarantine', target: string) =>
  (
    await site.owner.rows<{ act: string }>(
      sql`select act from platform.acts where target = ${target} and act like ${`${kind}.%`} order by id`,
    )
  ).map(({ act }) => act);

describe('a held credit', () => {
  it('of the sum for two people is credited by the second operator', async () => {
    await set('50000');
    const [kim, lee] = await operators();
    const { id, member } = await held(5_000_000);
    const alone = await approve(id, kim);
    assert.deepEqual(
      [alone.status, alone.problem.code, alone.problem.isRecorded],
      [409, 'second-operator-needed', true],
    );
    assert.equal(await firstApprovedBy(id), String(kim.id));
    const again = await approve(id, kim);
    assert.deepEqual([again.status, again.problem.isRecorded], [409, false]);
    assert.equal(await balanceOf(member), 0n);
    assert.equal((await approve(id, lee)).status, 200);
    assert.equal(await balanceOf(member), 5_000_000n);
    assert.deepEqual(await actsOf('earning', id), ['earning.approve-first', 'earning.approve']);
  });

  it('needs a second operator if the approvals of the day reach the sum, and those of others don’t count', async () => {
    await set('50000');
    const [kim, lee] = await operators();
    for (const points of [20_000, 20_000])
      assert.equal((await approve((await held(points)).id, kim)).status, 200);
    const stats = await site.call('GET', '/api/admin/approval-stats', { as: kim });
    assert.deepEqual([stats.body.creditedToday, stats.body.secondPersonFrom], ['40000', '50000']);
    const third = await held(10_000);
    assert.equal((await approve(third.id, kim)).status, 409);
    assert.equal((await approve(third.id, lee)).status, 200);
    assert.equal((await approve((await held(10_001)).id, lee)).status, 200, 'with two it counts for neither');
  });

  it('is credited once by concurrent approvals, and four at once don’t pass the sum together', async () => {
    await set('50000');
    const [kim] = await operators();
    const credits = await Promise.all(Array.from({ length: 4 }, () => held(20_000)));
    const answers = await Promise.all(credits.map(({ id }) => approve(id, kim)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409]);
  });

  it('keeps its first approval after the sum is lifted, and loses it with the operator’s role', async () => {
    await set('50000');
    const [kim, lee] = await operators();
    const [one, other] = [await held(60_000), await held(60_000)];
    for (const { id } of [one, other]) assert.equal((await approve(id, kim)).status, 409);
    await set(null);
    assert.equal((await approve(one.id, kim)).status, 409);
    await set('50000');
    await site.owner.rows(sql`update members.members set role = 'user' where id = ${kim.id}`);
    assert.equal((await approve(other.id, lee)).problem.isRecorded, true);
    assert.equal(await firstApprovedBy(other.id), String(lee.id));
  });

  it('is not approved alone, nor as second, by who changed the provider’s secret or source rule lately', async () => {
    for (const [key, change] of [
      ['mine', { secret: 'mine' }],
      ['mine', { settings: { sourcePolicy: 'record', sourceAddresses: ['127.0.0.0/8'] } }],
    ] as const) {
      await set('50000');
      const [kim, lee] = await operators();
      assert.equal((await changeProvider(change, kim)).status, 200);
      const small = await held(10_000, key);
      const alone = await approve(small.id, kim);
      assert.deepEqual([alone.problem.code, alone.problem.isRecorded], ['second-operator-needed', true]);
      assert.equal((await approve(small.id, lee)).status, 200);
      const large = await held(90_000, key);
      assert.equal((await approve(large.id, lee)).status, 409);
      const second = await approve(large.id, kim);
      assert.deepEqual([second.status, second.problem.code], [409, 'own-provider-change']);
      assert.equal(await balanceOf(large.member), 0n);
      await site.owner.rows(sql`update earning.source_changes set at = at - interval '7 days'`);
      assert.equal((await approve(large.id, kim)).status, 200);
    }
  });

  it('is decided by one operator where no sum is set, also after a change of the secret', async () => {
    await set(null);
    const [kim] = await operators();
    await changeProvider({ secret }, kim);
    assert.equal((await approve((await held(900_000)).id, kim)).status, 200);
  });
});

describe('a credit in quarantine', () => {
  const quarantined = async (points: number) => {
    const transaction = await send('nobody', points);
    const { body } = await site.call('GET', `/api/admin/quarantine?q=${transaction}`, { as: founder });
    return body[0].id as string;
  };
  const book = (id: string, member: Person, as: Person) =>
    site.call('POST', `/api/admin/quarantine/${id}/resolve`, {
      as,
      body: { action: 'book', note: 'Seen', memberId: String(member.id) },
    });

  it('needs two operators by the same rule, for the same member', async () => {
    await set('5000');
    const [kim, lee] = await operators();
    const [member, another] = [await site.member(), await site.member()];
    const id = await quarantined(6_000);
    assert.equal((await book(id, member, kim)).problem.isRecorded, true);
    assert.equal((await book(id, another, lee)).problem.isRecorded, true, 'not what kim approved');
    assert.equal((await book(id, another, kim)).status, 200);
    assert.deepEqual([await balanceOf(member), await balanceOf(another)], [0n, 6_000n]);
    assert.deepEqual(await actsOf('quarantine', id), [
      'quarantine.approve-first',
      'quarantine.approve-first',
      'quarantine.resolve',
    ]);
  });

  it('counts in the operator’s sum of the day, and records nothing for an own account', async () => {
    await set('5000');
    const [kim, lee] = await operators();
    assert.equal((await book(await quarantined(4_000), await site.member(), kim)).status, 200);
    const next = await quarantined(1_000);
    assert.equal((await book(next, kim, kim)).problem.code, 'own-request');
    assert.deepEqual(await actsOf('quarantine', next), []);
    assert.equal((await book(next, await site.member(), kim)).status, 409);
    assert.equal((await book(next, await site.member(), lee)).status, 200, 'lee credited nothing today');
    await set(null);
    assert.deepEqual(await auditBooks(site.owner), []);
  });

  it('counts as credited alone if its first approval was for another member, or has lapsed', async () => {
    await set('5000');
    const [kim, lee] = await operators();
    const [meant, another] = [await site.member(), await site.member()];
    assert.equal((await book(await quarantined(4_000), meant, kim)).status, 200);
    const ids = [await quarantined(2_000), await quarantined(2_000), await quarantined(2_000)] as const;
    for (const id of ids) assert.equal((await book(id, meant, kim)).problem.isRecorded, true);
    assert.equal((await book(ids[0], another, lee)).status, 200);
    await site.owner.rows(sql`update members.members set role = 'user' where id = ${kim.id}`);
    assert.equal((await book(ids[1], meant, lee)).status, 200, '4,000 alone');
    assert.equal((await book(ids[2], meant, lee)).problem.isRecorded, true, '6,000 would be the sum');
    const stats = await site.call('GET', '/api/admin/approval-stats', { as: lee });
    assert.equal(stats.body.creditedToday, '4000');
    await set(null);
  });
});
