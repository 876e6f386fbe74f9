import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { type Decision, decision, listedDecision } from '#contract/decisions.ts';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { auditBooks } from '../ledger/audit.ts';
import { readDecisionsOf } from './queries.ts';

/** Credits that wait or were rejected, as decisions; and those without a member, for operators. */
const site = await testSite({ after });
const { owner } = site;
const maker = await site.member({ role: 'admin' });
const answerer = await site.member({ role: 'admin' });

const call = (method: string, path: string, as: Person, body?: unknown) =>
  site.call(method, path, { as, ...(body === undefined ? {} : { body }) });

let credits = 0;
/** Books a credit that is held for its amount, and returns its number. */
async function hold(member: Person, points = 12_000): Promise<string> {
  credits += 1;
  const transaction = `hold-${credits}`;
  await owner.rows(sql`
    select earning.book_credit('cpx', ${transaction}, ${String(member.id)}, ${points}, 1000, 'Long survey', false,
      null, 'GET /', '127.0.0.1')`);
  const { id } = await owner.one<{ id: bigint }>(sql`
    select held_id as id from earning.earnings where transaction_id = ${transaction}`);
  return String(id);
}

async function reject(member: Person, points?: number): Promise<string> {
  const id = await hold(member, points);
  const body = { reviewNote: 'Answers at random' };
  assert.equal((await call('POST', `/api/admin/pending-earnings/${id}/reject`, maker, body)).status, 200);
  return id;
}

const decisionsOf = async (as: Person): Promise<Decision[]> =>
  (await call('GET', '/api/user/decisions', as)).body;
const appeal = (id: string, as: Person) =>
  call('POST', `/api/user/decisions/${id}/appeal`, as, { text: 'I answered with care.' });
const answer = (id: string, as: Person, uphold = false) =>
  call('POST', `/api/admin/decisions/${id}/appeal-decision`, as, { uphold, reason: 'Looked again' });
const made = async (query: string) =>
  (await call('GET', `/api/admin/decisions/made?${query}`, answerer)).body;
const balanceOf = async ({ id }: Person) =>
  (await owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;

function refused({ status, problem }: Answer, wanted: number, code: string): void {
  assert.deepEqual([status, problem.code], [wanted, code]);
}

describe('a held credit', () => {
  it('stands among the decisions while it waits, without an appeal, and leaves with the credit', async () => {
    const member = await site.member();
    const id = await hold(member);
    const [held, ...others] = await decisionsOf(member);
    assert.deepEqual(others, []);
    const { kind, rule, subject, isActive, canAppeal } = decision.strict().parse(held);
    assert.deepEqual(
      [kind, rule, subject, isActive, canAppeal],
      ['earning_held', 'amount', { amount: '12000', name: 'Long survey', place: 'cpx' }, true, false],
    );
    refused(await appeal(`earning-${id}`, member), 403, 'forbidden');
    await call('POST', `/api/admin/pending-earnings/${id}/approve`, maker, {});
    assert.deepEqual(await decisionsOf(member), []);
  });

  it('is booked when an appeal overturns its rejection, by another operator, once', async () => {
    const member = await site.member();
    const id = `earning-${await reject(member)}`;
    const [rejected] = await decisionsOf(member);
    assert.deepEqual(
      [rejected?.id, rejected?.kind, rejected?.reason, rejected?.isActive, rejected?.canAppeal],
      [id, 'earning_rejected', 'Answers at random', false, true],
    );
    const passed = Date.parse(rejected?.appealUntil ?? '') - Date.parse(rejected?.createdAt ?? '');
    assert.equal(passed, 30 * 86_400_000);
    assert.equal((await appeal(id, member)).status, 201);
    refused(await answer(id, maker), 409, 'own-request');
    const answered = await answer(id, answerer);
    assert.deepEqual(
      [answered.status, answered.body.status, answered.body.isActive],
      [200, 'overturned', false],
    );
    assert.equal(await balanceOf(member), 12_000n);
    refused(await answer(id, answerer), 409, 'already-decided');
    refused(await appeal(id, member), 409, 'already-exists');
    const [after] = await decisionsOf(member);
    assert.deepEqual([after?.kind, after?.appeal?.status], ['earning_held', 'overturned']);
    assert.deepEqual(await auditBooks(owner), []);
  });

  it('stays rejected when the appeal is upheld or too late, and when the provider took it back', async () => {
    const member = await site.member();
    const [upheld, late, taken] = [await reject(member), await reject(member), await reject(member)];
    await appeal(`earning-${upheld}`, member);
    assert.equal((await answer(`earning-${upheld}`, answerer, true)).body.status, 'upheld');
    await owner.rows(sql`
      update earning.earnings set decided_at = decided_at - interval '30 days' where held_id = ${BigInt(late)}`);
    refused(await appeal(`earning-${late}`, member), 409, 'already-decided');
    await appeal(`earning-${taken}`, member);
    await owner.rows(sql`
      insert into earning.reversals (provider, transaction_id, credit_transaction_id, member_id, taken_points, reason,
        reason_class, created_at)
      select provider, 'back-' || transaction_id, transaction_id, member_id, 0, '', 'invalid', platform.business_now()
      from earning.earnings where held_id = ${BigInt(taken)}`);
    refused(await answer(`earning-${taken}`, answerer), 409, 'already-decided');
    assert.equal((await answer(`earning-${taken}`, answerer, true)).status, 200);
    assert.equal(await balanceOf(member), 0n);
  });

  it('waits for a second operator after an appeal, where approvals need two', async () => {
    await changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom: '50000' } });
    const member = await site.member();
    const id = await reject(member, 60_000);
    await appeal(`earning-${id}`, member);
    const answered = await answer(`earning-${id}`, answerer);
    assert.deepEqual([answered.status, answered.body.isActive], [200, true]);
    assert.equal(await balanceOf(member), 0n);
    const again = await call('POST', `/api/admin/pending-earnings/${id}/reject`, maker, {
      reviewNote: 'At random',
    });
    refused(again, 409, 'second-operator-needed');
    assert.equal((await call('POST', `/api/admin/pending-earnings/${id}/approve`, maker, {})).status, 200);
    assert.equal(await balanceOf(member), 60_000n);
    await changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom: null } });
    assert.deepEqual(await auditBooks(owner), []);
  });
});

describe('a member’s list of decisions', () => {
  it('has what can be appealed before newer holds, and says no more than the member is told', async () => {
    const member = await site.member();
    const rejected = await reject(member);
    await hold(member);
    const options = { limit: 1, holdsDestinations: false };
    const [first] = await readDecisionsOf(owner, member.id, options);
    assert.equal(String(first?.sourceId), rejected);
    await owner.rows(sql`
      update earning.earnings set hold_reason = 'detection' where member_id = ${member.id} and state = 'held'`);
    assert.deepEqual(
      (await decisionsOf(member)).map(({ rule }) => rule),
      ['amount', 'other'],
    );
  });
});

describe('the operators’ list of all decisions', () => {
  it('has those with and without a member, newest first, and of one source alone', async () => {
    const member = await site.member();
    const id = await hold(member);
    const block = { domain: 'throw-away.example', reason: 'Throw-away', duration: '1day' };
    const blocked = await call('POST', '/api/admin/fraud/block-domain', maker, block);
    assert.ok(blocked.status < 300, JSON.stringify(blocked.problem));
    await owner.rows(sql`
      insert into access.registration_reviews (email, facts, created_at, status, decided_at, decided_by,
        decision_reason)
      values ('refused@example.com', '{"flags":["shared-device"]}', platform.business_now(), 'refused',
        platform.business_now(), ${maker.id}, 'A ring')`);
    const all = (await made('limit=100')).map((row: unknown) => listedDecision.strict().parse(row));
    const kinds = new Set(all.map(({ kind }: { kind: string }) => kind));
    for (const kind of ['earning_held', 'earning_rejected', 'registration_refused', 'domain_blocked'])
      assert.ok(kinds.has(kind), kind);
    const times = all.map(({ createdAt }: { createdAt: string }) => createdAt);
    assert.deepEqual(times, times.toSorted().toReversed());
    const [first] = await made('source=registration');
    assert.deepEqual(
      [first.kind, first.about, first.rule, first.reason, first.decidedByEmail, first.userId],
      ['registration_refused', 'refused@example.com', 'shared-device', 'A ring', maker.email, null],
    );
    for (const query of [`q=${member.id}`, `q=${member.email}`, `q=earning-${id}`, `id=earning-${id}`])
      for (const source of ['', '&source=earning'])
        assert.deepEqual(
          (await made(`${query}${source}`)).map((row: { id: string }) => row.id),
          [`earning-${id}`],
          query,
        );
    assert.deepEqual((await made('source=block&q=throw-away')).length, 1);
    assert.deepEqual(await made(`source=block&id=earning-${id}`), []);
    const csv = await call('GET', '/api/admin/decisions/made?format=csv', answerer);
    assert.equal(csv.status, 200);
  });

  it('reads one source without the tables of the others', async () => {
    const plan = await owner.transaction(async (tx) => {
      await tx.rows(sql`set local enable_seqscan = off`);
      return tx.rows<{ 'QUERY PLAN': string }>(sql`
        explain (costs off) select d.source_id from decisions.made d where d.source = 'earning'
        order by d.source_id desc limit 20`);
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    assert.match(text, /earnings_held_id|earnings_ever_held/);
    assert.doesNotMatch(text, /suspensions|withdrawals/);
  });
});

describe('a refused registration', () => {
  it('can be approved after all, once', async () => {
    const { id } = await owner.one<{ id: bigint }>(
      sql`select id from access.registration_reviews where email = 'refused@example.com'`,
    );
    const path = `/api/admin/registration-reviews/${id}`;
    const reason = { reason: 'Two sisters' };
    refused(await call('POST', `${path}/reject`, answerer, reason), 409, 'already-decided');
    refused(await call('POST', `${path}/approve`, answerer, reason), 409, 'already-decided');
    const after = { ...reason, overturns: true };
    const approved = await call('POST', `${path}/approve`, answerer, after);
    assert.deepEqual(
      [approved.status, approved.body?.status],
      [200, 'approved'],
      JSON.stringify(approved.problem),
    );
    refused(await call('POST', `${path}/approve`, answerer, after), 409, 'already-decided');
    assert.deepEqual(await made('source=registration'), []);
  });
});
