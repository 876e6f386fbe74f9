import { advanceClock } from '#platform/clock.ts';
import { type Database, sql } from '#platform/database.ts';

/**
 * Moves business time to an hour after the start of the next site day. A test that counts days, or waits for the end of
 * one, gives the same at any time of the day then. Sessions of before may be over.
 */
export async function advanceIntoSiteDay(owner: Database): Promise<void> {
  const { seconds } = await owner.one<{ seconds: bigint }>(sql`
    select ceil(extract(epoch from (platform.site_day(now) + 1)::timestamp at time zone site_timezone - now))::bigint
      + 3600 as seconds
    from platform.site_clock, platform.business_now() as now`);
  await advanceClock(owner, seconds);
}
