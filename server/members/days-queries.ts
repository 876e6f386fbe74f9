import { type Reader, sql } from '#platform/database.ts';

/** SQL of the members of each site day. */

/** The days to keep, the oldest first, today last. */
export const readDaysToKeep = (reader: Reader, daysMax: number) =>
  reader.rows<{ day: string }>(
    sql`select day::text from members.days_to_keep(${daysMax}) as day order by day`,
  );

export const keepDay = (reader: Reader, day: string) =>
  reader.rows(sql`select members.keep_day(${day}::date)`);

export const readDays = (reader: Reader, from: string) =>
  reader.rows<{ day: string; joinedCount: bigint; activeCount: bigint }>(sql`
    select site_day::text as day, joined_count as "joinedCount", active_count as "activeCount"
    from members.days where site_day >= ${from}::date order by site_day`);
