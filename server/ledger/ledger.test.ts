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

const MEMBER = 100_000_001;
const OTHER = 100_000_002;
const STRANGER = 100_000_099;

const books = await testDatabase({ after });
let keyCount = 0;

function freshKey(): string {
  keyCount += 1;
  return `test:${keyCount}`;
}

function movement(changes: Partial<Movement> & Pick<Movement, 'kind' | 'amountPoints'>): Movement {
  return {
    memberId: MEMBER,
    key: freshKey(),
    account: 'provider:cpx',
    description: 'CPX Research: survey',
    provider: null,
    transactionId: null,
    ...changes,
  };
}

/** New wallets for every case: whatever they had is not in the way. */
async function freshWallets(): Promise<void> {
  await books.owner.rows(sql`truncate ledger.movements, ledger.wallets`);
  await openWallet(books.database, MEMBER);
  await openWallet(books.database, OTHER);
}

type Path = { name: string; run: (on: Reader, movements: Movement[]) => Promise<Posting[]> };

const oneByOne: Path = {
  name: 'one by one',
  run: async (on, movements) => {
    const postings: Posting[] = [];
    for (const each of movements) postings.push(await post(on, each));
    return postings;
  },
};
const allAtOnce: Path = { name: 'all at once', run: postAll };
const eachInABatch: Path = {
  name: 'each in a batch of its own',
  run: async (on, movements) => {
    const postings: Posting[] = [];
    for (const each of movements) postings.push(...(await postAll(on, [each])));
    return postings;
  },
};

type Case = {
  name: string;
  /** Runs first, whatever the path. */
  given?: Movement[];
  isClosed?: boolean;
  movements: Movement[];
  /** [status, seq, balance] of each. */
  verdicts: [Posting['status'], number | null, number | null][];
  balance: string;
  debt?: string;
  earned: string;
  tasks?: number;
};

const credit = (amountPoints: bigint, changes: Partial<Movement> = {}) =>
  movement({ kind: 'earning', amountPoints, ...changes });

const cases: Case[] = [
  {
    name: 'a credit adds to the balance, the totals and the day',
    movements: [credit(120n, { isTask: true, provider: 'cpx', transactionId: '7' }), credit(5n)],
    verdicts: [
      ['posted', 1, 120],
      ['posted', 2, 125],
    ],
    balance: '125',
    earned: '125',
    tasks: 1,
  },
  {
    name: 'bonus, referral reward and grant count as earned, a prize and returned points do not',
    movements: [
      movement({ kind: 'bonus', amountPoints: 5n }),
      movement({ kind: 'referral', amountPoints: 100n }),
      movement({ kind: 'grant', amountPoints: 1000n }),
      movement({ kind: 'coinflip-prize', amountPoints: 40n }),
      movement({ kind: 'withdrawal-return', amountPoints: 7n }),
    ],
    verdicts: [
      ['posted', 1, 5],
      ['posted', 2, 105],
      ['posted', 3, 1105],
      ['posted', 4, 1145],
      ['posted', 5, 1152],
    ],
    balance: '1152',
    earned: '1105',
  },
  {
    name: 'only an earning is a completed task',
    movements: [movement({ kind: 'grant', amountPoints: 5n, isTask: true })],
    verdicts: [['posted', 1, 5]],
    balance: '5',
    earned: '5',
    tasks: 0,
  },
  {
    name: 'a withdrawal of more than the balance is refused, of all of it is not, and earned stays',
    given: [credit(1000n)],
    movements: [
      movement({ kind: 'withdrawal', amountPoints: -1001n }),
      movement({ kind: 'withdrawal', amountPoints: -1000n }),
      movement({ kind: 'coinflip-stake', amountPoints: -1n }),
    ],
    verdicts: [
      ['insufficient', null, 1000],
      ['posted', 2, 0],
      ['insufficient', null, 0],
    ],
    balance: '0',
    earned: '1000',
  },
  {
    name: 'a refused debit takes nothing from the next',
    given: [credit(100n)],
    movements: [
      movement({ kind: 'withdrawal', amountPoints: -80n }),
      movement({ kind: 'withdrawal', amountPoints: -50n }),
      movement({ kind: 'withdrawal', amountPoints: -20n }),
    ],
    verdicts: [
      ['posted', 2, 20],
      ['insufficient', null, 20],
      ['posted', 3, 0],
    ],
    balance: '0',
    earned: '100',
  },
  {
    name: 'a reversal goes below zero and leaves the totals; credits fill the debt before anything is spent',
    given: [credit(100n, { isTask: true }), movement({ kind: 'withdrawal', amountPoints: -60n })],
    movements: [
      movement({ kind: 'reversal', amountPoints: -100n }),
      credit(30n),
      movement({ kind: 'coinflip-stake', amountPoints: -1n }),
    ],
    verdicts: [
      ['posted', 3, -60],
      ['posted', 4, -30],
      ['insufficient', null, -30],
    ],
    balance: '0',
    debt: '30',
    earned: '130',
    tasks: 1,
  },
  {
    name: 'the same movement again has no effect and names the first',
    given: [credit(10n, { key: 'again' })],
    movements: [credit(10n, { key: 'again' }), credit(1n), credit(10n, { key: 'again' })],
    verdicts: [
      ['exists', 1, 10],
      ['posted', 2, 11],
      ['exists', 1, 10],
    ],
    balance: '11',
    earned: '11',
  },
  {
    name: 'a key that comes twice is posted once',
    movements: [credit(10n, { key: 'twice' }), credit(1n), credit(10n, { key: 'twice' })],
    verdicts: [
      ['posted', 1, 10],
      ['posted', 2, 11],
      ['exists', 1, 10],
    ],
    balance: '11',
    earned: '11',
  },
  {
    name: 'a key of another amount, kind, account or member is told apart',
    given: [credit(10n, { key: 'taken' })],
    movements: [
      credit(11n, { key: 'taken' }),
      movement({ kind: 'grant', amountPoints: 10n, key: 'taken' }),
      credit(10n, { key: 'taken', account: 'provider:bitlabs' }),
      credit(10n, { key: 'taken', memberId: OTHER }),
      credit(10n, { key: 'taken', memberId: STRANGER }),
      credit(10n, { key: 'taken', description: 'Other words are the same movement' }),
    ],
    verdicts: [
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists', 1, 10],
    ],
    balance: '10',
    earned: '10',
  },
  {
    name: 'a key that comes twice with different amounts, kinds, accounts or members is told apart',
    movements: [
      credit(10n, { key: 'mixed' }),
      credit(11n, { key: 'mixed' }),
      movement({ kind: 'bonus', amountPoints: 10n, key: 'mixed' }),
      credit(10n, { key: 'mixed', account: 'provider:kiwiwall' }),
      credit(10n, { key: 'mixed', memberId: OTHER }),
      credit(10n, { key: 'mixed' }),
    ],
    verdicts: [
      ['posted', 1, 10],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists_different', null, null],
      ['exists', 1, 10],
    ],
    balance: '10',
    earned: '10',
  },
  {
    name: 'a member without a wallet is unknown, and the key stays free',
    movements: [credit(10n, { key: 'free', memberId: STRANGER }), credit(10n)],
    verdicts: [
      ['unknown_member', null, null],
      ['posted', 1, 10],
    ],
    balance: '10',
    earned: '10',
  },
  {
    name: 'a closed wallet takes reversals and returned withdrawals alone',
    given: [credit(10n, { key: 'before closing' })],
    isClosed: true,
    movements: [
      credit(1n),
      movement({ kind: 'grant', amountPoints: 1n }),
      movement({ kind: 'withdrawal', amountPoints: -1n }),
      movement({ kind: 'withdrawal', amountPoints: -100n }),
      movement({ kind: 'withdrawal-return', amountPoints: 5n }),
      movement({ kind: 'reversal', amountPoints: -20n }),
      credit(10n, { key: 'before closing' }),
    ],
    verdicts: [
      ['closed', null, null],
      ['closed', null, null],
      ['closed', null, null],
      ['closed', null, null],
      ['posted', 2, 15],
      ['posted', 3, -5],
      ['exists', 1, 10],
    ],
    balance: '0',
    debt: '5',
    earned: '10',
  },
  {
    name: 'the largest amount is taken',
    movements: [credit(10n ** 15n), movement({ kind: 'reversal', amountPoints: -(10n ** 15n) })],
    verdicts: [
      ['posted', 1, 1e15],
      ['posted', 2, 0],
    ],
    balance: '0',
    earned: String(10n ** 15n),
  },
];

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

    const unsound: [string, Movement][] = [
      ['a credit of nothing', credit(0n)],
      ['a credit below zero', credit(-1n)],
      ['a bonus below zero', movement({ kind: 'bonus', amountPoints: -1n })],
      ['a returned withdrawal below zero', movement({ kind: 'withdrawal-return', amountPoints: -1n })],
      ['a withdrawal above zero', movement({ kind: 'withdrawal', amountPoints: 1n })],
      ['a stake above zero', movement({ kind: 'coinflip-stake', amountPoints: 1n })],
      ['a reversal above zero', movement({ kind: 'reversal', amountPoints: 1n })],
      ['more than the largest amount', credit(10n ** 15n + 1n)],
      ['an unknown kind', movement({ kind: 'gift' as 'grant', amountPoints: 1n })],
      ['an empty key', credit(1n, { key: '' })],
      ['an empty account', credit(1n, { account: '' })],
      ['an endless description', credit(1n, { description: 'x'.repeat(501) })],
    ];
    for (const [name, wrong] of unsound) {
      test(`${name} is a fault and changes nothing`, async () => {
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

  test('are posted together', async () => {
    await freshWallets();
    await post(books.database, credit(100n));
    assert.deepEqual(await verdictsOf([stake(-100n, 1), prize(200n, 1), credit(1n)]), [
      ['posted', 2, 0],
      ['posted', 3, 200],
      ['posted', 4, 201],
    ]);
  });

  test('are refused together, whichever of them is refused, and leave nothing to the next', async () => {
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

  test('exist together, and are different where only some exist', async () => {
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

  test('must be neighbours', async () => {
    await assert.rejects(postAll(books.database, [stake(-1n, 1), credit(1n), prize(2n, 1)]), /neighbours/);
  });
});

test('A transaction posts once', async () => {
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

test('An empty call posts nothing', async () => {
  assert.deepEqual(await postAll(books.database, []), []);
});

function numberOf(value: bigint | null): number | null {
  return value === null ? null : Number(value);
}
