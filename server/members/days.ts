import type { Reader } from '#platform/database.ts';
import * as queries from './days-queries.ts';

/**
 * The sign-ups and active members of each site day, for the operators' overview. A sweep keeps a row of each day, so no
 * read counts members. Days on which the site was down are kept at the next turn.
 */

/** A longer gap than the overview shows is not filled. */
const DAYS_BACK_MAX = 60;

/** Keeps today and the days that are not closed. A second call changes nothing. */
export async function keepMemberDays(reader: Reader): Promise<void> {
  for (const { day } of await queries.readDaysToKeep(reader, DAYS_BACK_MAX))
    await queries.keepDay(reader, day);
}

/** The kept days from this one on, oldest first. */
export const readMemberDays = async (
  reader: Reader,
  from: string,
): Promise<{ day: string; joined: number; active: number }[]> =>
  (await queries.readDays(reader, from)).map(({ day, joinedCount, activeCount }) => ({
    day,
    joined: Number(joinedCount),
    active: Number(activeCount),
  }));
