import { type Reader, sql } from '#platform/database.ts';

/** SQL of what waits for operators. Counts are kept or bounded; the oldest row is the first of an index. */

export const findOldestHeld = (reader: Reader) =>
  reader.row<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from earning.earnings where state = 'held' order by held_id limit 1`);

/** The calls in quarantine, at most `countMax`, the oldest first. */
export const readQuarantined = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint; points: string; oldestAt: Date | null }>(sql`
    select count(*) as count, coalesce(sum(points), 0)::text as points, min(at) as "oldestAt"
    from (
      select at, points from earning.quarantine
      where state in ('open', 'held') order by id limit ${countMax}) as counted`);
