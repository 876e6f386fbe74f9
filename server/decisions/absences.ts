import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import * as queries from './absence-queries.ts';

/**
 * Members who have not signed in for three months of the site's zone. Each is told once in an absence, and then stands
 * in a list. Nothing is taken by that: an operator may book a chargeback, with a reason.
 */

/** How many are told in one turn, so that the mails of a long list go out over hours. */
const TOLD_MAX = 50;

type AbsenceParts = Pick<Platform, 'database' | 'bus' | 'log'> & { config: Pick<Config, 'siteTimezone'> };

/**
 * Tells the next members who are away at a time. The row of the absence decides which of several nodes tells one.
 * @returns how many were told
 */
export async function tellAbsent(platform: AbsenceParts, now: Date, signal: AbortSignal): Promise<number> {
  const { database, config } = platform;
  const zone = config.siteTimezone;
  let told = 0;
  for (const memberId of await queries.readUntold(database, now, zone, TOLD_MAX)) {
    if (signal.aborted) break;
    const isTold = await database.transaction(async (tx) => {
      const absence = await queries.insertAbsence(tx, memberId, now, zone);
      if (absence === undefined) return false;
      const since = absence.seenAt.toISOString();
      await addNotice(tx, memberId, 'decision', { decision: 'inactive', since });
      return true;
    });
    if (!isTold) continue;
    told += 1;
    await announceNotices(platform, memberId);
  }
  return told;
}
