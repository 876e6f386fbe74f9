import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type Reader, sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import {
  auditBooks,
  closeWallet,
  type Movement,
  openWallet,
  type Posting,
  post,
  postAll,
  readStats,
} from './ledger.ts';
import { cases, credit, freshKey, MEMBER, movement, OTHER, STRANGER, unsound } from './ledger-cases.ts';

const books = await testDatabase({ after });

/** Makes new wallets for a case. */
async function freshWallets(): Promise<void> {
  await books.owner.rows(sql`truncate ledger.movements, ledger.wallets`);
  await openWallet(books.database, MEMBER);
  await openWallet(books.database, OTHER);
}

type Path = { name: string; run: (reader: Reader, movements: Movement[]) => Promise<Posting[]> };

const oneByOne: Path = {
  name: 'one by one',
  run: async (reader, movements) => {
    const postings: Posting[] = [];
    for (const each of movements) postings.push(await post(reader, each));
    return postings;
  },
};
const allAtOnce: Path = { name: 'all at once', run: postAll };
const eachInABatch: Path = {
  name: 'each in a batch of its own',
  run: async (reader, movements) => {
    const postings: Posting[] = [];
    for (const each of movements) postings.push(...(await postAll(reader, [each])));
    return postings;
  },
};

for (const path of [oneByOne, allAtOnce, eachInABatch]) {
  describe(`Movements posted ${path.name}`, () => {
    for (const wanted of cases) {
      test(wanted.name, async () => {
        await freshWallets();
        await oneByOne.run(books.database, wanted.given ?? []);
        if (wanted.isClosed) await closeWallet(books.database, MEMBER);
        const postings = await path.run(books.database, wanted.movements);
        assert.deepEqual(
          postings.map(({ status, seq, balancePoints }) => [status, numberOf(seq), numberOf(balancePoints)]),
          wanted.verdicts,
        );
        assert.deepEqual(await readStats(books.database, MEMBER), {
          balance: wanted.balance,
          debt: wanted.debt ?? '0',
          totalEarned: wanted.earned,
          todayEarned: wanted.earned,
          completedTasks: wanted.tasks ?? 0,
        });
        assert.deepEqual(await auditBooks(books.owner), []);
      });
    }

    for (const [name, wrong] of unsound) {
      test(`refuses ${name} with an error and changes nothing`, async () => {
        await freshWallets();
        await assert.rejects(path.run(books.database, [credit(5n), wrong]), /unsound movement/);
        const { balance } = await readStats(books.database, MEMBER);
        assert.equal(balance, path === allAtOnce ? '0' : '5');
      });
    }
  });
}

describe('Linked movements', () => {
  const stake = (amountPoints: bigint, link: number, changes: Partial<Movement> = {}) =>
    movement({ kind: 'coinflip-stake', amountPoints, account: 'coinflip', link, ...changes });
  const prize = (amountPoints: bigint, link: number, changes: Partial<Movement> = {}) =>
    movement({ kind: 'coinflip-prize', amountPoints, account: 'coinflip', link, ...changes });

  async function verdictsOf(movements: Movement[]): Promise<(string | number | null)[][]> {
    const postings = await postAll(books.database, movements);
    assert.deepEqual(await auditBooks(books.owner), []);
    return postings.map(({ status, seq, balancePoints }) => [status, numberOf(seq), numberOf(balancePoints)]);
  }

  test('posts all of them', async () => {
    await freshWallets();
    await post(books.database, credit(100n));
    assert.deepEqual(await verdictsOf([stake(-100n, 1), prize(200n, 1), credit(1n)]), [
      ['posted', 2, 0],
      ['posted', 3, 200],
      ['posted', 4, 201],
    ]);
  });

  test('refuses all if one is refused, without an effect on the next', async () => {
    await freshWallets();
    await post(books.database, credit(100n));
    assert.deepEqual(
      await verdictsOf([
        stake(-101n, 1),
        prize(202n, 1),
        prize(50n, 2),
        stake(-151n, 2),
        credit(7n, { link: 3, isTask: true }),
        credit(7n, { link: 3, memberId: STRANGER }),
        stake(-100n, 4),
        stake(-1n, 5),
      ]),
      [
        ['insufficient', null, null],
        ['insufficient', null, null],
        ['insufficient', null, null],
        ['insufficient', null, null],
        ['unknown_member', null, null],
        ['unknown_member', null, null],
        ['posted', 2, 0],
        ['insufficient', null, null],
      ],
    );
    assert.equal((await readStats(books.database, MEMBER)).totalEarned, '100');
  });

  test('answers exists if all exist, and exists_different if only some exist', async () => {
    await freshWallets();
    await post(books.database, credit(300n));
    const [a, b, c] = [freshKey(), freshKey(), freshKey()];
    await postAll(books.database, [stake(-100n, 1, { key: a }), prize(200n, 1, { key: b })]);
    assert.deepEqual(
      await verdictsOf([
        stake(-100n, 1, { key: a }),
        prize(200n, 1, { key: b }),
        stake(-100n, 2, { key: c }),
        prize(200n, 2, { key: b }),
        stake(-100n, 3, { key: c }),
      ]),
      [
        ['exists', 2, 200],
        ['exists', 3, 400],
        ['exists_different', null, null],
        ['exists_different', null, null],
        ['exists_different', null, null],
      ],
    );
    assert.deepEqual(await verdictsOf([stake(-100n, 3, { key: c })]), [['posted', 4, 300]]);
  });

  test('rejects linked movements that are not consecutive', async () => {
    await assert.rejects(postAll(books.database, [stake(-1n, 1), credit(1n), prize(2n, 1)]), /neighbours/);
  });
});

test('refuses a second post in a transaction', async () => {
  await freshWallets();
  await assert.rejects(
    books.database.transaction(async (tx) => {
      await post(tx, credit(1n));
      await post(tx, credit(1n));
    }),
    /posts once/,
  );
  assert.equal((await readStats(books.database, MEMBER)).balance, '0');
});

test('posts nothing for an empty call', async () => {
  assert.deepEqual(await postAll(books.database, []), []);
});

function numberOf(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
