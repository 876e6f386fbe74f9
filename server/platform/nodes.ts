/**
 * The processes that serve the site. Each says every few seconds that it runs, with the number of its parts that are
 * not well, so that operators see each of several nodes and one that fell silent.
 */
import { type Reader, sql } from './database.ts';
import type { Health } from './health.ts';
import { processName } from './leases.ts';
import type { Log } from './log.ts';
import { thisRelease } from './release.ts';

export const NODE_SEEN_EVERY_MS = 10_000;
/** Three times as long as a node is silent in the ordinary course. */
const SILENT_SECONDS = 30;
/** How long a node that ended without a word is listed. */
const LISTED_HOURS = 24;

type NodeParts = { database: Reader; health: Pick<Health, 'troubles'> };

/** Says that this node runs and how much of it is not well, and forgets those that ended long ago. */
export async function noteNode({ database, health }: NodeParts): Promise<void> {
  const troubles = health.troubles();
  await database.rows(sql`
    insert into platform.nodes (holder, version, seen_at, trouble_count)
    values (${processName}, ${thisRelease.version}, clock_timestamp(), ${troubles.length})
    on conflict (holder) do update
    set seen_at = excluded.seen_at, trouble_count = excluded.trouble_count`);
  await database.rows(sql`
    delete from platform.nodes where seen_at < clock_timestamp() - ${LISTED_HOURS} * interval '1 hour'`);
}

/** Says that this node ends. Where that fails, it is listed as silent. */
export async function forgetNode({ database, log }: { database: Reader; log: Log }): Promise<void> {
  try {
    await database.rows(sql`delete from platform.nodes where holder = ${processName}`);
  } catch (error) {
    log.warn({ error }, 'the end of this node could not be noted');
  }
}

type Node = {
  holder: string;
  version: string;
  startedAt: Date;
  seenAt: Date;
  isRunning: boolean;
  troubleCount: number;
};

/** The nodes, those that run first, each in the order of its start. */
export const readNodes = (reader: Reader) =>
  reader.rows<Node>(sql`
    select holder, version, started_at as "startedAt", seen_at as "seenAt", trouble_count as "troubleCount",
      seen_at > clock_timestamp() - ${SILENT_SECONDS} * interval '1 second' as "isRunning"
    from platform.nodes order by 6 desc, started_at, holder limit 100`);

/** The real time by the database's clock, by which the times of nodes are. */
export const readRealTime = async (reader: Reader): Promise<Date> =>
  (await reader.one<{ at: Date }>(sql`select clock_timestamp() as at`)).at;
