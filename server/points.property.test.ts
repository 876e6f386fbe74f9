/**
 * Compares random concurrent calls of the features with a model of balances and states: credits and their copies,
 * reversals before and after their credits, withdrawals, decisions, grants and flips of eight members. Some order of
 * the commands must explain all replies. Afterwards the books must balance and all states must equal the model's.
 */
import assert from 'node:assert/strict';
import { after } from 'node:test';
import fc from 'fast-check';
import {
  balanceOf,
  type Command,
  type Credit,
  emptyState,
  explain,
  type Reversal,
  type State,
  type Verdict,
} from '../test/points-model.ts';
import { assertSameState, emptyWorld, perform, startPointsWorld } from '../test/points-world.ts';
import { finishAll, testProperty } from '../test/property-runs.ts';

const COMMANDS_MIN = 100;
const WITHDRAWAL_POINTS_MIN = 1_000;
const STRANGER = 999_999_999;

const world = await startPointsWorld({ after });
const { members } = world;
const [BUSY, BUSY_TOO] = members as [number, number];

/** A random command. `which` picks one of the earlier effects. */
type Wish =
  | { wish: 'credit'; member: number; points: number; isScreenOut: boolean; isFromStrangePlace: boolean }
  | { wish: 'reverse'; which: number; points: number | null; isOfItsOwnId: boolean }
  | { wish: 'reverse-early'; member: number; points: number }
  | { wish: 'reverse-misnamed'; which: number; member: number }
  | { wish: 'review' | 'decide'; which: number; verdict: Verdict }
  | { wish: 'withdraw'; member: number; share: number; isKeyed: boolean }
  | { wish: 'grant' | 'flip'; member: number; points: number }
  | { wish: 'repeat'; which: number }
  | { wish: 'alter'; which: number; member: number };

/** Some members get more commands than others, so that many meet in one wallet. */
const member = fc.constantFrom(...members, ...members, BUSY, BUSY, BUSY, BUSY_TOO, BUSY_TOO);
const earner = fc.oneof({ weight: 20, arbitrary: member }, { weight: 1, arbitrary: fc.constant(STRANGER) });
const points = fc.integer({ min: 1, max: 3_000 });
const creditPoints = fc.oneof(
  { weight: 12, arbitrary: points },
  { weight: 1, arbitrary: fc.integer({ min: 9_999, max: 12_000 }) },
);
const which = fc.nat({ max: 1000 });
const verdict = fc.constantFrom<Verdict>('approve', 'reject');
/** Often the whole balance, so that of two concurrent debits only one can succeed. */
const share = fc.constantFrom(100, 100, 100, 60, 30, 120);
const wish: fc.Arbitrary<Wish> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      wish: fc.constant('credit'),
      member: earner,
      points: creditPoints,
      isScreenOut: fc.boolean(),
      isFromStrangePlace: fc.integer({ min: 1, max: 12 }).map((drawn) => drawn === 12),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      wish: fc.constant('reverse'),
      which,
      points: fc.option(points),
      isOfItsOwnId: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ wish: fc.constant('reverse-early'), member, points: creditPoints }) },
  { weight: 1, arbitrary: fc.record({ wish: fc.constant('reverse-misnamed'), which, member: earner }) },
  { weight: 2, arbitrary: fc.record({ wish: fc.constant('review'), which, verdict }) },
  {
    weight: 5,
    arbitrary: fc.record({ wish: fc.constant('withdraw'), member, share, isKeyed: fc.boolean() }),
  },
  { weight: 5, arbitrary: fc.record({ wish: fc.constant('decide'), which, verdict }) },
  { weight: 1, arbitrary: fc.record({ wish: fc.constant('grant'), member, points }) },
  { weight: 4, arbitrary: fc.record({ wish: fc.constant('flip'), member, points }) },
  { weight: 4, arbitrary: fc.record({ wish: fc.constant('repeat'), which }) },
  { weight: 2, arbitrary: fc.record({ wish: fc.constant('alter'), which, member }) },
);
const sequence = fc.record({
  width: fc.integer({ min: 4, max: members.length }),
  wishes: fc.array(wish, { minLength: COMMANDS_MIN, maxLength: COMMANDS_MIN + 20 }),
});

/** A running sequence. `awaited` are the credits that were reversed before they were posted. */
type Story = { state: State; asked: Command[]; awaited: Credit[]; count: number };

const property = fc.asyncProperty(sequence, async ({ width, wishes }) => {
  await emptyWorld(world);
  const story: Story = { state: emptyState(members), asked: [], awaited: [], count: 0 };
  for (const round of openingOf(story)) await tell(story, round);
  for (let start = 0; start < wishes.length; start += width) {
    const commands = wishes.slice(start, start + width).map((each) => commandFor(story, each));
    story.asked.push(...commands);
    await tell(story, commands);
  }
  await assertSameState(world, story.state);
});

// A sequence of all features takes six times the processor time of one of the ledger alone.
testProperty(
  'match the model of the features',
  property,
  new URL('./points-seeds.json', import.meta.url),
  10,
);

/** Makes the calls concurrently, and finds an order that explains their results. */
async function tell(story: Story, commands: Command[]): Promise<void> {
  const told = await finishAll(
    commands.map(async (command, node) => ({ command, told: await perform(world, command, node) })),
  );
  const explained = explain(story.state, told);
  assert.ok(
    explained,
    `No order of these commands explains what they were told:\n${told.map(show).join('\n')}`,
  );
  story.state = explained.state;
}

/** Gives every member an earning, a withdrawal and a game, and one a held earning, for later commands to pick. */
function openingOf(story: Story): Command[][] {
  const credits = members.map((id) => newCredit(story, id, 6_000));
  const held = newCredit(story, BUSY, 10_000);
  const later: Command[] = members.flatMap((id) => [
    { act: 'withdraw', member: id, points: WITHDRAWAL_POINTS_MIN, key: 'first' },
    { act: 'flip', member: id, bet: 100, key: 'first' },
  ]);
  story.asked.push(...credits, held, ...later);
  return [[...credits, held], later];
}

function newCredit(story: Story, memberId: number, amount: number): Credit {
  story.count += 1;
  return {
    act: 'credit',
    transaction: `t${story.count}`,
    member: memberId,
    points: amount,
    isScreenOut: false,
    isFromStrangePlace: false,
  };
}

function commandFor(story: Story, wanted: Wish): Command {
  story.count += 1;
  const key = `k${story.count}`;
  switch (wanted.wish) {
    case 'credit': {
      const { isScreenOut, isFromStrangePlace } = wanted;
      const awaited = story.awaited.findIndex((credit) => credit.member === wanted.member);
      const [credit = newCredit(story, wanted.member, wanted.points)] =
        awaited === -1 ? [] : story.awaited.splice(awaited, 1);
      return { ...credit, isScreenOut, isFromStrangePlace };
    }
    case 'reverse': {
      const credit = pick([...creditsOf(story), ...story.awaited], wanted.which);
      return reversalOf(credit, wanted.isOfItsOwnId ? { reversal: key, points: wanted.points } : {});
    }
    case 'reverse-early': {
      const credit = newCredit(story, wanted.member, wanted.points);
      story.awaited.push(credit);
      return reversalOf(credit);
    }
    case 'reverse-misnamed': {
      const credit = pick(creditsOf(story), wanted.which);
      return reversalOf(credit, { reversal: key, member: wanted.member });
    }
    case 'review': {
      const held = [...story.state.earnings].filter(([, earning]) => earning.wasHeld);
      const open = held.filter(([, earning]) => earning.state === 'held');
      const [transaction] = pick(open.length > 0 ? open : held, wanted.which);
      return { act: 'review', transaction, verdict: wanted.verdict };
    }
    case 'decide': {
      const all = [...story.state.withdrawals];
      const pending = all.filter(([, withdrawal]) => withdrawal.state === 'pending');
      const [withdrawal] = pick(pending.length > 0 ? pending : all, wanted.which);
      return { act: 'decide', withdrawal, verdict: wanted.verdict };
    }
    case 'withdraw': {
      const amount = Number((balanceOf(story.state, wanted.member) * BigInt(wanted.share)) / 100n);
      const asked = Math.max(amount, WITHDRAWAL_POINTS_MIN);
      return { act: 'withdraw', member: wanted.member, points: asked, key: wanted.isKeyed ? key : null };
    }
    case 'grant':
      return { act: 'grant', member: wanted.member, points: wanted.points, key };
    case 'flip':
      return { act: 'flip', member: wanted.member, bet: wanted.points, key };
    case 'repeat':
      // Each grant has a new key, so it can't be repeated.
      return pick(
        story.asked.filter(({ act }) => act !== 'grant'),
        wanted.which,
      );
    case 'alter':
      return altered(pick(story.asked.filter(isAlterable), wanted.which), wanted.member);
  }
}

const isCredit = (command: Command): command is Credit => command.act === 'credit';

/** The first call of each credit, so that all reversals of one id are the same call. */
function creditsOf(story: Story): Credit[] {
  const first = new Map<string, Credit>();
  for (const credit of story.asked.filter(isCredit))
    if (!first.has(credit.transaction)) first.set(credit.transaction, credit);
  return [...first.values()];
}

type Alterable = Command & { act: 'credit' | 'withdraw' | 'flip' };

const isAlterable = (command: Command): command is Alterable =>
  (command.act === 'credit' && command.member !== STRANGER) ||
  command.act === 'withdraw' ||
  command.act === 'flip';

/** The same transaction or key with another text. */
function altered(command: Alterable, memberId: number): Command {
  if (command.act === 'credit') return { ...command, member: memberId, points: command.points + 1 };
  if (command.act === 'flip') return { ...command, bet: command.bet + 1 };
  return { ...command, points: command.points + 1 };
}

/** Reverses a whole credit, by default under the credit's own id. */
function reversalOf(
  { transaction, member: memberId }: Credit,
  other: Partial<Pick<Reversal, 'reversal' | 'member' | 'points'>> = {},
): Reversal {
  return { act: 'reverse', reversal: transaction, transaction, member: memberId, points: null, ...other };
}

function pick<T>(from: readonly T[], which: number): T {
  assert.ok(from.length > 0, 'There is nothing to pick from');
  return from[which % from.length] as T;
}

function show(told: unknown): string {
  return JSON.stringify(told, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
}
