import { HOLD_POINTS_MIN, WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import type { TicketStatus } from '#contract/support.ts';
import type { Offer } from '../earning/providers/wall.ts';
import { announcements, type DemoAnnouncement } from './demo-announcements.ts';
import { chatLines } from './demo-chat.ts';
import { friendsOfMember, type Person, people } from './demo-people.ts';
import { type DemoTicket, tickets } from './demo-tickets.ts';
import { readOffer, type SimulatedWall, walls } from './wall-registry.ts';

/**
 * The acts of the demo world in order of time. They are the same at every first start, because the random numbers come
 * from a generator with fixed seeds. Pictures in the documents therefore stay correct.
 */
export type Act = { minutesAgo: number; who: string } & (
  | { kind: 'join'; person: Person; isFriendOfMember: boolean }
  | { kind: 'claim-bonus' }
  | { kind: 'earn'; wall: SimulatedWall; offer: Offer; isScreenOut: boolean; transactionId: string }
  | { kind: 'reverse'; wall: SimulatedWall; offer: Offer; transactionId: string }
  | {
      kind: 'decide-earning';
      wall: SimulatedWall;
      transactionId: string;
      verdict: 'approve' | 'reject';
      note: string;
    }
  /** The operator gives points. A grant `forTwo` waits for the confirmation of another person. */
  | { kind: 'grant'; points: bigint; reason: string; isForTwo: boolean }
  /** The operator takes points back. */
  | { kind: 'charge-back'; points: bigint; reason: string }
  | { kind: 'withdraw'; coin: 0 | 1; amountPoints: bigint; name: string }
  | { kind: 'approve'; name: string }
  | { kind: 'reject'; name: string; reason: string }
  | { kind: 'ask'; ticket: DemoTicket }
  | { kind: 'answer'; ticket: DemoTicket; status: TicketStatus; response: string | null }
  /** A line in the general channel. */
  | { kind: 'say'; text: string; isOperators: boolean }
  /** The operator tells all members. */
  | { kind: 'announce'; announcement: DemoAnnouncement }
  | { kind: 'sign-in' }
);

const HOUR = 60;
const DAY = 24 * HOUR;

/** Makes a generator of numbers in [0, 1) from a seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(from: readonly T[], draw: number): T {
  const picked = from[Math.floor(draw * from.length)];
  if (picked === undefined) throw new Error('There is nothing to pick from');
  return picked;
}

let transactions = 0;

/** Makes a transaction id in the company's form, outside the range that walls draw from. */
function transactionFor(wall: SimulatedWall): string {
  transactions += 1;
  const number = `1000${String(transactions).padStart(9, '0')}`;
  return wall.transactionIdOf(number);
}

type Earn = Extract<Act, { kind: 'earn' }>;

function earn(who: string, minutesAgo: number, wall: SimulatedWall, offer: Offer, isScreenOut = false): Earn {
  const transactionId = transactionFor(wall);
  return { kind: 'earn', who, minutesAgo, wall, offer, isScreenOut, transactionId };
}

/** Makes an act that earns the reward of the offer with this title. */
function earnOffer(who: string, minutesAgo: number, title: string): Earn {
  const { wall, offer } = readOffer(title);
  return earn(who, minutesAgo, wall, offer);
}

/** Chooses a wall by its share of the demo world's rewards. `place` is between 0 and 1. */
function wallAt(place: number): SimulatedWall {
  let end = 0;
  const shared = [...walls.values()].filter(({ demoShare }) => demoShare > 0);
  const found = shared.find(({ demoShare }) => {
    end += demoShare;
    return place < end;
  });
  return found ?? pick(shared, 0);
}

/** The two survey walls with the largest shares. */
function surveyWalls(): [SimulatedWall, SimulatedWall] {
  const [first, second] = [...walls.values()]
    .filter(({ kind }) => kind === 'survey')
    .sort((one, other) => other.demoShare - one.demoShare);
  if (first === undefined || second === undefined) throw new Error('The demo world needs two survey walls');
  return [first, second];
}

function rewardsOf(person: Person, random: () => number): Earn[] {
  return Array.from({ length: person.rewards }, () => {
    const draw = random();
    const wall = wallAt(draw);
    const offers = wall.offers.filter(({ points }) => points < HOLD_POINTS_MIN);
    const minutesAgo = 20 + random() * (person.joinedDaysAgo * DAY - HOUR);
    const isScreenOut = wall.kind === 'survey' && random() < 0.12;
    return earn(person.email, minutesAgo, wall, pick(offers, random()), isScreenOut);
  });
}

const worth = ({ offer, isScreenOut }: Earn): bigint => (isScreenOut ? offer.screenOutPoints : offer.points);

/** Makes a withdrawal of the points earned by then, rounded down to a multiple of 500, and its decision. */
function withdrawalOf({ email, withdrawal }: Person, rewards: readonly Earn[]): Act[] {
  if (withdrawal === null) return [];
  const minutesAgo = withdrawal.hoursAgo * HOUR;
  const earned = rewards.filter((reward) => reward.minutesAgo > minutesAgo).map(worth);
  const amountPoints = (earned.reduce((sum, points) => sum + points, 0n) / 500n) * 500n;
  if (amountPoints < WITHDRAWAL_POINTS_MIN) return [];
  const name = `${email} 1`;
  const asked: Act = { kind: 'withdraw', who: email, minutesAgo, coin: withdrawal.coin, amountPoints, name };
  const decidedMinutesAgo = Math.max(HOUR, minutesAgo - 21 * HOUR);
  if (withdrawal.outcome === 'approved')
    return [asked, { kind: 'approve', who: email, minutesAgo: decidedMinutesAgo, name }];
  if (withdrawal.outcome === 'rejected') {
    const reason = 'This address was used by another account';
    return [asked, { kind: 'reject', who: email, minutesAgo: decidedMinutesAgo, name, reason }];
  }
  return [asked];
}

function lifeOf(person: Person, index: number): Act[] {
  const random = generator(index + 1);
  const rewards = rewardsOf(person, random);
  return [
    {
      kind: 'join',
      who: person.email,
      minutesAgo: person.joinedDaysAgo * DAY,
      person,
      isFriendOfMember: friendsOfMember.has(person.email),
    },
    ...rewards,
    ...withdrawalOf(person, rewards),
    { kind: 'sign-in', who: person.email, minutesAgo: 15 + random() * 2 * DAY },
  ];
}

/** Large rewards that an operator decided or still has to decide, and reversals by companies. */
function eventsOfNote(lives: readonly Act[]): Act[] {
  const nightTrain = readOffer('Night Train');
  const big = (who: string, hoursAgo: number) =>
    earn(`${who}@example.org`, hoursAgo * HOUR, nightTrain.wall, nightTrain.offer);
  const decided = (held: Earn, verdict: 'approve' | 'reject', note: string): Act[] => [
    held,
    {
      kind: 'decide-earning',
      who: held.who,
      minutesAgo: held.minutesAgo - 9 * HOUR,
      wall: held.wall,
      transactionId: held.transactionId,
      verdict,
      note,
    },
  ];
  const takenBack = ['noah.fischer', 'liam.murphy', 'minjun.kim'].flatMap((name): Act[] => {
    const first = lives.find((act): act is Earn => act.kind === 'earn' && act.who === `${name}@example.org`);
    if (first === undefined) return [];
    const { who, wall, offer, transactionId } = first;
    return [{ kind: 'reverse', who, wall, offer, transactionId, minutesAgo: first.minutesAgo / 3 }];
  });
  return [
    ...takenBack,
    ...decided(big('seoyeon.lee', 200), 'approve', `Checked with ${nightTrain.wall.name}`),
    ...decided(big('noah.fischer', 130), 'reject', `${nightTrain.wall.name} did not confirm it`),
    big('grace.okafor', 30),
    big('jiho.jung', 9),
    big('amara.singh', 3),
  ];
}

/** Points that operators gave: three that are booked, and one that waits for a second operator. */
function grants(): Act[] {
  const grant = (name: string, hoursAgo: number, points: bigint, reason: string, isForTwo = false): Act => ({
    kind: 'grant',
    who: `${name}@example.org`,
    minutesAgo: hoursAgo * HOUR,
    points,
    reason,
    isForTwo,
  });
  return [
    grant('seoyeon.lee', 150, 300n, 'A survey closed halfway through.'),
    grant('liam.murphy', 72, 1_200n, 'The offer was paid by the provider, but never reported.'),
    grant('amara.singh', 20, 500n, 'Thank you for the report about the broken link.'),
    grant('jiho.jung', 5, 25_000n, 'First prize of the November draw.', true),
  ];
}

/** Points that the operator took back, without a provider's call. */
const chargebacks: readonly Act[] = [
  {
    kind: 'charge-back',
    who: 'noah.fischer@example.org',
    minutesAgo: 61 * HOUR,
    points: 120n,
    reason: 'The same survey was paid in duplicate.',
  },
  {
    kind: 'charge-back',
    who: 'liam.murphy@example.org',
    minutesAgo: 6 * HOUR,
    points: 250n,
    reason: 'The reward was meant for another member.',
  },
];

/** The demo member's acts: three weeks of surveys, offers and bonuses, a paid and a rejected withdrawal. */
function lifeOfMember(person: Person): Act[] {
  const who = person.email;
  const at = (daysAgo: number, hour: number) => daysAgo * DAY - hour * HOUR + 25.4;
  const random = generator(99);
  const [first, second] = surveyWalls();
  const surveys = Array.from({ length: 24 }, (_, index): Act => {
    const wall = index % 3 === 1 ? second : first;
    const minutesAgo = at(20.5 - Math.sqrt(index) * 4.2, random() * 6);
    return earn(who, minutesAgo, wall, pick(wall.offers, random()), index % 11 === 7);
  });
  const [paid, refused] = [`${who} 1`, `${who} 2`];
  // A finished streak of five days, and a current one of three.
  const bonuses = [12, 11, 10, 9, 8, 3, 2, 1].map(
    (daysAgo): Act => ({ kind: 'claim-bonus', who, minutesAgo: daysAgo * DAY }),
  );
  return [
    { kind: 'join', who, minutesAgo: 21 * DAY, person, isFriendOfMember: false },
    earnOffer(who, at(19, 2), 'Harbour Town'),
    earnOffer(who, at(14, 3), 'Lingo Lane'),
    earnOffer(who, at(8, 1), 'Word Orchard'),
    earnOffer(who, at(3, 5), 'Budget Bee'),
    earnOffer(who, 3.2 * HOUR, 'Headphones and speakers'),
    earnOffer(who, 0.6 * HOUR, 'Groceries and delivery'),
    ...surveys,
    ...bonuses,
    { kind: 'withdraw', who, minutesAgo: at(6, 0), coin: 0, amountPoints: 1_000n, name: refused },
    {
      kind: 'reject',
      who,
      minutesAgo: at(5.4, 0),
      name: refused,
      reason: 'Please use an address of your own',
    },
    { kind: 'withdraw', who, minutesAgo: at(2.2, 0), coin: 0, amountPoints: 3_000n, name: paid },
    { kind: 'approve', who, minutesAgo: at(1.4, 0), name: paid },
    { kind: 'sign-in', who, minutesAgo: 12 },
  ];
}

/** A ticket and the operator's answer, if there is one. */
function storyOf(ticket: DemoTicket): Act[] {
  const { who, hoursAgo, outcome } = ticket;
  const asked: Act = { kind: 'ask', who, minutesAgo: hoursAgo * HOUR, ticket };
  if (outcome === null) return [asked];
  const { afterHours, status, response } = outcome;
  const minutesAgo = (hoursAgo - afterHours) * HOUR;
  return [asked, { kind: 'answer', who, minutesAgo, ticket, status, response }];
}

/**
 * All acts, oldest first.
 * @param member the demo member
 */
export function demoPlan(member: Person): Act[] {
  transactions = 0;
  const lives = people.flatMap((person, index) => lifeOf(person, index));
  const acts = [
    ...lives,
    ...eventsOfNote(lives),
    ...grants(),
    ...chargebacks,
    ...lifeOfMember(member),
    ...tickets.flatMap(storyOf),
    ...announcements.map(
      (announcement): Act => ({
        kind: 'announce',
        who: '',
        minutesAgo: announcement.hoursAgo * HOUR,
        announcement,
      }),
    ),
    ...chatLines.map(
      ({ who, hoursAgo, text }): Act => ({
        kind: 'say',
        who: who ?? '',
        minutesAgo: hoursAgo * HOUR,
        text,
        isOperators: who === null,
      }),
    ),
  ];
  return acts.sort((left, right) => right.minutesAgo - left.minutesAgo);
}
