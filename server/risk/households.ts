import { randomInt } from 'node:crypto';
import { HOUSEHOLD_MEMBERS_MAX, type Household } from '#contract/risk-households.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './household-queries.ts';

/**
 * Households: members who say that they share a connection or a device. A credit for an offer that somebody else of the
 * household had waits for an operator (`risk.claim_offer`), and what the rules find between its members alone is of
 * medium confidence at most. Nothing else follows.
 *
 * Invariants: a member is in one household at most, and it has six at most. Joining takes a code that a member of it
 * made, so nobody is put into one, and nothing tells whether an account exists.
 */

const CODE_HOURS = 24;
const CODE_LENGTH = 8;
/** Without letters and digits that look like others. */
const CODE_LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** Entered codes per member, and per address. A code has 40 bits and holds for a day. */
export const enteredCodes: Limit = { name: 'household-codes', max: 10, perS: 3_600, scaledIn: 'never' };
export const enteredCodesOfSource: Limit = {
  name: 'household-codes-of-source',
  max: 30,
  perS: 3_600,
  scaledIn: 'never',
};

type Parts = Pick<Platform, 'database'>;

export async function readHousehold(reader: Reader, memberId: number): Promise<Household> {
  const people = await queries.listHouseholdOf(reader, memberId);
  const code = await queries.findCodeOf(reader, memberId);
  return {
    members: people.map((one) => ({ firstName: one.firstName, isSelf: one.memberId === memberId })),
    code: code?.code ?? null,
    codeExpiresAt: code?.codeExpiresAt?.toISOString() ?? null,
  };
}

const newCode = (): string =>
  Array.from({ length: CODE_LENGTH }, () => CODE_LETTERS[randomInt(CODE_LETTERS.length)]).join('');

/**
 * Makes a code in the place of the former one. Who is in no household begins one.
 * @throws Refusal `household-full`; `in-household` if another call at the same time began or joined one
 */
export const makeCode = ({ database }: Parts, memberId: number): Promise<Household> =>
  database.transaction(async (tx) => {
    const own = await queries.lockOwn(tx, memberId);
    const { id } = own ?? (await queries.insertHousehold(tx));
    if (own === undefined) await join(tx, id, memberId);
    else if ((await queries.countMembers(tx, id)) >= HOUSEHOLD_MEMBERS_MAX) throw refuse('household-full');
    await queries.setCode(tx, id, newCode(), CODE_HOURS);
    return readHousehold(tx, memberId);
  });

/**
 * Joins the household whose code this is, in whatever case and spacing it is written.
 * @throws Refusal `household-code`, `in-household`, `household-full`
 */
export const joinHousehold = ({ database }: Parts, memberId: number, code: string): Promise<Household> =>
  database.transaction(async (tx) => {
    const found = await queries.lockByCode(tx, code.toUpperCase().replaceAll(/[\s-]/g, ''));
    if (found === undefined) throw refuse('household-code');
    if ((await queries.countMembers(tx, found.id)) >= HOUSEHOLD_MEMBERS_MAX) throw refuse('household-full');
    await join(tx, found.id, memberId);
    return readHousehold(tx, memberId);
  });

async function join(tx: Tx, id: bigint, memberId: number): Promise<void> {
  if ((await queries.addMember(tx, id, memberId)) === undefined) throw refuse('in-household');
}

/** Leaves the household. Its last member ends it. */
export async function leaveWithin(tx: Tx, memberId: number): Promise<void> {
  const own = await queries.lockOwn(tx, memberId);
  if (own === undefined) return;
  await queries.removeMember(tx, memberId);
  await queries.deleteEmpty(tx, own.id);
}

/** Finds the others of a member's household, for operators. */
export async function findHouseholders(
  reader: Reader,
  memberId: number,
  limit: number,
): Promise<readonly number[]> {
  const people = await queries.listHouseholdOf(reader, memberId);
  return people
    .map((one) => one.memberId)
    .filter((id) => id !== memberId)
    .slice(0, limit);
}

/** Exports that a member is in a household, and for which offers they count in it. Others are not the member's data. */
export async function* exportHousehold(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const own = await queries.findOwn(reader, memberId);
  if (own === undefined) return;
  const offers = await queries.listOffers(reader, memberId);
  yield {
    joinedAt: own.joinedAt.toISOString(),
    offers: offers.map(({ claimedAt, ...offer }) => ({ ...offer, creditedAt: claimedAt.toISOString() })),
  };
}
