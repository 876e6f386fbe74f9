import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { CLAIM_ANSWER_DAYS, CLAIM_ASK_DAYS, claim, operatorClaim } from '#contract/claims.ts';
import { json, sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { newTransaction, startPostbacks, values } from '../../test/postback-site.ts';
import type { Answer, Person } from '../../test/site.ts';
import { siteChecks } from '../books.ts';
import { forgetOpenings } from '../earning/earning.ts';
import { deleteOldPostbacks } from '../earning/old-postbacks.ts';
import { runChecks } from '../ledger/ledger.ts';

/** Claims over HTTP: filed by members, asked, booked and refused by operators. */
const { site, send } = await startPostbacks({ after });
const { owner } = site;
const operator = await site.member({ role: 'admin' });
const colleague = await site.member({ role: 'admin' });
const TEXT = 'I reached level 20 and nothing came.';

/** Opens a wall some hours ago. Returns its activity id. */
async function open(member: Person, hoursAgo: number, provider = 'cpx'): Promise<string> {
  assert.equal((await site.call('POST', `/api/offerwalls/${provider}/open`, { as: member })).status, 204);
  const { id } = await owner.one<{ id: bigint }>(sql`
    update earning.openings set opened_at = opened_at - make_interval(hours => ${hoursAgo})
    where id = (select max(id) from earning.openings where member_id = ${member.id}) returning id`);
  return `opening:${id}`;
}
const file = (member: Person, activityId: string, more: Record<string, unknown> = {}) =>
  site.call('POST', '/api/support/claims', { as: member, body: { activityId, text: TEXT, ...more } });
const change = (id: string, body: unknown, as = operator) =>
  site.call('PATCH', `/api/admin/claims/${id}`, { as, body });
const book = (id: string, amount: number, as = operator) => change(id, { state: 'booked', amount }, as);
const read = async (id: string) => (await site.call('GET', `/api/admin/claims/${id}`, { as: operator })).body;
const claimsOf = async (member: Person) =>
  (await site.call('GET', '/api/support/claims', { as: member })).body;
const claimable = async (member: Person) =>
  (await site.call('GET', '/api/support/claims/openings', { as: member })).body;
const balanceOf = async ({ id }: Person): Promise<bigint> =>
  (await owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;
const actsOf = async (id: string) =>
  (
    await owner.rows<{ act: string }>(
      sql`select act from platform.acts where target = ${id} and act like 'claim.%' order by id`,
    )
  ).map(({ act }) => act);
const noticesOf = ({ id }: Person) =>
  owner.rows<{ kind: string; facts: Record<string, unknown> }>(
    sql`select kind, facts from notices.notices where member_id = ${id} order by member_number`,
  );
const setSum = (secondPersonFrom: string | null) =>
  changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom } });

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

/** A claim of a new member, filed after the provider's usual time. */
async function filed(as?: Person) {
  const member = as ?? (await site.member());
  const activityId = await open(member, 25);
  const answer = await file(member, activityId);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { member, id: answer.body.id as string, activityId };
}

describe('a claim', () => {
  it('is filed once about an own opening, after the provider’s usual time', async () => {
    const member = await site.member();
    const fresh = await open(member, 23);
    const early = await file(member, fresh);
    refused(early, 409, 'claim-too-early');
    const [line] = await claimable(member);
    assert.equal(line.claimableFrom, early.body.claimableFrom);
    assert.equal(Date.parse(line.claimableFrom) - Date.parse(line.openedAt), 24 * 3_600_000);

    const activityId = await open(member, 25);
    refused(await file(await site.member(), activityId), 404, 'not-found');
    refused(await file(member, 'opening:999999999'), 404, 'not-found');
    refused(await file(member, 'cpx:1'), 404, 'not-found');
    assert.equal((await file(member, activityId, { text: ' ' })).status, 400);
    const answer = await file(member, activityId, { text: ` ${TEXT} `, statedPoints: '900' });
    assert.equal(answer.status, 201);
    assert.deepEqual(claim.strict().parse(answer.body), answer.body);
    const { state, text, statedPoints, provider, filedAt, dueAt, arrivesWithinHours } = answer.body;
    assert.deepEqual(
      { state, text, statedPoints, provider, arrivesWithinHours },
      { state: 'filed', text: TEXT, statedPoints: '900', provider: 'cpx', arrivesWithinHours: 24 },
    );
    assert.equal(Date.parse(dueAt) - Date.parse(filedAt), CLAIM_ASK_DAYS * 86_400_000);
    refused(await file(member, activityId), 409, 'already-exists');
    assert.deepEqual(await claimsOf(member), [answer.body]);
    assert.equal((await claimable(member))[0].claimId, answer.body.id);
    assert.deepEqual(await claimsOf(operator), []);
  });

  it('shows operators the device and address of the click, for 90 days and as long as the account', async () => {
    const openedFrom = { userAgent: 'node', address: '127.0.0.1' };
    const [mine, other] = [await filed(), await filed()];
    assert.deepEqual((await read(mine.id)).openedFrom, openedFrom);
    assert.ok(!('openedFrom' in (await claimsOf(mine.member))[0]));
    const { body: data } = await site.call('GET', '/api/user/export', { as: mine.member });
    assert.deepEqual(
      data.walls.map(({ userAgent, address }: typeof openedFrom) => ({ userAgent, address })),
      [openedFrom],
    );
    const forget = () =>
      site.database.transaction(async (tx) => {
        for (const { member } of [mine, other]) await forgetOpenings(tx, member.id);
      });
    await forget();
    assert.deepEqual((await read(mine.id)).openedFrom, openedFrom, 'the account is not due');
    await owner.rows(sql`
      update members.members set password_hash = null, deleted_at = platform.business_now() - interval '8 days'
      where id = ${mine.member.id}`);
    await forget();
    assert.equal((await read(mine.id)).openedFrom, null);
    await owner.rows(sql`
      update members.members m set deleted_at = null, password_hash = o.password_hash
      from members.members o where m.id = ${mine.member.id} and o.id = ${other.member.id}`);
    const removeAt = async (age: string) => {
      await owner.rows(sql`
        update earning.openings set opened_at = platform.business_now() - ${age}::interval
        where member_id = ${other.member.id}`);
      await deleteOldPostbacks(site.platform, new AbortController().signal);
      return (await read(other.id)).openedFrom;
    };
    assert.deepEqual(await removeAt('89 days'), openedFrom);
    assert.equal(await removeAt('91 days'), null);
  });

  it('is not filed about an opening that has a credit, or is older than 30 days', async () => {
    const member = await site.member();
    const tooOld = await open(member, 30 * 24 + 1, 'kiwiwall');
    const old = await open(member, 29 * 24, 'wannads');
    const before = await open(member, 0);
    const held = await open(member, 0, 'bitlabs');
    await send('cpx', values('cpx', member.id, newTransaction(), '180'));
    await send('bitlabs', values('bitlabs', member.id, newTransaction(), '12000'));
    const later = await open(member, 0);
    refused(await file(member, before), 409, 'credit-not-missing');
    refused(await file(member, held), 409, 'credit-not-missing');
    refused(await file(member, tooOld), 404, 'not-found');
    assert.deepEqual(
      (await claimable(member)).map(({ activityId }: { activityId: string }) => activityId),
      [later, old],
      'the credit came before the last opening',
    );
    assert.equal((await file(member, old)).status, 201);
  });

  it('speaks for all openings of its wall within the provider’s usual time, also filed at once', async () => {
    const member = await site.member();
    const openings: string[] = [];
    for (let count = 0; count < 5; count += 1) openings.push(await open(member, 30));
    const other = await open(member, 80, 'wannads');
    const earlier = await open(member, 55);
    const answers = await Promise.all(openings.map((opening) => file(member, opening)));
    const made = answers.filter(({ status }) => status === 201);
    assert.equal(made.length, 1);
    for (const answer of answers) if (answer.status !== 201) refused(answer, 409, 'already-exists');
    const lines = (await claimable(member)).filter(({ activityId }: { activityId: string }) =>
      openings.includes(activityId),
    );
    assert.ok(lines.every(({ claimId }: { claimId: string }) => claimId === made[0]?.body.id));
    assert.equal((await file(member, other)).status, 201);
    assert.equal((await file(member, earlier)).status, 201);
  });

  it('is asked about, then refused with a reason, and the member hears both', async () => {
    const { member, id } = await filed();
    const asked = await change(id, { state: 'asked' });
    assert.equal(asked.status, 200);
    assert.deepEqual(operatorClaim.strict().parse(asked.body), asked.body);
    const days = (Date.parse(asked.body.answerBy) - Date.parse(asked.body.askedAt)) / 86_400_000;
    assert.deepEqual([asked.body.state, days], ['asked', CLAIM_ANSWER_DAYS]);
    refused(await change(id, { state: 'asked' }), 409, 'already-decided');
    assert.equal((await change(id, { state: 'refused', reason: ' ' })).status, 400);
    assert.equal((await change(id, { state: 'refused', reason: 'Level 20 came too late.' })).status, 200);
    refused(await change(id, { state: 'refused', reason: 'Again' }), 409, 'already-decided');
    refused(await book(id, 900), 409, 'already-decided');
    const [own] = await claimsOf(member);
    assert.deepEqual([own.state, own.reason], ['refused', 'Level 20 came too late.']);
    assert.deepEqual(await actsOf(id), ['claim.ask', 'claim.refuse']);
    const notices = await noticesOf(member);
    assert.deepEqual(
      notices.map(({ kind, facts }) => [kind, facts.change]),
      [
        ['ticket', 'claim-asked'],
        ['ticket', 'claim-refused'],
      ],
    );
    refused(await change('999999999', { state: 'asked' }), 404, 'not-found');
    refused(await change(id, { state: 'asked' }, member), 403, 'forbidden');
  });

  it('is not decided by its own member, also not when that is an operator', async () => {
    const { id } = await filed(operator);
    refused(await change(id, { state: 'asked' }), 409, 'own-request');
    refused(await change(id, { state: 'refused', reason: 'x' }), 409, 'own-request');
    refused(await book(id, 900), 409, 'own-request');
    assert.deepEqual(await actsOf(id), []);
    assert.equal((await book(id, 900, colleague)).status, 200);
  });
});

describe('booking a claim', () => {
  it('moves the points through the ledger once, under 20 decisions at the same time', async () => {
    const { member, id, activityId } = await filed();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => {
        const by = at % 2 === 0 ? operator : colleague;
        return at % 5 === 4 ? change(id, { state: 'refused', reason: 'No' }, by) : book(id, 900 + at, by);
      }),
    );
    const done = answers.filter(({ status }) => status === 200);
    assert.equal(done.length, 1);
    for (const answer of answers) if (answer.status !== 200) refused(answer, 409, 'already-decided');
    const [own] = await claimsOf(member);
    assert.equal(await balanceOf(member), BigInt(own.amount ?? 0));
    assert.equal((await actsOf(id)).length, 1);
    assert.deepEqual(await runChecks(owner, siteChecks), []);
    refused(await file(member, activityId), 409, 'already-exists');
  });

  it('is told as a grant, and shows when the provider’s own call comes afterwards', async () => {
    const { member, id } = await filed();
    const booked = await book(id, 900);
    assert.deepEqual([booked.status, booked.body.state, booked.body.amount], [200, 'booked', '900']);
    assert.equal(await balanceOf(member), 900n);
    const [{ kind, facts } = { kind: '', facts: {} }] = await noticesOf(member);
    assert.deepEqual([kind, facts], ['granted', { amount: '900', reason: 'Missing credit: CPX Research' }]);
    assert.deepEqual(await actsOf(id), ['claim.book']);
    assert.equal((await read(id)).openingState, 'opened');
    await send('cpx', values('cpx', member.id, newTransaction(), '900'));
    assert.equal((await read(id)).openingState, 'credited');
  });

  it('is not booked again for its opening after the claim was deleted', async () => {
    const { member, id, activityId } = await filed();
    assert.equal((await book(id, 900)).status, 200);
    const { kept } = await owner.one<{ kept: unknown }>(sql`
      delete from claims.claims c where id = ${id}::bigint returning to_jsonb(c) as kept`);
    const again = (await file(member, activityId)).body.id;
    refused(await book(again, 900), 409, 'credit-not-missing');
    assert.equal(await balanceOf(member), 900n);
    await owner.rows(sql`delete from claims.claims where id = ${again}::bigint`);
    await owner.rows(sql`
      insert into claims.claims overriding system value
      select * from jsonb_populate_record(null::claims.claims, ${json(kept)}::jsonb)`);
  });

  it('is refused after the provider’s own call, also while that credit is held', async () => {
    const { member, id } = await filed();
    await send('cpx', values('cpx', member.id, newTransaction(), '12000'));
    refused(await book(id, 900), 409, 'credit-not-missing');
    assert.equal(await balanceOf(member), 0n);
    assert.equal((await change(id, { state: 'refused', reason: 'It came.' })).status, 200);
  });

  it('says how many credits came since the opening, also when the wall was opened again before', async () => {
    const { member, id } = await filed();
    await open(member, 0);
    await send('cpx', values('cpx', member.id, newTransaction(), '900'));
    const { openingState, creditsSince, claimsBookedSince } = await read(id);
    assert.deepEqual([openingState, creditsSince, claimsBookedSince], ['opened', 1, 0]);
    refused(await book(id, 900), 409, 'outcome-changed');
    refused(await change(id, { state: 'booked', amount: 900, seenCredits: 2 }), 409, 'outcome-changed');
    assert.equal(await balanceOf(member), 900n);
    assert.equal((await change(id, { state: 'booked', amount: 900, seenCredits: 1 })).status, 200);
    assert.equal(await balanceOf(member), 1_800n);
  });

  it('says that another claim about the same wall was booked since the opening', async () => {
    const member = await site.member();
    const [one, other] = [await open(member, 72), await open(member, 30)];
    const [first, second] = [(await file(member, one)).body.id, (await file(member, other)).body.id];
    assert.equal((await book(first, 900)).status, 200);
    assert.equal((await read(second)).claimsBookedSince, 1);
    refused(await book(second, 900), 409, 'outcome-changed');
    assert.equal((await change(second, { state: 'booked', amount: 900, seenCredits: 1 })).status, 200);
  });

  it('is refused after an operator rejected the credit, and shows the note', async () => {
    const { member, id, activityId } = await filed();
    await send('cpx', values('cpx', member.id, newTransaction(), '12000'));
    const [held] = (await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: operator }))
      .body;
    const path = `/api/admin/pending-earnings/${held.id}/reject`;
    const body = { reviewNote: 'Two accounts' };
    assert.equal((await site.call('POST', path, { as: colleague, body })).status, 200);
    const { openingState, reviewNote } = await read(id);
    assert.deepEqual([openingState, reviewNote], ['rejected', 'Two accounts']);
    const seen = { state: 'booked', amount: 900, seenCredits: 1 };
    refused(await change(id, seen), 409, 'credit-not-missing');
    await owner.rows(sql`delete from claims.claims where id = ${id}::bigint`);
    refused(await file(member, activityId), 409, 'credit-not-missing');
    assert.equal(await balanceOf(member), 0n);
  });

  it('is refused after a credit that has more than 500 newer movements', async () => {
    const { member, id } = await filed();
    await send('cpx', values('cpx', member.id, newTransaction(), '900'));
    await owner.rows(sql`
      select ledger.post_one(${member.id}, 'filler:' || ${member.id} || ':' || n, 'grant', 1, 'grants', 'Test', null,
        null, false) from generate_series(1, 501) n`);
    refused(await book(id, 900), 409, 'credit-not-missing');
  });

  it('needs a second operator from the sum on, which counts the day’s grants as well', async () => {
    await setSum('10000');
    const giver = await site.member({ role: 'admin' });
    const { member, id } = await filed();
    const gift = { userId: String(member.id), amount: 9_500, reason: 'A prize' };
    assert.equal((await site.call('POST', '/api/admin/give-points', { as: giver, body: gift })).status, 201);
    const first = await book(id, 600, giver);
    refused(first, 409, 'second-operator-needed');
    assert.equal(first.body.isRecorded, true);
    const again = await book(id, 600, giver);
    assert.equal(again.body.isRecorded, false);
    assert.equal(await balanceOf(member), 9_500n);
    const [row] = (await site.call('GET', `/api/admin/claims?id=${id}`, { as: colleague })).body;
    assert.deepEqual([row.firstApprovedBy, row.firstApprovedAmount], [String(giver.id), '600']);
    assert.equal((await book(id, 600, await site.member({ role: 'admin' }))).status, 200);
    assert.equal(await balanceOf(member), 10_100n);
    assert.deepEqual(await actsOf(id), ['claim.book-first', 'claim.book']);
    assert.deepEqual(await runChecks(owner, siteChecks), []);
    await setSum(null);
  });
});

it('the operators’ list has those due first on top, and counts the undecided ones', async () => {
  const { id, member } = await filed();
  const list = await site.call('GET', '/api/admin/claims?state=open', { as: operator });
  const dues = list.body.map(({ dueAt }: { dueAt: string }) => dueAt);
  assert.deepEqual(dues, [...dues].sort());
  const waiting = await site.call('GET', '/api/admin/waiting', { as: operator });
  assert.equal(waiting.body.claims, list.body.length);
  const found = await site.call('GET', `/api/admin/claims?q=${member.email}`, { as: operator });
  assert.deepEqual(
    found.body.map((row: { id: string }) => row.id),
    [id],
  );
  await owner.rows(sql`
    update claims.claims set filed_at = filed_at - interval '4 days', due_at = due_at - interval '4 days'
    where id = ${id}::bigint`);
  const { waits } = (await site.call('GET', '/api/admin/overview', { as: operator })).body;
  const [wait] = waits.filter(({ kind }: { kind: string }) => kind === 'claims');
  assert.deepEqual([wait.count, wait.urgency], [list.body.length, 'late']);
});
