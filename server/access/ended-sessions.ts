import type { Platform } from '#platform/platform.ts';
import { readEndedSessions } from './ended-session-queries.ts';

/**
 * Another process may have ended sessions, such as a command of the command line, or a node whose news was lost with
 * Redis. So each node looks every second who lost sessions, and its parts hear of it. This is one statement for a node,
 * however many sockets it has.
 */

/**
 * A row may become visible later than one with a higher number, so what was heard of is known by its number. Longer
 * than a transaction of the application takes.
 */
const KEPT_SECONDS = 60;

/** Makes a function that tells this node's parts whose sessions ended since its last call. */
export function createEndedSessionsTurn({
  database,
  bus,
}: Pick<Platform, 'database' | 'bus'>): () => Promise<void> {
  let known = new Set<bigint>();
  return async () => {
    const rows = await readEndedSessions(database, KEPT_SECONDS);
    const fresh = new Set(rows.filter(({ number }) => !known.has(number)).map(({ memberId }) => memberId));
    known = new Set(rows.map(({ number }) => number));
    for (const memberId of fresh.has(null) ? [null] : fresh) bus.hearSessionChange({ memberId });
  };
}
