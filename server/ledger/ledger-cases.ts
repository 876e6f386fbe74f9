/** Movements with their verdicts, which are the same for every way of posting. */
import type { Movement, Posting } from './ledger.ts';

export const MEMBER = 100_000_001;
export const OTHER = 100_000_002;
/** A member without a wallet. */
export const STRANGER = 100_000_099;

let keyCount = 0;

export function freshKey(): string {
  keyCount += 1;
  return `test:${keyCount}`;
}

export function movement(changes: Partial<Movement> & Pick<Movement, 'kind' | 'amountPoints'>): Movement {
  return {
    memberId: MEMBER,
    key: freshKey(),
    account: 'provider:cpx',
    subject: 'survey',
    provider: null,
    transactionId: null,
    ...changes,
  };
}

export type Case = {
  name: string;
  /** Movements that are posted first. */
  given?: Movement[];
  isClosed?: boolean;
  movements: Movement[];
  /** [status, seq, balance] of each movement. */
  verdicts: [Posting['status'], number | null, number | null][];
  balance: string;
  debt?: string;
  earned: string;
  tasks?: number;
};

export const credit = (amountPoints: bigint, changes: Partial<Movement> = {}) =>
  movement({ kind: 'earning', amountPoints, ...changes });

export const cases: Case[] = [
  {
    name: 'adds a credit to the balance, the totals and the day',
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
    name: 'counts bonus, referral reward and grant as earned, but not a prize or returned points',
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
    name: 'counts only an earning as a completed task',
    movements: [movement({ kind: 'grant', amountPoints: 5n, isTask: true })],
    verdicts: [['posted', 1, 5]],
    balance: '5',
    earned: '5',
    tasks: 0,
  },
  {
    name: 'refuses a withdrawal above the balance, posts one of all of it, and keeps the earned total',
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
    name: 'posts a debit of the remaining balance after a refused one',
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
    name: 'posts a reversal below zero and keeps the totals; credits fill the debt before a debit is posted',
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
    name: 'answers a repeated movement with the first one',
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
    name: 'posts a repeated key once',
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
    name: 'refuses a key that was used for another amount, kind, account or member',
    given: [credit(10n, { key: 'taken' })],
    movements: [
      credit(11n, { key: 'taken' }),
      movement({ kind: 'grant', amountPoints: 10n, key: 'taken' }),
      credit(10n, { key: 'taken', account: 'provider:bitlabs' }),
      credit(10n, { key: 'taken', memberId: OTHER }),
      credit(10n, { key: 'taken', memberId: STRANGER }),
      credit(10n, { key: 'taken', subject: 'Other words are the same movement' }),
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
    name: 'refuses a repeated key with another amount, kind, account or member',
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
    name: 'refuses a member without a wallet, and does not use the key',
    movements: [credit(10n, { key: 'free', memberId: STRANGER }), credit(10n)],
    verdicts: [
      ['unknown_member', null, null],
      ['posted', 1, 10],
    ],
    balance: '10',
    earned: '10',
  },
  {
    name: 'posts only reversals and returned withdrawals to a closed wallet',
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
    name: 'posts the largest amount',
    movements: [credit(10n ** 15n), movement({ kind: 'reversal', amountPoints: -(10n ** 15n) })],
    verdicts: [
      ['posted', 1, 1e15],
      ['posted', 2, 0],
    ],
    balance: '0',
    earned: String(10n ** 15n),
  },
];

/** Movements that no caller may post. They are refused with an error. */
export const unsound: [string, Movement][] = [
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
  ['a subject of 501 characters', credit(1n, { subject: 'x'.repeat(501) })],
];
