import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import type { readActivity } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { type Reader, type Sql, sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { readActivityRows } from './queries.ts';

/** A member's activity over HTTP, from opened walls to credits. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const SECRET = 'secret of a test';
for (const id of ['cpx', 'kiwiwall']) {
  const body = { isEnabled: true, apiKey: 'app', secret: SECRET };
  assert.equal((await site.call('PUT', `/api/admin/providers/${id}`, { as: operator, body })).status, 200);
}

type Line = ReplyOf<typeof readActivity>[number];
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const activity = async (as: Person): Promise<Line[]> =>
  (await site.call('GET', '/api/offerwalls/activity', { as })).body;
const short = (lines: Line[]) => lines.map(({ provider, state, amount }) => `${provider} ${state} ${amount}`);
const open = async (as: Person, id: string) =>
  assert.equal((await site.call('POST', `/api/offerwalls/${id}/open`, { as })).status, 204);
const advance = (seconds: number) =>
  site.call('POST', '/sandbox/clock', { body: { advanceSeconds: seconds } });

let count = 0;
const newTransaction = () => {
  count += 1;
  return `6000000${String(count).padStart(5, '0')}`;
};
async function cpx(member: Person, points: number, transaction = newTransaction(), status = '1') {
  const answer = await site.call(
    'GET',
    `/api/webhooks/postback/cpx?status=${status}&trans_id=${transaction}&user_id=${member.id}` +
      `&amount_local=${points}&amount_usd=1&offer_id=1&type=${status === '1' ? 'complete' : 'canceled'}` +
      `&secure_hash=${md5(`${transaction}-${SECRET}`)}`,
  );
  assert.deepEqual([answer.status, answer.body], [200, '1']);
  return transaction;
}
const heldId = async (member: Person): Promise<string> =>
  (await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: operator })).body[0].id;

describe('the activity of a member', () => {
  it('shows an opened wall, and replaces it when the wall is opened again', async () => {
    const member = await site.member();
    assert.deepEqual(await activity(member), []);
    await open(member, 'cpx');
    const [first] = await activity(member);
    assert.deepEqual([first?.state, first?.amount, first?.openedAt], ['opened', '0', first?.updatedAt]);
    await advance(60);
    await open(member, 'cpx');
    await open(member, 'kiwiwall');
    assert.deepEqual(short(await activity(member)), ['kiwiwall opened 0', 'cpx opened 0']);
  });

  it('joins a credit to the last opening of its wall before it, and to no other wall’s', async () => {
    const member = await site.member();
    await open(member, 'cpx');
    const [opened] = await activity(member);
    await advance(60);
    await open(member, 'kiwiwall');
    await advance(60);
    await cpx(member, 180);
    const [credited, other] = await activity(member);
    assert.deepEqual(short([credited as Line, other as Line]), ['cpx credited 180', 'kiwiwall opened 0']);
    assert.equal(credited?.openedAt, opened?.openedAt);
    assert.ok(Date.parse(credited?.updatedAt ?? '') - Date.parse(credited?.openedAt ?? '') >= 120_000);
    await cpx(member, 75);
    assert.equal((await activity(member)).filter(({ openedAt }) => openedAt === opened?.openedAt).length, 2);
  });

  it('shows a reversed credit with the time of the reversal and the former amount', async () => {
    const member = await site.member();
    await open(member, 'cpx');
    const transaction = await cpx(member, 180);
    const [before] = await activity(member);
    await advance(3_600);
    await cpx(member, 180, transaction, '2');
    const [line, ...others] = await activity(member);
    assert.deepEqual(short([line as Line, ...others]), ['cpx reversed 180']);
    assert.equal(line?.openedAt, before?.openedAt);
    assert.ok(Date.parse(line?.updatedAt ?? '') - Date.parse(before?.updatedAt ?? '') >= 3_600_000);
  });

  it('shows the rest of a partly reversed credit', async () => {
    const member = await site.member();
    const transaction = await cpx(member, 180);
    await cpx(member, 50, transaction, '2');
    assert.deepEqual(short(await activity(member)), ['cpx credited 130']);
  });

  it('shows a held credit as pending, and at its own opening when an operator approves it later', async () => {
    const member = await site.member();
    await open(member, 'cpx');
    await cpx(member, 12_000);
    const [waits] = await activity(member);
    assert.deepEqual(short([waits as Line]), ['cpx pending 12000']);
    await advance(3_600);
    await open(member, 'cpx');
    const path = `/api/admin/pending-earnings/${await heldId(member)}/approve`;
    assert.equal((await site.call('POST', path, { as: operator, body: {} })).status, 200);
    const lines = await activity(member);
    assert.deepEqual(short(lines), ['cpx credited 12000', 'cpx opened 0']);
    assert.equal(lines[0]?.openedAt, waits?.openedAt);
    assert.ok(Date.parse(lines[0]?.updatedAt ?? '') > Date.parse(waits?.updatedAt ?? ''));
  });

  it('shows a held credit as reversed when the operator or the provider rejects it', async () => {
    const member = await site.member();
    await open(member, 'cpx');
    await cpx(member, 12_000);
    const path = `/api/admin/pending-earnings/${await heldId(member)}/reject`;
    const body = { reviewNote: 'No such survey' };
    assert.equal((await site.call('POST', path, { as: operator, body })).status, 200);
    assert.deepEqual(short(await activity(member)), ['cpx reversed 12000']);
    const transaction = await cpx(member, 11_000);
    await cpx(member, 11_000, transaction, '2');
    assert.deepEqual(short(await activity(member)), ['cpx reversed 11000', 'cpx reversed 12000']);
  });

  it('shows only the member’s own lines, at most 20', async () => {
    const [member, other] = [await site.member(), await site.member()];
    for (let index = 0; index < 22; index += 1) await cpx(member, 10 + index);
    assert.equal((await activity(member)).length, 20);
    assert.deepEqual(await activity(other), []);
    assert.equal((await site.call('GET', '/api/offerwalls/activity')).status, 401);
  });

  it('omits an opening that is older than the movements that are read', async () => {
    const member = await site.member();
    await open(member, 'kiwiwall');
    await advance(60);
    await cpx(member, 40);
    await advance(60);
    await site.owner.rows(sql`
      select ledger.post_one(${member.id}, 'filler:' || ${member.id} || ':' || n, 'grant', 1, 'grants', 'Test', null,
        null, false) from generate_series(1, 100) n`);
    assert.deepEqual(await activity(member), []);
    await open(member, 'kiwiwall');
    assert.deepEqual(short(await activity(member)), ['kiwiwall opened 0']);
  });

  it('reads only by indexes', async () => {
    const member = await site.member();
    await open(member, 'cpx');
    await cpx(member, 10);
    const plan = await site.owner.transaction(async (tx) => {
      await tx.rows(sql`set local enable_seqscan = off`);
      const explain = (statement: Sql) => tx.rows(sql`explain ${statement}`);
      const lines = await readActivityRows({ ...tx, rows: explain as Reader['rows'] }, member.id);
      return (lines as unknown as { 'QUERY PLAN': string }[]).map((line) => line['QUERY PLAN']).join('\n');
    });
    assert.doesNotMatch(plan, /Seq Scan/);
    for (const index of ['openings_wall', 'earnings_ever_held', 'reversals_credit'])
      assert.match(plan, new RegExp(index));
  });
});
