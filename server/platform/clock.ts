/**
 * Business time: the database's clock plus an offset, and the day of the site. SQL reads it with
 * `platform.business_now()` and `platform.site_day(...)`; this is for the few places that need it elsewhere.
 */
import { ConfigFault } from './config.ts';
import { type Database, openDatabase, type Reader, sql } from './database.ts';

export type Mode = 'live' | 'sandbox';

/**
 * Asked before anything is written: a sandbox has demo people with balances and lets anybody call its providers, a live
 * site has real ones. Neither may ever become the other.
 * @throws ConfigFault where the first start of this database was in the other mode
 */
export const requireMode = (ownerUrl: string, mode: Mode): Promise<void> =>
  asOwner(ownerUrl, async (owner) => {
    const { isNew } = await owner.one<{ isNew: boolean }>(
      sql`select to_regclass('platform.clock') is null as "isNew"`,
    );
    if (!isNew) await refuseOtherMode(owner, mode);
  });

/**
 * Tells the database, as its owner, the time zone of this start, and the mode if this is the first one.
 * @throws ConfigFault where another start gave it the other mode a moment ago
 */
export const configureClock = (
  ownerUrl: string,
  { siteTimezone, mode }: { siteTimezone: string; mode: Mode },
): Promise<void> =>
  asOwner(ownerUrl, async (owner) => {
    // Naming the zone in an expression makes PostgreSQL refuse one that it does not know.
    await owner.one(sql`select now() at time zone ${siteTimezone}`);
    await owner.rows(sql`
      update platform.clock set site_timezone = ${siteTimezone}, mode = ${mode}
      where coalesce(mode, ${mode}) = ${mode}
        and (site_timezone, mode) is distinct from (${siteTimezone}, ${mode})`);
    await refuseOtherMode(owner, mode);
  });

async function refuseOtherMode(owner: Database, mode: Mode): Promise<void> {
  const stored = await owner.row<{ mode: Mode | null }>(sql`select mode from platform.clock`);
  const known = stored?.mode ?? mode;
  if (known === mode) return;
  throw new ConfigFault([
    `MODE: is ${mode}, but this database was first used in ${known} mode and stays in it; ` +
      `${mode} mode needs a database of its own, empty at its first start`,
  ]);
}

async function asOwner(ownerUrl: string, work: (owner: Database) => Promise<void>): Promise<void> {
  const owner = openDatabase({ url: ownerUrl, connectionsMax: 1 });
  try {
    await work(owner);
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
