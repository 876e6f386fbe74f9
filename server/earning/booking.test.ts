import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { ensureAccount } from '../access/access.ts';
import { auditBooks } from '../ledger/audit.ts';
import { createBooking } from './postbacks.ts';
import { type Booked, type Call as BookedCall, bookCalls, bookCredit } from './queries.ts';

/** Tests the two SQL functions that book. All cases of a credit run through both. */
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
  transactionId: 'none',
  creditTransactionId: call.transactionId ?? 'none',
  memberRef: '',
  points: points === null ? null : String(points),
  payoutMicroUsd: null,
  subject: 'Offer',
  isScreenOut: false,
  holdReason: null,
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
  ['the single path', bookOne],
  ['the batch path', async (call) => (await bookAll([call]))[0] as Booked],
];

for (const [name, book] of paths)
  describe(`a credit on ${name}`, () => {
    it('is booked and counts as a completed task', async () => {
      const memberId = await newMember();
      const booked = await book({ transactionId: newTransaction(), memberRef: String(memberId) });
      assert.deepEqual({ ...booked }, { verdict: 'credited', memberId: memberId, balance: 180n });
      const wallet = await test.database.one<{ tasksCompleted: number; earnedTotal: bigint }>(
        sql`select tasks_completed as "tasksCompleted",
          earned_total as "earnedTotal" from ledger.wallets where member_id = ${memberId}`,
      );
      assert.deepEqual({ ...wallet }, { tasksCompleted: 1, earnedTotal: 180n });
    });
    it('does not count as a task if it is a screen-out', async () => {
      const memberId = await newMember();
      await book({
        transactionId: newTransaction(),
        memberRef: String(memberId),
        isScreenOut: true,
        points: 5,
      });
      const wallet = await test.database.one<{ tasksCompleted: number }>(
        sql`select tasks_completed as "tasksCompleted" from ledger.wallets where member_id = ${memberId}`,
      );
      assert.equal(wallet.tasksCompleted, 0);
      assert.equal(await balanceOf(memberId), 5n);
    });
    it('is booked once for repeated calls', async () => {
      const memberRef = String(await newMember());
      const transactionId = newTransaction();
      assert.equal((await book({ transactionId, memberRef })).verdict, 'credited');
      assert.equal((await book({ transactionId, memberRef })).verdict, 'duplicate');
      assert.equal((await book({ transactionId, memberRef, points: 999 })).verdict, 'duplicate-different');
      const other = String(await newMember());
      assert.equal((await book({ transactionId, memberRef: other })).verdict, 'duplicate-different');
      assert.equal(await balanceOf(Number(memberRef)), 180n);
      assert.equal(await balanceOf(Number(other)), 0n);
    });
    it('§1-9 large credits: is held from 10,000 points on, and not below', async () => {
      const memberId = await newMember();
      const memberRef = String(memberId);
      const below = await book({ transactionId: newTransaction(), memberRef, points: 9_999 });
      assert.equal(below.verdict, 'credited');
      const held = await book({ transactionId: newTransaction(), memberRef, points: 10_000 });
      assert.equal(held.verdict, 'held');
      assert.equal(await balanceOf(memberId), 9_999n);
    });
    it('is held if it comes from an unlisted address or the member is under review', async () => {
      const memberRef = String(await newMember());
      const strange = await book({ transactionId: newTransaction(), memberRef, holdReason: 'source' });
      assert.equal(strange.verdict, 'held');
      await test.database.rows(sql`
        insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
        values (${Number(memberRef)}, 'test', 'warning', 'earnings_blocked', platform.business_now())`);
      assert.equal((await book({ transactionId: newTransaction(), memberRef })).verdict, 'held');
      assert.equal(await balanceOf(Number(memberRef)), 0n);
    });
    it('is held while an open detection of high confidence names the member', async () => {
      const [memberId, related] = [await newMember(), await newMember()];
      const detect = async (status: string, confidence: string) => {
        await test.owner.rows(sql`
          insert into risk.detections as d (method, shared_identifier, size, primary_member_id, related_member_ids,
            kinds, risk_score, confidence, status, created_at, decided_at)
          values ('shared-device', ${String(memberId)}, 5, ${memberId}, ${[related]}::integer[], '{}', 80,
            ${confidence}, ${status}, now(), case when ${status}::text <> 'open' then now() end)
          on conflict (method, shared_identifier) do update set confidence = excluded.confidence,
            status = excluded.status, decided_at = excluded.decided_at`);
      };
      const verdicts = async () => {
        const found = [];
        for (const id of [memberId, related])
          found.push((await book({ transactionId: newTransaction(), memberRef: String(id) })).verdict);
        return found;
      };
      await detect('open', 'medium');
      assert.deepEqual(await verdicts(), ['credited', 'credited']);
      await detect('open', 'high');
      assert.deepEqual(await verdicts(), ['held', 'held']);
      const large = await book({
        transactionId: newTransaction(),
        memberRef: String(memberId),
        points: 10_000,
      });
      assert.equal(large.verdict, 'held');
      const held = await test.database.rows<{ reason: string }>(sql`
        select hold_reason as reason from earning.earnings
        where member_id = ${memberId} and state = 'held' order by held_id`);
      assert.deepEqual(
        held.map(({ reason }) => reason),
        ['detection', 'amount'],
      );
      await detect('dismissed', 'high');
      assert.deepEqual(await verdicts(), ['credited', 'credited']);
      const left = await test.database.rows(sql`
        select from earning.earnings where member_id = ${memberId} and state = 'held'`);
      assert.equal(left.length, 2, 'what was held stays');
    });
    it('is quarantined for unknown and deleted members', async () => {
      for (const memberRef of ['999999999', 'someone', '', '0']) {
        const booked = await book({ transactionId: newTransaction(), memberRef });
        assert.equal(booked.verdict, 'quarantined');
      }
      const memberId = await newMember();
      await test.owner.rows(sql`select ledger.close_wallet(${memberId})`);
      const left = await book({ transactionId: newTransaction(), memberRef: String(memberId) });
      assert.equal(left.verdict, 'quarantined');
      assert.equal(await balanceOf(memberId), 0n);
    });
    it('books the reversal that arrived before it', async () => {
      const memberId = await newMember();
      const memberRef = String(memberId);
      const transactionId = newTransaction();
      const early = { kind: 'reversal', transactionId, memberRef, points: 100 } as const;
      assert.equal((await bookAll([early]))[0]?.verdict, 'quarantined');
      assert.equal((await book({ transactionId, memberRef })).verdict, 'credited');
      assert.equal(await balanceOf(memberId), 80n);
      assert.equal((await bookAll([early]))[0]?.verdict, 'duplicate');
      assert.equal(await balanceOf(memberId), 80n);
    });
  });

describe('a reversal', () => {
  const credited = async (points = 180) => {
    const memberId = await newMember();
    const transactionId = newTransaction();
    await bookOne({ transactionId, memberRef: String(memberId), points });
    return { memberId, memberRef: String(memberId), transactionId };
  };
  const reverse = async (call: Call) => (await bookAll([{ kind: 'reversal', ...call }]))[0] as Booked;

  it('takes its amount, but at most the rest of the credit', async () => {
    const { memberId, memberRef, transactionId } = await credited();
    const part = { creditTransactionId: transactionId, memberRef };
    assert.equal(
      (await reverse({ ...part, transactionId: `r1-${transactionId}`, points: 50 })).verdict,
      'reversed',
    );
    assert.equal(await balanceOf(memberId), 130n);
    assert.equal(
      (await reverse({ ...part, transactionId: `r2-${transactionId}`, points: 999 })).verdict,
      'reversed',
    );
    assert.equal(await balanceOf(memberId), 0n);
    const late = await reverse({ ...part, transactionId: `r3-${transactionId}`, points: null });
    assert.equal(late.verdict, 'nothing-left');
    assert.equal(await balanceOf(memberId), 0n);
  });
  it('takes the whole credit if it has no amount, also below a balance of zero', async () => {
    const { memberId, memberRef, transactionId } = await credited(1_000);
    await test.owner.rows(sql`
      select ledger.post_one(${memberId}, ${`w:${memberId}`}, 'withdrawal', -1000, 'withdrawals', 'w', null, null,
        false)`);
    assert.equal((await reverse({ transactionId, memberRef, points: null })).verdict, 'reversed');
    assert.equal(await balanceOf(memberId), -1_000n);
  });
  it('takes effect once for concurrent copies', async () => {
    const { memberId, memberRef, transactionId } = await credited();
    const call = { transactionId, memberRef, points: 30 };
    const all = await Promise.all(Array.from({ length: 20 }, () => reverse(call)));
    assert.equal(all.filter(({ verdict }) => verdict === 'reversed').length, 1);
    assert.equal(await balanceOf(memberId), 150n);
  });
  it('is quarantined and takes nothing if it names another member', async () => {
    const { memberId, transactionId } = await credited();
    const other = await newMember();
    assert.equal((await reverse({ transactionId, memberRef: String(other) })).verdict, 'quarantined');
    assert.equal(await balanceOf(memberId), 180n);
    assert.equal(await balanceOf(other), 0n);
  });
  it('rejects an earning that is still held', async () => {
    const memberId = await newMember();
    const transactionId = newTransaction();
    const memberRef = String(memberId);
    await bookOne({ transactionId, memberRef, points: 20_000 });
    assert.equal((await reverse({ transactionId, memberRef })).verdict, 'hold-rejected');
    assert.equal((await reverse({ transactionId, memberRef })).verdict, 'duplicate');
    const earning = await test.database.one<{ state: string; heldId: bigint }>(
      sql`select state, held_id as "heldId" from earning.earnings where transaction_id = ${transactionId}`,
    );
    assert.equal(earning.state, 'rejected');
    const decided = await test.database.one<{ isDecidedNow: boolean }>(
      sql`select is_decided_now as "isDecidedNow"
        from earning.decide(${earning.heldId}, 'approve', ${memberId}, null, null)`,
    );
    assert.equal(decided.isDecidedNow, false);
    assert.equal(await balanceOf(memberId), 0n);
  });
});

describe('a batch', () => {
  it('returns a verdict for each call, also for duplicates inside the batch', async () => {
    const a = String(await newMember());
    const b = String(await newMember());
    const [t1, t2, t3] = [newTransaction(), newTransaction(), newTransaction()];
    const booked = await bookAll([
      { transactionId: t1, memberRef: a },
      { kind: 'nothing', transactionId: 'n', verdict: 'zero-amount' },
      { transactionId: t1, memberRef: a },
      { kind: 'reversal', transactionId: t2, memberRef: b, points: 30 },
      { transactionId: t2, memberRef: b },
      { transactionId: t3, memberRef: 'nobody' },
      { transactionId: newTransaction(), memberRef: a, points: 50_000 },
    ]);
    assert.deepEqual(
      booked.map(({ verdict }) => verdict),
      ['credited', 'zero-amount', 'duplicate', 'reversed', 'credited', 'quarantined', 'held'],
    );
    assert.equal(await balanceOf(Number(a)), 180n);
    assert.equal(await balanceOf(Number(b)), 150n);
  });
  it('does not deadlock with concurrent batches', async () => {
    const members = await Promise.all(Array.from({ length: 6 }, newMember));
    const ids = Array.from({ length: 40 }, newTransaction);
    const rounds = Array.from({ length: 12 }, (_, round) =>
      bookAll(
        ids
          .map((id, index) => ({ transactionId: id, memberRef: String(members[(index * 7) % 6]) }))
          .sort((x, y) => (round % 2 === 0 ? 1 : -1) * x.transactionId.localeCompare(y.transactionId)),
      ),
    );
    const verdicts = (await Promise.all(rounds)).flat().map(({ verdict }) => verdict);
    assert.equal(verdicts.filter((verdict) => verdict === 'credited').length, ids.length);
    assert.equal(verdicts.filter((verdict) => verdict === 'duplicate').length, ids.length * 11);
  });
  it('stores each raw call with its verdict', async () => {
    const memberRef = String(await newMember());
    const transactionId = newTransaction();
    await bookAll([
      { transactionId, memberRef },
      { transactionId, memberRef },
    ]);
    const kept = await test.database.rows<{ verdict: string }>(
      sql`select verdict from earning.postbacks where transaction_id = ${transactionId} order by id`,
    );
    assert.deepEqual(kept.map(({ verdict }) => verdict).sort(), ['credited', 'duplicate']);
  });
});

it('leaves balanced books', async () => {
  assert.deepEqual(await auditBooks(test.owner), []);
});

describe('concurrent calls for one transaction', () => {
  const book = createBooking(test.database);

  it('are booked in order if the first names an unknown member', async () => {
    const memberId = await newMember();
    const call = { transactionId: newTransaction() };
    const named = { ...call, memberRef: String(memberId) };
    const calls = [{ ...call, memberRef: '999999998' }, named, named];
    const booked = await Promise.all(calls.map((each) => book(complete(each))));
    assert.deepEqual(booked.map(({ verdict }) => verdict).sort(), ['credited', 'duplicate', 'quarantined']);
    assert.equal(await balanceOf(memberId), 180n);
  });
  it('credit only the first of the named members', async () => {
    const [first, second] = [await newMember(), await newMember()];
    const call = { transactionId: newTransaction() };
    const calls = [first, second].map((member) => ({ ...call, memberRef: String(member) }));
    const booked = await Promise.all(calls.map((each) => book(complete(each))));
    assert.deepEqual(
      booked.map(({ verdict }) => verdict),
      ['credited', 'duplicate-different'],
    );
    assert.deepEqual([await balanceOf(first), await balanceOf(second)], [180n, 0n]);
    assert.deepEqual(await auditBooks(test.owner), []);
  });
});
