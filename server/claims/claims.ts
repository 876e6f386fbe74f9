import {
  CLAIM_ASK_DAYS,
  CLAIM_OPENING_DAYS,
  type Claim,
  type Claimable,
  type fileClaim as fileEndpoint,
} from '#contract/claims.ts';
import type { BodyOf } from '#contract/endpoint.ts';
import { readClock } from '#platform/clock.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { usualHoursOf } from '../earning/earning.ts';
import { activityIdOf, announceClaim, claimOf } from './claim-view.ts';
import * as queries from './queries.ts';

/**
 * Claims: a member says that the credit of an opened wall did not arrive. An operator asks the provider, then books the
 * points or refuses with a reason (`decisions.ts`).
 *
 * Invariants: there is one claim for each opening, of its own member, filed after the provider's usual time and while
 * the opening has no credit, and one for all openings of a wall within that time. A claim is decided once. Its points
 * are a grant, booked in the transaction of the decision under a key of the claim, within the bounds of all grants. If
 * its opening was credited meanwhile, or its credit rejected, nothing is booked. If credits or booked claims came at
 * its wall since the opening, the operator says how many they saw, because one of them may be the missing credit.
 * Earning says what became of an opening, grants books, notices tell the member.
 */

/** A member's list has at most this many of the newest claims. */
const MEMBER_CLAIMS_MAX = 200;
const COUNTED_CLAIMS_MAX = 1_000;
const HOUR_MS = 3_600_000;

function openingIdOf(activityId: string): bigint | undefined {
  const digits = /^opening:([1-9]\d{0,17})$/.exec(activityId)?.[1];
  return digits === undefined ? undefined : BigInt(digits);
}

/** When a credit of an opening should have arrived. */
const claimableFromOf = ({ provider, openedAt }: queries.OpeningRow): Date =>
  new Date(openedAt.getTime() + (usualHoursOf(provider) ?? 0) * HOUR_MS);

/** Reads the openings that have no credit, newest first, each with the time from which it may be claimed. */
export async function readClaimable({ database }: Platform, memberId: number): Promise<Claimable[]> {
  const rows = await queries.readOpenings(database, memberId, CLAIM_OPENING_DAYS);
  return rows
    .filter(({ state }) => state === 'opened')
    .map((row) => ({
      activityId: activityIdOf(row.id),
      provider: row.provider,
      openedAt: row.openedAt.toISOString(),
      arrivesWithinHours: usualHoursOf(row.provider),
      claimableFrom: claimableFromOf(row).toISOString(),
      claimId: row.claimId === null ? null : String(row.claimId),
    }));
}

/**
 * Files a claim about one of the member's own openings, and announces it.
 * @throws Refusal `not-found`, `already-exists`, `credit-not-missing`; `claim-too-early` with `claimableFrom`
 */
export async function fileClaim(
  platform: Platform,
  memberId: number,
  { activityId, text, statedPoints }: BodyOf<typeof fileEndpoint>,
): Promise<Claim> {
  const { database } = platform;
  const id = openingIdOf(activityId);
  const [opening] =
    id === undefined ? [] : await queries.readOpenings(database, memberId, CLAIM_OPENING_DAYS, id);
  if (opening === undefined) throw refuse('not-found');
  if (opening.claimId !== null) throw refuse('already-exists');
  if (opening.state !== 'opened') throw refuse('credit-not-missing');
  const claimableFrom = claimableFromOf(opening);
  if ((await readClock(database)).now < claimableFrom)
    throw refuse('claim-too-early', undefined, { claimableFrom: claimableFrom.toISOString() });
  const filed = await database.transaction((tx) =>
    queries.insertClaim(tx, {
      memberId,
      opening,
      arrivesWithinHours: usualHoursOf(opening.provider),
      text,
      statedPoints: statedPoints ?? null,
      askDays: CLAIM_ASK_DAYS,
    }),
  );
  if (filed === undefined) throw refuse('already-exists');
  announceClaim(platform, memberId, filed.id);
  return claimOf(filed);
}

/** Reads the member's newest claims, newest first. */
export async function readClaims({ database }: Platform, memberId: number): Promise<Claim[]> {
  return (await queries.readNewestOf(database, memberId, MEMBER_CLAIMS_MAX)).map(claimOf);
}

/** Counts the claims that nobody has decided, at most 1,000. */
export const countOpenClaims = async ({ database }: Pick<Platform, 'database'>): Promise<number> =>
  Number((await queries.readOpen(database, COUNTED_CLAIMS_MAX)).count);

/** The undecided claims as something that waits, with the one that is due first and when that is. */
export async function readClaimsWait({ database }: Pick<Platform, 'database'>) {
  const { count, filedAt, dueAt } = await queries.readOpen(database, COUNTED_CLAIMS_MAX);
  return { count: Number(count), points: null, oldestAt: filedAt, dueAt };
}

/** Deletes claims that were filed more than three years ago. */
export const deleteOldClaims = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> => removeInPieces(database, signal, (rowsMax) => queries.removeOld(database, rowsMax));
