import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { ServerEvent } from '#contract/events.ts';
import { alwaysMailed, noticeKinds } from '#contract/notice-kinds.ts';
import { type Notice, notice, readNotices } from '#contract/notices.ts';
import { sql, type Tx } from '#platform/database.ts';
import { takeLease } from '#platform/leases.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { newTransaction, startPostbacks, takenBack, values } from '../../test/postback-site.ts';
import type { Person } from '../../test/site.ts';
import { approve } from '../withdrawals/decision-queries.ts';
import { confirmPayout, markBroadcast, storePayment } from '../withdrawals/queries.ts';
import { addNotice, announceLeftNotices } from './notices.ts';

/** The notices of facts, the news of them, and their pages, over HTTP. */
const { site, send } = await startPostbacks({ after });
const { platform, database, owner } = site;
const operator = await site.member({ role: 'admin' });
await offerMethod(platform, 'litecoin');
const news: { memberId: number; event: ServerEvent }[] = [];
platform.bus.onNews((one) => news.push(one));

const pageOf = async (as: Person, query = '') =>
  (await site.call('GET', `/api/notices${query}`, { as })).body;
const noticesOf = async (as: Person): Promise<Notice[]> => (await pageOf(as, '?limit=100')).data;
/** The kind and the facts of each notice, oldest first. */
const toldTo = async (as: Person) => (await noticesOf(as)).map(({ kind, facts }) => [kind, facts]).reverse();
const newsOf = (person: Person) =>
  news.flatMap(({ memberId, event }) =>
    memberId === person.id && event.type === 'notice' ? [[event.id, event.kind]] : [],
  );
const add = (person: Person, tx?: Tx) => {
  const facts = { provider: 'cpx', amount: '10000', subject: 'Offer' };
  return tx === undefined
    ? database.transaction((own) => addNotice(own, person.id, 'held', facts))
    : addNotice(tx, person.id, 'held', facts);
};
const decideHeld = async (person: Person, verdict: 'approve' | 'reject') => {
  const { heldId } = await owner.one<{ heldId: bigint }>(sql`
    select held_id as "heldId" from earning.earnings where member_id = ${person.id} and state = 'held'`);
  const answer = await site.call('POST', `/api/admin/pending-earnings/${heldId}/${verdict}`, {
    as: operator,
    body: { reviewNote: 'Looks wrong' },
  });
  assert.equal(answer.status, 200);
};
const withdraw = async (as: Person): Promise<string> => {
  const body = {
    amountPoints: '1000',
    method: 'litecoin',
    recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
  };
  const answer = await site.call('POST', '/api/withdrawal', { as, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
};

const approval = {
  rate: '80.5',
  amountUnits: 1_242_236n,
  delaySeconds: 0,
  holdsDestinations: false,
  secondPersonPoints: null,
  memberDayPoints: null,
  methodDayPoints: null,
};

describe('a notice', () => {
  it('is written for a held credit and its decision, and for none that is ordinary', async () => {
    const person = await site.member();
    await send('cpx', values('cpx', person.id, newTransaction(), '180'));
    assert.deepEqual(await toldTo(person), []);
    await send('cpx', values('cpx', person.id, newTransaction(), '12000'));
    await decideHeld(person, 'approve');
    await send('cpx', values('cpx', person.id, newTransaction(), '15000'));
    await decideHeld(person, 'reject');
    const told = (await toldTo(person)) as [string, Record<string, unknown>][];
    assert.deepEqual(
      told.map(([kind, { provider, amount, about, reason }]) => [kind, provider, amount, about, reason]),
      [
        ['held', 'cpx', '12000', undefined, undefined],
        ['approved', 'cpx', '12000', undefined, undefined],
        ['held', 'cpx', '15000', undefined, undefined],
        ['rejected', 'cpx', '15000', 'earning', 'Looks wrong'],
      ],
    );
    assert.deepEqual(newsOf(person), [
      ['1', 'held'],
      ['2', 'approved'],
      ['3', 'held'],
      ['4', 'rejected'],
    ]);
  });
  it('is written for points that a provider takes back, and for a held credit that it cancels', async () => {
    const person = await site.member();
    const [credited, held] = [newTransaction(), newTransaction()];
    await send('cpx', values('cpx', person.id, credited, '180'));
    await send('cpx', takenBack('cpx', person.id, credited, '180'));
    await send('cpx', takenBack('cpx', person.id, credited, '180'));
    await send('cpx', values('cpx', person.id, held, '12000'));
    await send('cpx', takenBack('cpx', person.id, held, '12000'));
    const told = (await toldTo(person)) as [string, Record<string, unknown>][];
    assert.deepEqual(
      told.map(([kind, { amount, about }]) => [kind, amount, about]),
      [
        ['chargeback', '-180', undefined],
        ['held', '12000', undefined],
        ['rejected', '12000', 'earning'],
      ],
      'a repeated reversal is told once',
    );
    assert.equal(newsOf(person).length, 3);
  });
  it('is written for a withdrawal that is rejected or paid', async () => {
    const person = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const [rejected, paid] = [await withdraw(person), await withdraw(person)];
    await site.call('POST', `/api/admin/withdrawals/${rejected}/reject`, {
      as: operator,
      body: { reason: 'Not yours' },
    });
    await database.transaction((tx) => approve(tx, paid, operator.id, approval));
    const lease = await takeLease(platform, 'test-of-notices');
    assert(lease);
    const payout = { withdrawalId: paid, amountUnits: approval.amountUnits };
    await storePayment(database, lease, payout, { reference: 'a'.repeat(64), artifact: 'b' });
    await markBroadcast(database, lease, paid);
    const confirm = () => database.transaction((tx) => confirmPayout(tx, paid));
    const confirmed = (await Promise.all([confirm(), confirm()])).map(({ memberId }) => memberId);
    assert.deepEqual(confirmed.toSorted(), [person.id, null]);
    await lease.release();
    const facts = { method: 'litecoin', amount: '1000' };
    assert.deepEqual(await toldTo(person), [
      [
        'rejected',
        { ...facts, about: 'withdrawal', withdrawalId: rejected, code: 'operator', reason: 'Not yours' },
      ],
      ['paid', { ...facts, withdrawalId: paid, paidAmount: '0.01242236', reference: 'a'.repeat(64) }],
    ]);
  });
  it('exists only if the transaction of the fact commits', async () => {
    const person = await site.member();
    const failed = database.transaction(async (tx) => {
      await add(person, tx);
      throw new Error('the fact did not happen');
    });
    await assert.rejects(failed, /did not happen/);
    await add(person);
    const [only, ...others] = await noticesOf(person);
    assert.deepEqual([only?.id, others], ['1', []]);
  });
  it('keeps numbers without a gap under concurrent facts', async () => {
    const person = await site.member();
    await Promise.all(Array.from({ length: 20 }, () => add(person)));
    const ids = (await noticesOf(person)).map(({ id }) => Number(id));
    assert.deepEqual(
      ids,
      Array.from({ length: 20 }, (_, index) => 20 - index),
    );
    for (const one of await noticesOf(person)) assert.deepEqual(notice.parse(one), one);
  });
});

describe('the news of a notice', () => {
  it('is announced once by concurrent sweeps, for a process that ended after the commit', async () => {
    const [person, other] = [await site.member(), await site.member()];
    await add(person);
    await add(person);
    await add(other);
    await Promise.all(Array.from({ length: 5 }, () => announceLeftNotices(platform)));
    assert.deepEqual(newsOf(person), [
      ['1', 'held'],
      ['2', 'held'],
    ]);
    assert.deepEqual(newsOf(other), [['1', 'held']]);
    await announceLeftNotices(platform);
    assert.equal(newsOf(person).length, 2);
  });
});

describe('the member’s notices', () => {
  it('are paged newest first with the count of unread ones, and only their own', async () => {
    const [person, other] = [await site.member(), await site.member()];
    for (let count = 0; count < 12; count += 1) await add(person);
    await add(other);
    const first = await pageOf(person);
    assert.deepEqual(readNotices.reply.parse(first), first);
    assert.deepEqual(first.pagination, { page: 1, totalPages: 2, totalCount: 12, limit: 10 });
    assert.equal(first.unreadCount, 12);
    assert.deepEqual([first.data[0].id, first.data[9].id], ['12', '3']);
    const second = await pageOf(person, '?page=2');
    assert.deepEqual(
      second.data.map(({ id }: Notice) => id),
      ['2', '1'],
    );
    assert.deepEqual((await pageOf(person, '?page=3')).data, []);
    assert.equal((await pageOf(other)).data.length, 1);
    assert.equal((await site.call('GET', '/api/notices')).status, 401);
    for (const query of ['?page=0', '?limit=101', '?page=x'])
      assert.equal((await site.call('GET', `/api/notices${query}`, { as: person })).status, 400);
  });
  it('are marked as read up to one of them, once and for all browsers', async () => {
    const [person, other] = [await site.member(), await site.member()];
    for (let count = 0; count < 3; count += 1) await add(person);
    await add(other);
    const read = (upTo: string, as = person) =>
      site.call('POST', '/api/notices/read', { as, body: { upTo } });
    const marks = await Promise.all([read('2'), read('2'), read('1')]);
    assert.deepEqual(
      marks.map(({ status }) => status),
      [204, 204, 204],
    );
    const page = await pageOf(person);
    assert.equal(page.unreadCount, 1);
    assert.deepEqual(
      page.data.map(({ readAt }: Notice) => readAt !== null),
      [false, true, true],
    );
    await read('999');
    assert.equal((await pageOf(person)).unreadCount, 0);
    assert.equal((await pageOf(other)).unreadCount, 1);
    for (const upTo of ['0', 'x', '', 3, null])
      assert.equal((await read(upTo as string)).status, 400, String(upTo));
  });
  it('are part of the export', async () => {
    const person = await site.member();
    await add(person);
    const { body } = await site.call('GET', '/api/user/export', { as: person });
    assert.deepEqual(
      body.notices.map(({ kind }: Notice) => kind),
      ['held'],
    );
  });
});

describe('the kinds', () => {
  it('are always mailed by the same rule in SQL and in the contract', async () => {
    for (const kind of noticeKinds) {
      const { isAlways } = await owner.one<{ isAlways: boolean }>(
        sql`select notices.is_always_mailed(${kind}) as "isAlways"`,
      );
      assert.equal(isAlways, alwaysMailed.includes(kind), kind);
    }
  });
});
