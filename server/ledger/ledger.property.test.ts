/**
 * Compares random concurrent commands of eight members and one without a wallet with a model of the ledger, in many
 * sequences. `server/points.property.test.ts` does the same through the features.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import type { HistoryEntry } from '#contract/ledger.ts';
import { sql } from '#platform/database.ts';
import { testDatabase } from '../../test/database.ts';
import { finishAll, testProperty } from '../../test/property-runs.ts';
import {
  auditBooks,
  closeWallet,
  type Movement,
  openWallet,
  type Posting,
  post,
  postAll,
  readStats,
  readWholeHistory,
} from './ledger.ts';
import { type Books, type Call, emptyBooks, explain } from './property-model.ts';

const MEMBERS = Array.from({ length: 8 }, (_value, index) => 500_000_001 + index);
const [BUSY, BUSY_TOO] = MEMBERS as [number, number];
const STRANGER = 500_000_009;
const COMMANDS_MIN = 100;

const { database, owner } = await testDatabase({ after });
const readNames = async () => ({ providers: new Map(), methods: new Map() });

/** A random command. `which` picks one of the earlier movements. */
type Wish =
  | { wish: 'credit'; member: number; points: number; isTask: boolean }
  | { wish: 'grant'; member: number; points: number }
  | { wish: 'withdraw'; member: number; share: number }
  | { wish: 'reject'; which: number }
  | { wish: 'reverse'; which: number; share: number }
  | { wish: 'reverse-early'; member: number; points: number }
  | { wish: 'flip'; member: number; points: number; isWin: boolean }
  | { wish: 'repeat'; which: number }
  | { wish: 'collide'; which: number; member: number; points: number };
type Command =
  | { act: 'single'; wish: Wish }
  | { act: 'batch'; wishes: Wish[] }
  | { act: 'close'; member: number };

/** Some members get more commands than others, so that many commands concern one wallet. */
const member = fc.constantFrom(...MEMBERS, ...MEMBERS, BUSY, BUSY, BUSY, BUSY_TOO, BUSY_TOO, STRANGER);
const points = fc.integer({ min: 1, max: 1500 });
const which = fc.nat({ max: 1000 });
const share = fc.integer({ min: 1, max: 130 });
const wish: fc.Arbitrary<Wish> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ wish: fc.constant('credit'), member, points, isTask: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ wish: fc.constant('grant'), member, points }) },
  { weight: 4, arbitrary: fc.record({ wish: fc.constant('withdraw'), member, share }) },
  { weight: 2, arbitrary: fc.record({ wish: fc.constant('reject'), which }) },
  { weight: 3, arbitrary: fc.record({ wish: fc.constant('reverse'), which, share }) },
  { weight: 1, arbitrary: fc.record({ wish: fc.constant('reverse-early'), member, points }) },
  { weight: 3, arbitrary: fc.record({ wish: fc.constant('flip'), member, points, isWin: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ wish: fc.constant('repeat'), which }) },
  { weight: 1, arbitrary: fc.record({ wish: fc.constant('collide'), which, member, points }) },
);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 20, arbitrary: fc.record({ act: fc.constant('single'), wish }) },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('batch'),
      wishes: fc.array(wish, { minLength: 1, maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ act: fc.constant('close'), member }) },
);
const sequence = fc.record({
  width: fc.integer({ min: 1, max: MEMBERS.length }),
  commands: fc.array(command, { minLength: COMMANDS_MIN, maxLength: COMMANDS_MIN + 20 }),
});

/** A running sequence: the calls, the model's books, and the credits that were reversed before they were posted. */
type Story = { books: Books; asked: Movement[][]; awaited: Movement[]; keyCount: number };

const property = fc.asyncProperty(sequence, async ({ width, commands }) => {
  // Deletes, because truncating would discard the plans of all connections.
  await owner.rows(sql`delete from ledger.movements`);
  await owner.rows(sql`delete from ledger.wallets`);
  for (const id of MEMBERS) await openWallet(database, id);
  const story: Story = { books: emptyBooks(MEMBERS), asked: [], awaited: [], keyCount: 0 };
  await tell(story, [openingCall(story)]);
  for (let start = 0; start < commands.length; start += width) {
    await tell(
      story,
      commands.slice(start, start + width).map((each) => callFor(story, each)),
    );
  }
  await assertSameBooks(story.books);
  assert.deepEqual(await auditBooks(owner), []);
});

testProperty(
  'match the model of the ledger',
  property,
  new URL('./property-seeds.json', import.meta.url),
  25,
);

/** Makes the calls concurrently, and finds an order that explains their results. */
async function tell(story: Story, calls: Call[]): Promise<void> {
  const results = await finishAll(calls.map(async (call) => ({ call, postings: await perform(call) })));
  const explained = explain(story.books, results);
  assert.ok(explained, `No order of these calls explains their results: ${show(results)}`);
  story.books = explained;
}

function perform(call: Call): Promise<Posting[]> {
  if (call.act === 'post') return post(database, call.movement).then((posting) => [posting]);
  if (call.act === 'post-all') return postAll(database, call.movements);
  return closeWallet(database, call.memberId).then(() => []);
}

/** Gives every member credits and withdrawals, which can be reversed, rejected and repeated. */
function openingCall(story: Story): Call {
  const groups = MEMBERS.map((memberId) => {
    story.keyCount += 1;
    return [
      creditOf(memberId, story.keyCount, 1_000, true),
      movementOf(memberId, `withdrawal:${story.keyCount}`, 'withdrawal', -400n, 'withdrawals'),
    ];
  });
  story.asked.push(...groups);
  return { act: 'post-all', movements: groups.flat() };
}

function callFor(story: Story, wanted: Command): Call {
  if (wanted.act === 'close') return { act: 'close', memberId: wanted.member };
  const wishes = wanted.act === 'single' ? [wanted.wish] : wanted.wishes;
  const groups = wishes.map((each) => movementsFor(story, each));
  story.asked.push(...groups);
  const [first] = groups;
  if (wanted.act === 'single' && first?.length === 1 && first[0]) return { act: 'post', movement: first[0] };
  const linked = (group: Movement[], link: number) => group.map((movement) => ({ ...movement, link }));
  return {
    act: 'post-all',
    movements: groups.flatMap((group, index) => (group.length > 1 ? linked(group, index) : group)),
  };
}

/** The movements of a command: one, or two linked ones for a won flip. */
function movementsFor(story: Story, wanted: Wish): Movement[] {
  story.keyCount += 1;
  const id = story.keyCount;
  switch (wanted.wish) {
    case 'grant':
      return [movementOf(wanted.member, `grant:${id}`, 'grant', BigInt(wanted.points), 'grants')];
    case 'withdraw': {
      const balance = story.books.wallets.get(wanted.member)?.balance ?? 0n;
      const amount = (balance * BigInt(wanted.share)) / 100n;
      return [
        movementOf(
          wanted.member,
          `withdrawal:${id}`,
          'withdrawal',
          -(amount > 0n ? amount : 1n),
          'withdrawals',
        ),
      ];
    }
    case 'flip': {
      const stake = BigInt(wanted.points);
      const staked = movementOf(wanted.member, `flip:${id}:stake`, 'coinflip-stake', -stake, 'coinflip');
      const won = movementOf(wanted.member, `flip:${id}:prize`, 'coinflip-prize', stake * 2n, 'coinflip');
      return wanted.isWin ? [staked, won] : [staked];
    }
    case 'reverse': {
      const credit = pick(postedOf(story, 'earning'), wanted.which);
      return [reversalOf(credit, (credit.amountPoints * BigInt(Math.min(wanted.share, 100))) / 100n)];
    }
    case 'reverse-early': {
      const credit = creditOf(wanted.member, id, wanted.points, true);
      story.awaited.push(credit);
      return [reversalOf(credit, credit.amountPoints)];
    }
    case 'reject': {
      const { memberId, key, amountPoints } = pick(postedOf(story, 'withdrawal'), wanted.which);
      return [movementOf(memberId, `${key}:return`, 'withdrawal-return', -amountPoints, 'withdrawals')];
    }
    case 'repeat':
      return pick(story.asked, wanted.which);
    case 'collide': {
      const { key } = pick(pick(story.asked, wanted.which), 0);
      return [movementOf(wanted.member, key, 'bonus', BigInt(wanted.points), 'bonus')];
    }
    case 'credit': {
      const awaited = story.awaited.findIndex(({ memberId }) => memberId === wanted.member);
      if (awaited !== -1) return story.awaited.splice(awaited, 1);
      return [creditOf(wanted.member, id, wanted.points, wanted.isTask)];
    }
  }
}

function reversalOf(credit: Movement, points: bigint): Movement {
  const amountPoints = points > 0n ? -points : -1n;
  return movementOf(credit.memberId, `${credit.key}:reversal`, 'reversal', amountPoints, credit.account);
}

function creditOf(memberId: number, id: number, amount: number, isTask: boolean): Movement {
  return { ...movementOf(memberId, `cpx:${id}:earning`, 'earning', BigInt(amount), 'provider:cpx'), isTask };
}

function movementOf(
  memberId: number,
  key: string,
  kind: Movement['kind'],
  amountPoints: bigint,
  account: string,
): Movement {
  return {
    memberId,
    key,
    kind,
    amountPoints,
    account,
    subject: key,
    provider: null,
    transactionId: null,
  };
}

function postedOf(story: Story, kind: Movement['kind']): Movement[] {
  return [...story.books.keys.values()].filter((movement) => movement.kind === kind);
}

function pick<T>(from: readonly T[], which: number): T {
  assert.ok(from.length > 0, 'There is nothing to pick from');
  return from[which % from.length] as T;
}

async function assertSameBooks(books: Books): Promise<void> {
  for (const [id, wallet] of books.wallets) {
    const { balance, debt, totalEarned, completedTasks } = await readStats(database, id);
    assert.equal(BigInt(balance) - BigInt(debt), wallet.balance);
    assert.equal(BigInt(totalEarned), wallet.earned);
    assert.equal(completedTasks, wallet.tasks);
    const history: HistoryEntry[] = [];
    for await (const entries of readWholeHistory(database, readNames, id)) history.push(...entries);
    assert.deepEqual(
      history.toReversed().map((entry) => [entry.subject, entry.kind, entry.amount]),
      wallet.movements.map((movement) => [movement.key, movement.kind, String(movement.amountPoints)]),
    );
  }
}

function show(results: unknown): string {
  return JSON.stringify(results, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}
