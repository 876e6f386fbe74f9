import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { advanceClock, configureClock } from '#platform/clock.ts';
import { type Sql, sql, sqlText } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import {
  auditBooks,
  closeAccountDays,
  type Movement,
  openWallet,
  postAll,
  rebuildAccountDays,
} from './ledger.ts';

const { database, owner, ownerUrl } = await testDatabase({ after });
const MEMBER = 400_000_001;
const OTHER = 400_000_002;

function movement(memberId: number, key: string, changes: Partial<Movement>): Movement {
  const base = {
    kind: 'earning',
    amountPoints: 100n,
    account: 'provider:cpx',
    subject: 'Survey',
  } as const;
  return { memberId, key, ...base, provider: null, transactionId: null, ...changes };
}

beforeEach(async () => {
  await configureClock(ownerUrl, { siteTimezone: 'UTC', mode: 'sandbox' });
  await owner.rows(sql`truncate ledger.movements, ledger.wallets, ledger.account_days`);
  await owner.rows(sql`update ledger.account_days_end set closed_until = '-infinity'`);
  await openWallet(database, MEMBER);
  await openWallet(database, OTHER);
  await postAll(database, [
    movement(MEMBER, 'a', { isTask: true }),
    movement(MEMBER, 'b', { kind: 'withdrawal', amountPoints: -40n, account: 'withdrawals' }),
    movement(MEMBER, 'c', { kind: 'reversal', amountPoints: -100n }),
    movement(MEMBER, 'd', { kind: 'bonus', amountPoints: 5n, account: 'bonus' }),
    movement(OTHER, 'e', { amountPoints: 7n }),
  ]);
});

/** Closes the days of all movements so far, by moving both clocks by a quarter of an hour. */
async function closeAll(): Promise<bigint> {
  await advanceClock(database, 3600n);
  await owner.rows(sql`update platform.clock set advanced_at = '-infinity'`);
  return closeAccountDays(database);
}

test('finds no difference in sound books, with closed and open days', async () => {
  assert.deepEqual(await auditBooks(owner), []);
  assert.equal(await closeAll(), 5n);
  assert.deepEqual(await auditBooks(owner), []);
});

const planted: { name: string; check: string; subject: RegExp; act: Sql }[] = [
  {
    name: 'a balance that was raised',
    check: 'wallets',
    subject: /^400000001$/,
    act: sql`update ledger.wallets set balance = balance + 1 where member_id = ${MEMBER}`,
  },
  {
    name: 'a total that was raised',
    check: 'wallets',
    subject: /^400000001$/,
    act: sql`update ledger.wallets set earned_total = earned_total + 1 where member_id = ${MEMBER}`,
  },
  {
    name: 'a count of tasks that was raised',
    check: 'wallets',
    subject: /^400000001$/,
    act: sql`update ledger.wallets set tasks_completed = 9 where member_id = ${MEMBER}`,
  },
  {
    name: 'a sum of an old day that was raised',
    check: 'wallets',
    subject: /^400000001$/,
    act: sql`update ledger.wallets set day_sums[8] = 1 where member_id = ${MEMBER}`,
  },
  {
    name: 'a count of movements that was raised',
    check: 'wallets',
    subject: /^400000002$/,
    act: sql`update ledger.wallets set movement_count = 2 where member_id = ${OTHER}`,
  },
  {
    name: 'a missing wallet',
    check: 'wallets',
    subject: /^400000002$/,
    act: sql`delete from ledger.wallets where member_id = ${OTHER}`,
  },
  {
    name: 'a balance of a wallet without movements',
    check: 'wallets',
    subject: /^400000003$/,
    act: sql`insert into ledger.wallets (member_id, balance, today) values (400000003, 5, current_date)`,
  },
  {
    name: 'a missing newest movement',
    check: 'wallets',
    subject: /^400000001$/,
    act: sql`delete from ledger.movements where key = 'd'`,
  },
  {
    name: 'a missing movement in the middle',
    check: 'chains',
    subject: /^400000001 movement 3$/,
    act: sql`delete from ledger.movements where key = 'b'`,
  },
  {
    name: 'an amount that was changed',
    check: 'chains',
    subject: /^400000001 movement 4$/,
    act: sql`update ledger.movements set amount = 6 where key = 'd'`,
  },
  {
    name: 'a withdrawal turned into a gain',
    check: 'rules',
    subject: /^400000001 movement 2$/,
    act: sql`update ledger.movements set amount = 40 where key = 'b'`,
  },
  {
    name: 'a withdrawal that overdrew',
    check: 'rules',
    subject: /^400000001 movement 3$/,
    act: sql`update ledger.movements set kind = 'withdrawal' where key = 'c'`,
  },
  {
    name: 'a reversal that counts as earned',
    check: 'rules',
    subject: /^400000001 movement 3$/,
    act: sql`update ledger.movements set earned_delta = -100 where key = 'c'`,
  },
  {
    name: 'a bonus that counts as a task',
    check: 'rules',
    subject: /^400000001 movement 4$/,
    act: sql`update ledger.movements set task_delta = 1 where key = 'd'`,
  },
  {
    name: 'points without a movement',
    check: 'trial-balance',
    subject: /^all accounts$/,
    act: sql`update ledger.wallets set balance = balance + 1 where member_id = ${OTHER}`,
  },
];

for (const { name, check, subject, act } of planted) {
  test(`finds ${name}`, async () => {
    await owner.rows(act);
    const found = await auditBooks(owner);
    assert.ok(
      found.some((difference) => difference.check === check && subject.test(difference.subject)),
      JSON.stringify(found),
    );
  });
}

const replaced: { name: string; signature: string; act: Sql; posts: Partial<Movement> }[] = [
  {
    name: 'an overdraft',
    signature: 'ledger.may_overdraw(text)',
    act: sql`create or replace function ledger.may_overdraw(kind text) returns boolean
      language sql immutable return true`,
    posts: { kind: 'withdrawal', amountPoints: -1_000n, account: 'withdrawals' },
  },
  {
    name: 'a withdrawal that adds points',
    signature: 'ledger.is_sound(text, bigint, text, text, text)',
    act: sql`create or replace function
      ledger.is_sound(kind text, amount bigint, key text, account text, subject text) returns boolean
      language sql immutable return true`,
    posts: { kind: 'withdrawal', amountPoints: 40n, account: 'withdrawals' },
  },
  {
    name: 'an earning that counts twice as earned',
    signature: 'ledger.earned_of(text, bigint)',
    act: sql`create or replace function ledger.earned_of(kind text, amount bigint) returns bigint
      language sql immutable return 2 * amount`,
    posts: {},
  },
  {
    name: 'a bonus that counts as a task',
    signature: 'ledger.tasks_of(text, boolean)',
    act: sql`create or replace function ledger.tasks_of(kind text, is_task boolean) returns integer
      language sql immutable return 1`,
    posts: { kind: 'bonus', account: 'bonus' },
  },
];

for (const { name, signature, act, posts } of replaced) {
  test(`finds ${name} that was posted while the function of its rule was replaced`, async () => {
    const { definition } = await owner.one<{ definition: string }>(
      sql`select pg_get_functiondef(${signature}::regprocedure) as definition`,
    );
    await owner.rows(act);
    try {
      const [posting] = await postAll(database, [movement(OTHER, 'f', posts)]);
      assert.equal(posting?.status, 'posted');
      const found = await auditBooks(owner);
      assert.deepEqual(
        found.map(({ check, subject }) => `${check}: ${subject}`),
        [`rules: ${OTHER} movement 2`],
      );
    } finally {
      await owner.rows(sqlText(definition));
    }
  });
}

test('finds a changed, added or removed sum of a closed day', async () => {
  await closeAll();
  await owner.rows(sql`update ledger.account_days set amount = amount + 1 where account = 'bonus'`);
  await owner.rows(sql`delete from ledger.account_days where account = 'withdrawals'`);
  await owner.rows(sql`insert into ledger.account_days values ('nobody', current_date, 'grant', 1, 1, 1)`);
  const found = (await auditBooks(owner)).filter(({ check }) => check === 'account-days');
  const accounts = found.map(({ subject }) => subject.split(' ')[0]).sort();
  assert.deepEqual(accounts, ['bonus', 'nobody', 'withdrawals']);
});

test('lists each account’s sum in the trial balance', async () => {
  await closeAll();
  await postAll(database, [movement(OTHER, 'f', { amountPoints: 3n })]);
  const rows = await database.rows<{ account: string; balance: string }>(
    sql`select account, balance from ledger.trial_balance() order by account`,
  );
  assert.deepEqual(
    rows.map(({ account, balance }) => `${account} ${balance}`),
    ['bonus -5', 'members -25', 'provider:cpx -10', 'withdrawals 40'],
  );
});

test('counts a movement at the exact end of the closed time once', async () => {
  await owner.rows(sql`
    update ledger.account_days_end set closed_until = (select min(posted_at) from ledger.movements)`);
  assert.deepEqual(await auditBooks(owner), []);
  assert.equal(await closeAll(), 5n);
  assert.deepEqual(await auditBooks(owner), []);
});

test('adds up a day that is closed in two steps', async () => {
  await closeAll();
  const { amount: first } = await owner.one<{ amount: string }>(sql`
    select amount from ledger.account_days where account = 'provider:cpx' and kind = 'earning'`);
  const again = movement(OTHER, 'same day', { amountPoints: 3n });
  await postAll(database, [again]);
  await owner.rows(sql`
    update ledger.movements set site_day = (select site_day from ledger.account_days where account = 'bonus')
    where key = 'same day'`);
  assert.equal(await closeAll(), 1n);
  const { amount: both } = await owner.one<{ amount: string }>(sql`
    select amount from ledger.account_days where account = 'provider:cpx' and kind = 'earning'`);
  assert.equal(Number(both), Number(first) + 3);
  assert.deepEqual(
    (await auditBooks(owner)).filter(({ check }) => check !== 'wallets'),
    [],
  );
});

test('closes days once, and not while a transaction with the former clock may still commit', async () => {
  assert.equal(await closeAccountDays(database), 0n);
  await advanceClock(database, 3600n);
  assert.equal(await closeAccountDays(database), 0n);
  assert.equal(await closeAll(), 5n);
  assert.equal(await closeAll(), 0n);
  assert.deepEqual(await auditBooks(owner), []);
});

test('rebuilds wallets from imported movements', async () => {
  const wallets = sql`select * from ledger.wallets order by member_id`;
  const before = await owner.rows(wallets);
  await owner.rows(sql`delete from ledger.wallets`);
  await owner.rows(sql`select ledger.rebuild_wallets(${[MEMBER]})`);
  await owner.rows(sql`select ledger.rebuild_wallets(null)`);
  assert.deepEqual(await owner.rows(wallets), before);
  assert.deepEqual(await auditBooks(owner), []);
});

/** Closes the days as if this process's clock were this many seconds ahead of the database's, or behind it. */
const closeAt = async (seconds: number) => {
  await owner.rows(sql`update platform.clock set advanced_at = '-infinity'`);
  return closeAccountDays(database, new Date(Date.now() + seconds * 1_000));
};
const readEnd = () =>
  owner.one<{ isAhead: boolean }>(sql`
    select closed_until > platform.business_now() as "isAhead" from ledger.account_days_end`);

test('closes no day beyond the clock of the database or of the process, whichever is behind', async () => {
  await advanceClock(database, 3600n);
  assert.equal(await closeAt(-7_200), 0n);
  assert.equal(await closeAt(7_200), 5n);
  assert.deepEqual(await readEnd(), { isAhead: false });
});

test('finds closed days that end in the future, and rebuilds them', async () => {
  await closeAll();
  await owner.rows(sql`update ledger.account_days_end set closed_until = now() + interval '9 days'`);
  await postAll(database, [movement(OTHER, 'after the clock was right again', { amountPoints: 3n })]);
  assert.equal(await closeAt(0), 0n);
  const checks = (await auditBooks(owner)).map(({ check }) => check);
  for (const check of ['account-days', 'account-days-end', 'trial-balance'])
    assert.ok(checks.includes(check), `${check}: ${checks}`);
  assert.equal(await rebuildAccountDays(owner), 5n);
  assert.deepEqual(await readEnd(), { isAhead: false });
  assert.deepEqual(await auditBooks(owner), []);
});
