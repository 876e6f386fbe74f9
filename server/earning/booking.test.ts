import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { ensureAccount } from '../access/access.ts';
import { auditBooks } from '../ledger/audit.ts';
import { createBooking } from './postbacks.ts';
import { type Booked, type Call as BookedCall, bookCalls, bookCredit } from './queries.ts';

/** Booking, straight at the two SQL functions, every case through both of them. */
type Call = Partial<Omit<BookedCall, 'points'>> & { points?: number | null };

const test = await testDatabase({ after });
let count = 0;

const newMember = async (): Promise<number> => {
  count += 1;
  const account = {
    email: `m${count}@example.com`,
    password: 'pw-long-enough',
    firstName: 'M',
    lastName: null,
  };
  return (await ensureAccount(test.database, { ...account, role: 'user' })).id;
};
const newTransaction = (): string => {
  count += 1;
  return `tx-${count}`;
};

const complete = ({ points = 180, ...call }: Call): BookedCall => ({
  kind: 'credit',
  provider: 'cpx',
  transaction_id: 'none',
  credit_transaction_id: call.transaction_id ?? 'none',
  member_ref: '',
  points: points === null ? null : String(points),
  payout_micro_usd: null,
  subject: 'Offer',
  is_screen_out: false,
  hold_reason: null,
  raw: 'GET /x',
  address: '127.0.0.1',
  verdict: null,
  detail: '',
  ...call,
});

const bookAll = (calls: Call[]): Promise<Booked[]> => bookCalls(test.database, calls.map(complete));
const bookOne = (call: Call): Promise<Booked> => bookCredit(test.database, complete(call));

const balanceOf = async (memberId: number) =>
  (
    await test.database.one<{ balance: bigint }>(
      sql`select balance from ledger.wallets where member_id = ${memberId}`,
    )
  ).balance;

const paths: [string, (call: Call) => Promise<Booked>][] = [
  ['the path of one', bookOne],
  ['the path of many', async (call) => (await bookAll([call]))[0] as Booked],
];

for (const [name, book] of paths)
  describe(`a credit on ${name}`, () => {
    it('is booked, and said to be a task', async () => {
      const memberId = await newMember();
      const booked = await book({ transaction_id: newTransaction(), member_ref: String(memberId) });
      assert.deepEqual({ ...booked }, { verdict: 'credited', member_id: memberId, balance: 180n });
      const wallet = await test.database.one<{ tasks_completed: number; earned_total: bigint }>(
        sql`select tasks_completed, earned_total from ledger.wallets where member_id = ${memberId}`,
      );
      assert.deepEqual({ ...wallet }, { tasks_completed: 1, earned_total: 180n });
    });
    it('is no task when it is a screen-out', async () => {
      const memberId = await newMember();
      await book({
        transaction_id: newTransaction(),
        member_ref: String(memberId),
        is_screen_out: true,
        points: 5,
      });
      const wallet = await test.database.one<{ tasks_completed: number }>(
        sql`select tasks_completed from ledger.wallets where member_id = ${memberId}`,
      );
      assert.equal(wallet.tasks_completed, 0);
      assert.equal(await balanceOf(memberId), 5n);
    });
    it('is booked once, however often it comes', async () => {
      const member_ref = String(await newMember());
      const transaction_id = newTransaction();
      assert.equal((await book({ transaction_id, member_ref })).verdict, 'credited');
      assert.equal((await book({ transaction_id, member_ref })).verdict, 'duplicate');
      assert.equal((await book({ transaction_id, member_ref, points: 999 })).verdict, 'duplicate-different');
      const other = String(await newMember());
      assert.equal((await book({ transaction_id, member_ref: other })).verdict, 'duplicate-different');
      assert.equal(await balanceOf(Number(member_ref)), 180n);
      assert.equal(await balanceOf(Number(other)), 0n);
    });
    it('waits for an operator from 10,000 points on, and not below', async () => {
      const memberId = await newMember();
      const member_ref = String(memberId);
      const below = await book({ transaction_id: newTransaction(), member_ref, points: 9_999 });
      assert.equal(below.verdict, 'credited');
      const held = await book({ transaction_id: newTransaction(), member_ref, points: 10_000 });
      assert.equal(held.verdict, 'held');
      assert.equal(await balanceOf(memberId), 9_999n);
    });
    it('waits when it comes from a strange place or the member is under review', async () => {
      const member_ref = String(await newMember());
      const strange = await book({ transaction_id: newTransaction(), member_ref, hold_reason: 'source' });
      assert.equal(strange.verdict, 'held');
      await test.database.rows(sql`
        insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
        values (${Number(member_ref)}, 'test', 'warning', 'earnings_blocked', platform.business_now())`);
      assert.equal((await book({ transaction_id: newTransaction(), member_ref })).verdict, 'held');
      assert.equal(await balanceOf(Number(member_ref)), 0n);
    });
    it('for nobody, or for somebody who left, is kept in quarantine', async () => {
      for (const member_ref of ['999999999', 'someone', '', '0']) {
        const booked = await book({ transaction_id: newTransaction(), member_ref });
        assert.equal(booked.verdict, 'quarantined');
      }
      const memberId = await newMember();
      await test.owner.rows(sql`select ledger.close_wallet(${memberId})`);
      const left = await book({ transaction_id: newTransaction(), member_ref: String(memberId) });
      assert.equal(left.verdict, 'quarantined');
      assert.equal(await balanceOf(memberId), 0n);
    });
    it('takes along the reversal that came before it', async () => {
      const memberId = await newMember();
      const member_ref = String(memberId);
      const transaction_id = newTransaction();
      const early = { kind: 'reversal', transaction_id, member_ref, points: 100 } as const;
      assert.equal((await bookAll([early]))[0]?.verdict, 'quarantined');
      assert.equal((await book({ transaction_id, member_ref })).verdict, 'credited');
      assert.equal(await balanceOf(memberId), 80n);
      assert.equal((await bookAll([early]))[0]?.verdict, 'duplicate');
      assert.equal(await balanceOf(memberId), 80n);
    });
  });

describe('a reversal', () => {
  const credited = async (points = 180) => {
    const memberId = await newMember();
    const transaction_id = newTransaction();
    await bookOne({ transaction_id, member_ref: String(memberId), points });
    return { memberId, member_ref: String(memberId), transaction_id };
  };
  const reverse = async (call: Call) => (await bookAll([{ kind: 'reversal', ...call }]))[0] as Booked;

  it('takes the smaller of what it names and what is left', async () => {
    const { memberId, member_ref, transaction_id } = await credited();
    const part = { credit_transaction_id: transaction_id, member_ref };
    assert.equal(
      (await reverse({ ...part, transaction_id: `r1-${transaction_id}`, points: 50 })).verdict,
      'reversed',
    );
    assert.equal(await balanceOf(memberId), 130n);
    assert.equal(
      (await reverse({ ...part, transaction_id: `r2-${transaction_id}`, points: 999 })).verdict,
      'reversed',
    );
    assert.equal(await balanceOf(memberId), 0n);
    const late = await reverse({ ...part, transaction_id: `r3-${transaction_id}`, points: null });
    assert.equal(late.verdict, 'nothing-left');
    assert.equal(await balanceOf(memberId), 0n);
  });
  it('without an amount takes all, and below zero when it was spent', async () => {
    const { memberId, member_ref, transaction_id } = await credited(1_000);
    await test.owner.rows(sql`
      select ledger.post_one(${memberId}, ${`w:${memberId}`}, 'withdrawal', -1000, 'withdrawals', 'w', null, null,
        false)`);
    assert.equal((await reverse({ transaction_id, member_ref, points: null })).verdict, 'reversed');
    assert.equal(await balanceOf(memberId), -1_000n);
  });
  it('has one effect, however often it comes', async () => {
    const { memberId, member_ref, transaction_id } = await credited();
    const call = { transaction_id, member_ref, points: 30 };
    const all = await Promise.all(Array.from({ length: 20 }, () => reverse(call)));
    assert.equal(all.filter(({ verdict }) => verdict === 'reversed').length, 1);
    assert.equal(await balanceOf(memberId), 150n);
  });
  it('naming another member takes nothing from anybody', async () => {
    const { memberId, transaction_id } = await credited();
    const other = await newMember();
    assert.equal((await reverse({ transaction_id, member_ref: String(other) })).verdict, 'quarantined');
    assert.equal(await balanceOf(memberId), 180n);
    assert.equal(await balanceOf(other), 0n);
  });
  it('of an earning that is still held rejects it', async () => {
    const memberId = await newMember();
    const transaction_id = newTransaction();
    const member_ref = String(memberId);
    await bookOne({ transaction_id, member_ref, points: 20_000 });
    assert.equal((await reverse({ transaction_id, member_ref })).verdict, 'hold-rejected');
    assert.equal((await reverse({ transaction_id, member_ref })).verdict, 'duplicate');
    const earning = await test.database.one<{ state: string; held_id: bigint }>(
      sql`select state, held_id from earning.earnings where transaction_id = ${transaction_id}`,
    );
    assert.equal(earning.state, 'rejected');
    const decided = await test.database.one<{ is_decided_now: boolean }>(
      sql`select * from earning.decide(${earning.held_id}, 'approve', ${memberId}, null)`,
    );
    assert.equal(decided.is_decided_now, false);
    assert.equal(await balanceOf(memberId), 0n);
  });
});

describe('a batch', () => {
  it('judges each call alone, duplicates inside it included', async () => {
    const a = String(await newMember());
    const b = String(await newMember());
    const [t1, t2, t3] = [newTransaction(), newTransaction(), newTransaction()];
    const booked = await bookAll([
      { transaction_id: t1, member_ref: a },
      { kind: 'nothing', transaction_id: 'n', verdict: 'zero-amount' },
      { transaction_id: t1, member_ref: a },
      { kind: 'reversal', transaction_id: t2, member_ref: b, points: 30 },
      { transaction_id: t2, member_ref: b },
      { transaction_id: t3, member_ref: 'nobody' },
      { transaction_id: newTransaction(), member_ref: a, points: 50_000 },
    ]);
    assert.deepEqual(
      booked.map(({ verdict }) => verdict),
      ['credited', 'zero-amount', 'duplicate', 'reversed', 'credited', 'quarantined', 'held'],
    );
    assert.equal(await balanceOf(Number(a)), 180n);
    assert.equal(await balanceOf(Number(b)), 150n);
  });
  it('and its neighbours never lock one another out', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, newMember));
    const ids = Array.from({ length: 40 }, newTransaction);
    const rounds = Array.from({ length: 12 }, (_, round) =>
      bookAll(
        ids
          .map((id, index) => ({ transaction_id: id, member_ref: String(members[(index * 7) % 6]) }))
          .sort((x, y) => (round % 2 === 0 ? 1 : -1) * x.transaction_id.localeCompare(y.transaction_id)),
      ),
    );
    const verdicts = (await Promise.all(rounds)).flat().map(({ verdict }) => verdict);
    assert.equal(verdicts.filter((verdict) => verdict === 'credited').length, ids.length);
    assert.equal(verdicts.filter((verdict) => verdict === 'duplicate').length, ids.length * 11);
  });
  it('keeps every raw call with its verdict', async () => {
    const member_ref = String(await newMember());
    const transaction_id = newTransaction();
    await bookAll([
      { transaction_id, member_ref },
      { transaction_id, member_ref },
    ]);
    const kept = await test.database.rows<{ verdict: string }>(
      sql`select verdict from earning.postbacks where transaction_id = ${transaction_id} order by id`,
    );
    assert.deepEqual(kept.map(({ verdict }) => verdict).sort(), ['credited', 'duplicate']);
  });
});

it('leaves books that balance', async () => {
  assert.deepEqual(await auditBooks(test.owner), []);
});

describe('calls that come at once and name one transaction', () => {
  const book = createBooking(test.database);

  it('are judged as one after the other, though a member was unknown to the first', async () => {
    const memberId = await newMember();
    const call = { transaction_id: newTransaction() };
    const named = { ...call, member_ref: String(memberId) };
    const calls = [{ ...call, member_ref: '999999998' }, named, named];
    const booked = await Promise.all(calls.map((each) => book(complete(each))));
    assert.deepEqual(booked.map(({ verdict }) => verdict).sort(), ['credited', 'duplicate', 'quarantined']);
    assert.equal(await balanceOf(memberId), 180n);
  });
  it('credit one member, whoever else is named', async () => {
    const [first, second] = [await newMember(), await newMember()];
    const call = { transaction_id: newTransaction() };
    const calls = [first, second].map((member) => ({ ...call, member_ref: String(member) }));
    const booked = await Promise.all(calls.map((each) => book(complete(each))));
    assert.deepEqual(
      booked.map(({ verdict }) => verdict),
      ['credited', 'duplicate-different'],
    );
    assert.deepEqual([await balanceOf(first), await balanceOf(second)], [180n, 0n]);
    assert.deepEqual(await auditBooks(test.owner), []);
  });
});
