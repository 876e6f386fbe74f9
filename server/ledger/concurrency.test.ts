import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import {
  auditBooks,
  lockWallets,
  type Movement,
  type MovementKind,
  openWallet,
  type Posting,
  post,
  postAll,
  readStats,
} from './ledger.ts';

const books = await testDatabase({ after });
const { database } = books;
let memberCount = 100_000_000;

async function freshMember(): Promise<number> {
  memberCount += 1;
  await openWallet(database, memberCount);
  return memberCount;
}

function movement(memberId: number, key: string, kind: MovementKind, amountPoints: bigint): Movement {
  const words = { account: 'provider:cpx', subject: 'survey' };
  return { memberId, key, kind, amountPoints, ...words, provider: 'cpx', transactionId: key };
}

function countOf(statuses: string[], wanted: string): number {
  return statuses.filter((status) => status === wanted).length;
}

test('books a credit once for fifty concurrent calls, alone and in batches', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await freshMember();
    const credit = movement(member, `fifty:${round}`, 'earning', 100n);
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        index % 2 === 0
          ? post(database, credit).then((posting) => [posting])
          : postAll(database, [credit, credit]),
      ),
    );
    const statuses = answers.flat().map(({ status }) => status);
    assert.equal(countOf(statuses, 'posted'), 1);
    assert.equal(countOf(statuses, 'exists'), 74);
    assert.equal((await readStats(database, member)).balance, '100');
  }
});

/** With so many calls at once a lost update shows in the first. The campaign `races` runs more. */
const ROUNDS = Number(process.env.CAMPAIGN_RUNS ?? 3);

test('books exactly one of fifty concurrent withdrawals of the whole balance, each round', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const member = await freshMember();
    await post(database, movement(member, `fund:${round}`, 'grant', 1000n));
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        database.transaction((tx) =>
          post(tx, movement(member, `withdrawal:${round}:${index}`, 'withdrawal', -1000n)),
        ),
      ),
    );
    const statuses = answers.map(({ status }) => status);
    assert.equal(countOf(statuses, 'posted'), 1);
    assert.equal(countOf(statuses, 'insufficient'), 49);
  }
});

test('books a key that two members use concurrently for one of them', async () => {
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const members = [await freshMember(), await freshMember()];
    const answers = await Promise.all(
      members.flatMap((member) => {
        const credit = movement(member, `contested:${round}`, 'earning', 100n);
        const own = movement(member, `own:${member}`, 'earning', 1n);
        return round % 2 === 0
          ? [post(database, credit).then((posting) => [posting])]
          : [postAll(database, [own, credit])];
      }),
    );
    const statuses = answers.map((postings) => postings.at(-1)?.status ?? '').sort();
    assert.deepEqual(statuses, ['exists_different', 'posted']);
  }
});

for (const path of ['alone', 'in a batch'] as const) {
  for (const end of ['is committed', 'is rolled back'] as const) {
    test(`waits ${path} until another member's movement with the same key ${end}`, async () => {
      const [winner, loser] = [await freshMember(), await freshMember()];
      const key = `meanwhile:${path}:${end}`;
      let waiting: Promise<Posting[]> | undefined;
      const holding = database.transaction(async (tx) => {
        await post(tx, movement(winner, key, 'earning', 100n));
        const late = movement(loser, key, 'earning', 100n);
        waiting =
          path === 'alone' ? post(database, late).then((posting) => [posting]) : postAll(database, [late]);
        await tx.rows(sql`select pg_sleep(0.1)`);
        assert.equal(end, 'is committed', 'rolled back as planned');
      });
      const isOver = end === 'is committed' ? holding : assert.rejects(holding, /as planned/);
      await isOver;
      const isFree = end === 'is rolled back';
      assert.deepEqual(await waiting, [
        isFree
          ? { status: 'posted', seq: 1n, balancePoints: 100n }
          : { status: 'exists_different', seq: null, balancePoints: null },
      ]);
      assert.equal((await readStats(database, loser)).balance, isFree ? '100' : '0');
      assert.deepEqual(await auditBooks(books.owner), []);
    });
  }
}

for (const path of ['a batch', 'lockWallets'] as const) {
  test(`locks wallets in ascending order of members by ${path}`, async () => {
    const [low, middle, high] = [await freshMember(), await freshMember(), await freshMember()];
    const members = [middle, high, low];
    let waiting: Promise<unknown> | undefined;
    await books.owner.transaction(async (tx) => {
      await tx.rows(sql`select from ledger.wallets where member_id = ${low} for no key update`);
      const credits = members.map((member) => movement(member, `order:${path}:${member}`, 'grant', 1n));
      waiting =
        path === 'a batch'
          ? postAll(database, credits)
          : database.transaction((own) => lockWallets(own, members));
      await tx.rows(sql`select pg_sleep(0.1)`);
      await tx.rows(sql`
        select from ledger.wallets where member_id = any (${[middle, high]}) for no key update nowait`);
    });
    await waiting;
  });
}

test('posts batches over the same few members, with duplicates and refusals, without deadlock or drift', async () => {
  const members = await Promise.all(Array.from({ length: 12 }, freshMember));
  const choose = (count: number) => Math.floor(Math.random() * count);
  const batches = Array.from({ length: 120 }, () =>
    Array.from({ length: 1 + choose(50) }, (): Movement => {
      const member = members[choose(members.length)] as number;
      const isCredit = choose(3) > 0;
      const key = `storm:${member}:${isCredit}:${choose(400)}`;
      return movement(member, key, isCredit ? 'earning' : 'withdrawal', isCredit ? 10n : -25n);
    }),
  );
  const { deadlocks: before } = await countDeadlocks();
  const workers = Array.from({ length: 16 }, async () => {
    for (let batch = batches.pop(); batch; batch = batches.pop()) {
      const [first] = batch;
      if (batch.length === 1 && first) await post(database, first);
      else await postAll(database, batch);
    }
  });
  await Promise.all(workers);
  assert.equal((await countDeadlocks()).deadlocks, before);
  assert.deepEqual(await auditBooks(books.owner), []);
});

test('posts in a transaction that locked the wallets first', async () => {
  const [one, two] = [await freshMember(), await freshMember()];
  const move = (from: number, key: string) =>
    database.transaction(async (tx) => {
      await lockWallets(tx, [two, one]);
      return post(tx, movement(from, key, 'grant', 5n));
    });
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => move(index % 2 === 0 ? one : two, `locked:${index}`)),
  );
  assert.ok(answers.every(({ status }) => status === 'posted'));
  assert.equal((await readStats(database, one)).balance, '100');
  assert.equal((await readStats(database, two)).balance, '100');
});

test('gives a movement that waited for a lock a later time than the one that held it', async () => {
  const member = await freshMember();
  const slow = database.transaction(async (tx) => {
    await post(tx, movement(member, 'dated:first', 'earning', 1n));
    await tx.rows(sql`select pg_sleep(0.2)`);
  });
  await new Promise((resolve) => setTimeout(resolve, 60));
  await Promise.all([slow, post(database, movement(member, 'dated:second', 'earning', 1n))]);
  const [first, second] = await database.rows<{ at: Date }>(sql`
    select posted_at as at from ledger.movements where member_id = ${member} order by seq`);
  assert.ok(first && second && second.at.getTime() - first.at.getTime() >= 150);
});

/** The server counts with a delay, so the statistics are flushed first. */
async function countDeadlocks(): Promise<{ deadlocks: bigint }> {
  await books.owner.rows(sql`select pg_stat_force_next_flush()`);
  return books.owner.one(sql`select deadlocks from pg_stat_database where datname = current_database()`);
}
