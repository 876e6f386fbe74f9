import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { testSite } from '../../test/site.ts';
import { advanceIntoSiteDay } from '../../test/site-day.ts';
import { keepTrialBalance, readKeptTrialBalance } from './trial-balance.ts';

/** The kept trial balance, and the movements of accounts by site day. */
const site = await testSite({ after });
const { database, owner, call } = site;
await advanceIntoSiteDay(owner);
const [first, second] = [await site.member(), await site.member()];

type Post = { member?: number; key: string; kind: string; amount: number; account: string };
const post = ({ member = first.id, key, kind, amount, account }: Post) => {
  const [, provider = null] = /^provider:(.+)$/.exec(account) ?? [];
  return owner.one<{ status: string }>(sql`
    select status from ledger.post_one(${member}, ${key}, ${kind}, ${amount}::bigint, ${account}, 'Subject',
      ${provider}, ${provider === null ? null : key.split(':')[1]}, false)`);
};
const books = async () => (await call('GET', '/api/admin/books', { as: operator })).body;
const days = async (query = '') => call('GET', `/api/admin/books/days?${query}`, { as: operator });
const balanceOf = async (account: string) =>
  (await books()).accounts.find((one: { account: string }) => one.account === account)?.balance;

await post({ key: 'cpx:a:credit', kind: 'earning', amount: 5_000, account: 'provider:cpx' });
await advanceClock(owner, 40n * 86_400n);
await post({ key: 'cpx:b:credit', kind: 'earning', amount: 700, account: 'provider:cpx' });
await post({ key: 'cpx:a:reversal', kind: 'reversal', amount: -5_900, account: 'provider:cpx' });
await post({ member: second.id, key: 'gift:1', kind: 'grant', amount: 300, account: 'grants' });
// A session does not outlive so many days.
const operator = await site.member({ role: 'admin' });

describe('the trial balance', () => {
  it('is empty before it was added up, and says so', async () => {
    const { takenAt, accounts, sum } = await books();
    assert.deepEqual([takenAt, accounts, sum], [null, [], '0']);
  });

  it('holds each account with its group, the debtors, and what providers owe by month', async () => {
    await keepTrialBalance(database);
    const { takenAt, accounts, sum, debtors, receivables } = await books();
    assert.ok(Date.parse(takenAt) > 0);
    assert.deepEqual(accounts, [
      { account: 'provider:cpx', name: 'CPX Research', group: 'receivables', balance: '200' },
      { account: 'grants', name: null, group: 'costs', balance: '-300' },
      { account: 'members', name: null, group: 'owed', balance: '100' },
    ]);
    assert.equal(sum, '0');
    assert.deepEqual(debtors, { count: 1, points: '200' });
    const [cpx, ...others] = receivables;
    assert.deepEqual(others, []);
    assert.equal(cpx.name, 'CPX Research');
    assert.equal(cpx.thisMonth, '-5200');
    assert.equal(BigInt(cpx.lastMonth) + BigInt(cpx.earlier), 5_000n);
  });

  it('shows a wallet that differs from the movements as a sum that is not zero', async () => {
    await owner.rows(sql`update ledger.wallets set balance = balance + 7 where member_id = ${second.id}`);
    await advanceClock(owner, 60n);
    await keepTrialBalance(database);
    assert.equal((await books()).sum, '7');
    await owner.rows(sql`update ledger.wallets set balance = balance - 7 where member_id = ${second.id}`);
  });

  it('is added up once a minute on a site of several nodes, and anew after a clock that was ahead', async () => {
    await advanceClock(owner, 60n);
    await keepTrialBalance(database);
    await post({ member: second.id, key: 'gift:2', kind: 'grant', amount: 50, account: 'grants' });
    await Promise.all([keepTrialBalance(database), keepTrialBalance(database)]);
    assert.equal(await balanceOf('grants'), '-300');
    await owner.rows(sql`update ledger.trial_balances set taken_at = taken_at + interval '1 year'`);
    await keepTrialBalance(database);
    assert.equal(await balanceOf('grants'), '-350');
  });

  it('is read without a look at wallets and movements', async () => {
    const names = async () => ({ providers: new Map(), methods: new Map() });
    const read = await owner.transaction(async (tx) => {
      const before = await tablesReadBeyond(tx, -1);
      await readKeptTrialBalance(tx, names, async () => '0');
      return tablesReadBeyond(tx, 0, before);
    });
    assert.deepEqual(
      read.map(({ name }) => name),
      ['trial_balances'],
    );
  });
});

describe('the days of accounts', () => {
  it('list the changes of a month by day and kind, with the balance before and after', async () => {
    const { body } = await days('account=provider:cpx');
    const { firstMonth, lastMonth, month, account } = body;
    assert.equal(month, lastMonth);
    assert.ok(firstMonth < lastMonth, firstMonth);
    assert.equal(account.name, 'CPX Research');
    const changes = body.days.map(({ kind, movements, points }: Record<string, unknown>) => [
      kind,
      movements,
      points,
    ]);
    assert.deepEqual(changes, [
      ['earning', 1, '-700'],
      ['reversal', 1, '5900'],
    ]);
    assert.deepEqual([account.before, account.after], ['-5000', '200']);
    const former = (await days(`account=provider:cpx&month=${firstMonth}`)).body;
    assert.deepEqual([former.account.before, former.account.after], ['0', '-5000']);
  });

  it('add up all members as one account', async () => {
    const { body } = await days('account=members');
    assert.equal(body.account.after, '150');
    assert.ok(body.days.every(({ account }: { account: string }) => account === 'members'));
  });

  it('are sent as CSV, of all house accounts or of one', async () => {
    const { headers, body } = await days('format=csv');
    assert.match(headers.get('content-disposition') ?? '', /filename="days\.csv"/);
    const lines = String(body).trim().split('\r\n');
    assert.equal(lines[0], 'day,account,kind,movements,points');
    assert.equal(lines.length, 4);
    assert.equal(
      String((await days('format=csv&account=grants')).body)
        .trim()
        .split('\r\n').length,
      2,
    );
  });

  it('refuse an account without movements and a month that is none', async () => {
    assert.equal((await days('account=provider:nobody')).status, 404);
    assert.equal((await days('month=2026-13')).status, 400);
  });
});

describe('what is owed', () => {
  it('tells what is owed from debts, and requests from what was paid', async () => {
    const key = 'withdrawal:00000000-0000-4000-8000-000000000001';
    await post({ member: second.id, key, kind: 'withdrawal', amount: -100, account: 'withdrawals' });
    await owner.rows(sql`update withdrawals.totals set paid_points = 40`);
    await advanceClock(owner, 60n);
    await keepTrialBalance(database);
    const { accounts, owed, sums, sum, debtors, due } = await books();
    assert.deepEqual(accounts, [
      { account: 'provider:cpx', name: 'CPX Research', group: 'receivables', balance: '200' },
      { account: 'grants', name: null, group: 'costs', balance: '-350' },
      { account: 'members', name: null, group: 'owed', balance: '50' },
      { account: 'withdrawals', name: null, group: 'owed', balance: '60' },
      { account: 'withdrawals', name: null, group: 'paid', balance: '40' },
    ]);
    // The first member owes 200, the second one has 250 left.
    assert.deepEqual(owed, { balances: '250', requested: '60', sum: '310' });
    assert.deepEqual(debtors, { count: 1, points: '200' });
    assert.deepEqual(sums, { debit: '350', credit: '350' });
    assert.deepEqual([sum, due], ['0', '-200']);
  });
});
