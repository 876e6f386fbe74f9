import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { z } from 'zod';
import { pagination } from '#contract/fields.ts';
import { historyEntry } from '#contract/ledger.ts';
import { advanceClock, changeTimezone, configureClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import {
  auditBooks,
  bookReader,
  type Movement,
  type Names,
  openWallet,
  post,
  postAll,
  readEarningsChart,
  readStats,
} from './ledger.ts';

const books = await testDatabase({ after });
const { database } = books;
const names: Names = {
  providers: new Map([['cpx', 'CPX Research']]),
  methods: new Map([['litecoin', 'Litecoin']]),
};
const readNames = async () => names;
const newReader = () => bookReader(database, readNames);
const readHistory = async (memberId: number, page: { page: number; limit: number }) =>
  strictHistory.parse(JSON.parse(await newReader().readHistoryText(memberId, page)));
const strictHistory = z.strictObject({
  data: z.array(z.strictObject(historyEntry.shape)),
  pagination: z.strictObject(pagination.shape),
});
const DAY_SECONDS = 86_400n;
let member = 200_000_000;
let keyCount = 0;

beforeEach(async () => {
  await configureClock(books.ownerUrl, { siteTimezone: 'UTC', mode: 'sandbox' });
  member += 1;
  await openWallet(database, member);
});

function credit(amountPoints: bigint): Movement {
  keyCount += 1;
  const words = { account: 'provider:cpx', subject: `Survey ${keyCount}` };
  const transactionId = String(keyCount);
  return {
    memberId: member,
    key: transactionId,
    kind: 'earning',
    amountPoints,
    ...words,
    provider: 'cpx',
    transactionId,
  };
}

test('reads a movement as it was posted', async () => {
  await post(database, { ...credit(120n), subject: 'Coffee', transactionId: 'tx-9' });
  const { data, pagination } = await readHistory(member, { page: 1, limit: 10 });
  assert.deepEqual(pagination, { page: 1, totalPages: 1, totalCount: 1, limit: 10 });
  const { createdAt, ...entry } = data[0] ?? assert.fail();
  assert.ok(Math.abs(Date.parse(createdAt) - Date.now()) < 60_000);
  assert.deepEqual(entry, {
    id: '1',
    amount: '120',
    description: 'CPX Research: Coffee',
    kind: 'earning',
    provider: 'cpx',
    txId: 'tx-9',
    sourceName: 'CPX Research',
    subject: 'Coffee',
    isScreenOut: true,
  });
});

test('§1-7 member data: reads pages newest first, without gap or overlap, and empty beyond the last', async () => {
  await postAll(
    database,
    Array.from({ length: 25 }, () => credit(1n)),
  );
  const idsOf = async (page: number, limit: number) =>
    (await readHistory(member, { page, limit })).data.map(({ id }) => Number(id));
  const downFrom = (from: number, to: number) =>
    Array.from({ length: from - to + 1 }, (_, index) => from - index);
  assert.deepEqual(await idsOf(1, 10), downFrom(25, 16));
  assert.deepEqual(await idsOf(2, 10), downFrom(15, 6));
  assert.deepEqual(await idsOf(3, 10), downFrom(5, 1));
  assert.deepEqual(await idsOf(4, 10), []);
  assert.deepEqual(await idsOf(999_999_999, 100), []);
  assert.deepEqual(await idsOf(1, 100), downFrom(25, 1));
  const { pagination } = await readHistory(member, { page: 4, limit: 10 });
  assert.deepEqual(pagination, { page: 4, totalPages: 3, totalCount: 25, limit: 10 });
});

test('sends a cached page only to its member and only until a movement is posted, at any size', async () => {
  const { readHistoryText: read } = newReader();
  const idsOf = async (memberId: number, limit: number, page = 1) =>
    JSON.parse(await read(memberId, { page, limit })).data.map(({ id }: { id: string }) => Number(id));
  assert.deepEqual(await idsOf(member, 10), []);
  await postAll(database, [credit(1n), credit(1n), credit(1n)]);
  assert.deepEqual(await idsOf(member, 10), [3, 2, 1]);
  assert.deepEqual(await idsOf(member, 10), [3, 2, 1]);
  assert.deepEqual(await idsOf(member, 2), [3, 2]);
  assert.deepEqual(await idsOf(member, 2, 2), [1]);
  const other = member + 50_000;
  await openWallet(database, other);
  assert.deepEqual(await idsOf(other, 10), []);
  await post(database, credit(1n));
  assert.deepEqual(await idsOf(member, 10), [4, 3, 2, 1]);
  assert.equal(
    await read(member, { page: 1, limit: 10 }),
    await newReader().readHistoryText(member, { page: 1, limit: 10 }),
  );
});

test('§1-3 figures of a member: reads each concurrent caller’s own wallet, current at the call', async () => {
  const members = Array.from({ length: 100 }, (_, index) => member + 60_000 + index);
  const reader = newReader();
  for (const each of members) await openWallet(database, each);
  await postAll(
    database,
    members.map((memberId, index) => ({ ...credit(BigInt(index + 1)), memberId })),
  );
  const first = members.map((each) => reader.readStats(each));
  await post(database, { ...credit(1_000n), memberId: members[99] as number });
  const second = reader.readStats(members[99] as number);
  assert.deepEqual(
    (await Promise.all(first)).slice(0, 99).map(({ balance }) => Number(balance)),
    members.slice(0, 99).map((_, index) => index + 1),
  );
  assert.equal((await second).balance, '1100');
  await assert.rejects(reader.readStats(member + 70_000), /has no wallet/);
});

test('§1-3 history entry: writes a page exactly in the contract’s shape, with any text of a provider', async () => {
  const subject = 'CPX: "quoted" \\ back, 50 % <b>, tab\t, line\n, 한국어, \u{1f600}, \u0001';
  await post(database, { ...credit(7n), subject, transactionId: 'a"b\\c' });
  await post(database, { ...credit(5n), provider: null, transactionId: null });
  const text = await newReader().readHistoryText(member, { page: 1, limit: 10 });
  const page = strictHistory.parse(JSON.parse(text));
  assert.deepEqual(
    page.data.map(({ provider, txId }) => [provider, txId]),
    [
      [null, null],
      ['cpx', 'a"b\\c'],
    ],
  );
  assert.equal(page.data[1]?.subject, subject);
  assert.equal(page.data[1]?.description, `CPX Research: ${subject}`);
  for (const { createdAt } of page.data) assert.equal(createdAt, new Date(createdAt).toISOString());
});

test('reads one empty page for a new member', async () => {
  const { data, pagination } = await readHistory(member, { page: 1, limit: 10 });
  assert.deepEqual(data, []);
  assert.deepEqual(pagination, { page: 1, totalPages: 1, totalCount: 0, limit: 10 });
});

test("counts today's earnings and the chart by site days", async () => {
  const amounts = [10n, 0n, 30n, 40n, 50n, 60n, 70n, 80n, 90n];
  for (const [index, amount] of amounts.entries()) {
    if (amount > 0n) await postAll(database, [credit(amount - 1n), credit(1n)]);
    if (index < amounts.length - 1) await advanceClock(database, DAY_SECONDS);
  }
  const chart = await readEarningsChart(database, member);
  assert.deepEqual(
    chart.map(({ amount }) => amount),
    ['30', '40', '50', '60', '70', '80', '90'],
  );
  const days = chart.map(({ date }) => Date.parse(date) / 86_400_000);
  assert.deepEqual(
    days.map((day) => day - (days[0] ?? 0)),
    [0, 1, 2, 3, 4, 5, 6],
  );
  const stats = await readStats(database, member);
  assert.equal(stats.todayEarned, '90');
  assert.equal(stats.totalEarned, '430');
  assert.deepEqual(await auditBooks(books.owner), []);
});

test('shifts the chart by days without a movement', async () => {
  await post(database, credit(10n));
  await advanceClock(database, DAY_SECONDS * 2n);
  assert.equal((await readStats(database, member)).todayEarned, '0');
  const amountsOf = async () => (await readEarningsChart(database, member)).map(({ amount }) => amount);
  assert.deepEqual(await amountsOf(), ['0', '0', '0', '0', '10', '0', '0']);
  await advanceClock(database, DAY_SECONDS * 4n);
  assert.deepEqual(await amountsOf(), ['10', '0', '0', '0', '0', '0', '0']);
  await advanceClock(database, DAY_SECONDS);
  assert.deepEqual(await amountsOf(), ['0', '0', '0', '0', '0', '0', '0']);
  await advanceClock(database, DAY_SECONDS * 30n);
  await post(database, credit(7n));
  assert.deepEqual(await amountsOf(), ['0', '0', '0', '0', '0', '0', '7']);
  assert.equal((await readStats(database, member)).totalEarned, '17');
  assert.deepEqual(await auditBooks(books.owner), []);
});

test('keeps the day sums when a change of time zone moves the site day back', async () => {
  await changeTimezone(books.owner, 'Pacific/Kiritimati');
  await post(database, credit(10n));
  await changeTimezone(books.owner, 'Pacific/Pago_Pago');
  await post(database, credit(5n));
  await postAll(database, [credit(2n)]);
  const { days } = await database.one<{ days: number }>(sql`
    select count(distinct site_day)::integer as days from ledger.movements where member_id = ${member}`);
  assert.equal(days, 2);
  const stats = await readStats(database, member);
  assert.equal(stats.todayEarned, '7');
  assert.equal(stats.totalEarned, '17');
  assert.deepEqual(await auditBooks(books.owner), []);
});

test('§1-3 chart of earnings: counts only earned points in the chart, on their day', async () => {
  await post(database, credit(100n));
  const withdrawal: Movement = {
    ...credit(1n),
    kind: 'withdrawal',
    amountPoints: -60n,
    account: 'withdrawals',
  };
  await post(database, withdrawal);
  await post(database, { ...credit(1n), kind: 'reversal', amountPoints: -100n });
  assert.equal((await readEarningsChart(database, member)).at(-1)?.amount, '100');
  assert.deepEqual(await readStats(database, member), {
    balance: '0',
    debt: '60',
    totalEarned: '100',
    todayEarned: '100',
    completedTasks: 0,
  });
});

for (const path of ['alone', 'in a batch'] as const) {
  test(`keeps the day sums after a debit ${path} on the next day`, async () => {
    await post(database, credit(100n));
    await advanceClock(database, DAY_SECONDS);
    const debit: Movement = { ...credit(1n), kind: 'withdrawal', amountPoints: -60n, account: 'withdrawals' };
    await (path === 'alone' ? post(database, debit) : postAll(database, [debit]));
    const amounts = (await readEarningsChart(database, member)).map(({ amount }) => amount);
    assert.deepEqual(amounts.slice(-2), ['100', '0']);
    assert.deepEqual(await auditBooks(books.owner), []);
  });
}
