/**
 * Business time: the database's clock plus an offset, and the day of the site. SQL reads it with
 * `platform.business_now()` and `platform.site_day(...)`; this is for the few places that need it elsewhere.
 */
import { openDatabase, type Reader, sql } from './database.ts';

export type Mode = 'live' | 'sandbox';

/** Tells the database, as its owner, which mode and time zone this start has. */
export async function configureClock(
  ownerUrl: string,
  settings: { siteTimezone: string; mode: Mode },
): Promise<void> {
  const owner = openDatabase({ url: ownerUrl, connectionsMax: 1 });
  try {
    // Naming the zone in an expression makes PostgreSQL refuse one that it does not know.
    const clock = await owner.one<{ offset: bigint }>(sql`
      select offset_seconds as offset, now() at time zone ${settings.siteTimezone} from platform.clock`);
    if (settings.mode === 'live' && clock.offset > 0n) {
      throw new Error(
        'This database was a sandbox whose clock was moved forward: live mode needs another one',
      );
    }
    await owner.rows(sql`
      update platform.clock set site_timezone = ${settings.siteTimezone}, mode = ${settings.mode}
      where (site_timezone, mode) is distinct from (${settings.siteTimezone}, ${settings.mode})`);
  } finally {
    await owner.close();
  }
}

/** Business time, and the site day on which it falls. */
export async function readClock(reader: Reader): Promise<{ now: Date; siteDay: string }> {
  return reader.one(sql`
    select clock.now, platform.site_day(clock.now) as "siteDay" from (select platform.business_now() as now) as clock`);
}

/** Moves business time forward; PostgreSQL refuses it in live mode. */
export async function advanceClock(reader: Reader, seconds: bigint): Promise<Date> {
  const { now } = await reader.one<{ now: Date }>(sql`select platform.advance_clock(${seconds}) as now`);
  return now;
}
