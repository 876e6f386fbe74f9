import {
  type Account,
  type Draws,
  drawsOf,
  newAddress,
  newBrowser,
  newMailbox,
  newWallet,
  type Population,
  shuffled,
  withActs,
} from './population.ts';
import { makeRing } from './population-rings.ts';

/** Honest members: each is one person, who may share lines, browsers, wallets and inviters with other people. */

/** Most members have not reached the smallest withdrawal. */
const WITHDRAWS = 0.35;

type Group = (draws: Draws) => Account[];

function person(draws: Draws, devices: Account['devices'], wallet?: string): Account {
  const destinations = draws.chance(WITHDRAWS) ? [wallet ?? newWallet(draws)] : [];
  return withActs(draws, { email: newMailbox(draws), devices, destinations, ring: null });
}

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

/** One person at a line of their own, or at a shared address of a VPN. */
const VPN_ADDRESSES = 30;
function alone(draws: Draws): Account[] {
  const address = draws.chance(0.04) ? `185.199.7.${1 + draws.popular(VPN_ADDRESSES)}` : newAddress(draws);
  return [
    person(
      draws,
      times(draws.whole(1, 3), () => ({ fingerprint: newBrowser(draws), address })),
    ),
  ];
}

/**
 * Two to six people at one line. Half of the families have a computer that most of them use too. Of some, two people
 * share a wallet, of few all do. Two in five joined because one of them invited the others.
 */
function family(draws: Draws): Account[] {
  const address = newAddress(draws);
  const computer = draws.chance(0.5) ? newBrowser(draws) : null;
  const shared = newWallet(draws);
  const sharing = draws.chance(0.01) ? 6 : draws.chance(0.06) ? 2 : 0;
  const members = times(draws.size(3, 2, 6), (at) => {
    const own = times(draws.whole(1, 2), () => newBrowser(draws));
    const used = computer !== null && draws.chance(0.6) ? [...own, computer] : own;
    const devices = [...new Set(used)].map((fingerprint) => ({ fingerprint, address }));
    return person(draws, devices, at < sharing ? shared : undefined);
  });
  if (draws.chance(0.4)) for (const one of members.slice(1)) one.referrer = members[0] ?? null;
  return members;
}

/** Students behind one address of their campus. Some use the rooms' computers, which are all alike; friends invite. */
function campus(draws: Draws): Account[] {
  const address = newAddress(draws);
  const rooms = times(draws.whole(1, 4), () => newBrowser(draws));
  const students: Account[] = [];
  for (let left = draws.size(50, 15, 200); left > 0; left -= 1) {
    const own = { fingerprint: newBrowser(draws), address: draws.chance(0.7) ? address : newAddress(draws) };
    const room = draws.chance(0.15) ? [{ fingerprint: draws.pick(rooms), address }] : [];
    const student = person(draws, [own, ...room]);
    if (students.length > 0 && draws.chance(0.3)) student.referrer = draws.pick(students);
    students.push(student);
  }
  return students;
}

/** An internet café: computers from one image behind one address. */
function cafe(draws: Draws): Account[] {
  const address = newAddress(draws);
  const images = times(draws.whole(1, 2), () => newBrowser(draws));
  return times(draws.size(12, 4, 40), () => {
    const own = draws.chance(0.5) ? [{ fingerprint: newBrowser(draws), address: newAddress(draws) }] : [];
    return person(draws, [{ fingerprint: draws.pick(images), address }, ...own]);
  });
}

/** A phone that was sold: the former owner was seen with it at one line, the new one at another. */
function secondHand(draws: Draws): Account[] {
  const fingerprint = newBrowser(draws);
  return times(2, () => person(draws, [{ fingerprint, address: newAddress(draws) }]));
}

/** People who are paid by somebody who exchanges coins for them, at that person's address. */
function exchangeAgent(draws: Draws): Account[] {
  const wallet = newWallet(draws);
  return times(draws.size(6, 3, 20), () => {
    const account = person(draws, [{ fingerprint: newBrowser(draws), address: newAddress(draws) }], wallet);
    return draws.chance(0.8) ? { ...account, destinations: [wallet] } : account;
  });
}

/** A carrier's members behind its few addresses, most on phones of common models. */
const CARRIER_ADDRESSES = 8;
function onCarrier(draws: Draws): Account[] {
  const address = `223.62.8.${1 + draws.popular(CARRIER_ADDRESSES)}`;
  return [person(draws, [{ fingerprint: newBrowser(draws), address }])];
}

/** The shares of honest members; those of the largest groups are met by their number, so they vary. */
const groups: { share: number; make: Group; peopleMean: number }[] = [
  { share: 0.51, make: alone, peopleMean: 1 },
  { share: 0.25, make: family, peopleMean: 3.3 },
  { share: 0.15, make: onCarrier, peopleMean: 1 },
  { share: 0.05, make: campus, peopleMean: 58 },
  { share: 0.02, make: cafe, peopleMean: 14 },
  { share: 0.018, make: secondHand, peopleMean: 2 },
  { share: 0.002, make: exchangeAgent, peopleMean: 7 },
];

function pickGroup(draws: Draws): Group {
  const weights = groups.map(({ share, peopleMean }) => share / peopleMean);
  let left = draws.real() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = groups.find((_, at) => {
    left -= weights[at] ?? 0;
    return left < 0;
  });
  return found?.make ?? alone;
}

/** A third of those whom nobody near invited came by an inviter's link, most by that of a few who have many readers. */
function inviteStrangers(draws: Draws, honest: readonly Account[]): void {
  for (const account of honest) {
    if (account.referrer !== null || !draws.chance(0.33)) continue;
    const inviter = honest[draws.popular(honest.length)];
    if (inviter !== undefined && inviter !== account) account.referrer = inviter;
  }
}

/** Makes `members` accounts, of which those of `rings` rings are not honest. */
export function makePopulation(seed: number, size: { members: number; rings: number }): Population {
  const draws = drawsOf(seed);
  const rings = times(size.rings, (number) => makeRing(draws, number));
  const farmed = rings.flatMap(({ accounts }) => accounts);
  const honest: Account[] = [];
  while (honest.length < size.members - farmed.length) honest.push(...pickGroup(draws)(draws));
  honest.length = size.members - farmed.length;
  const kept = new Set(honest);
  for (const one of honest) if (one.referrer !== null && !kept.has(one.referrer)) one.referrer = null;
  inviteStrangers(draws, shuffled(draws, honest));
  return { accounts: shuffled(draws, [...farmed, ...honest]), rings };
}
