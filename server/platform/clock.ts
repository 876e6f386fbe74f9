/**
 * Business time, which is the database's clock plus an offset, and the site's day. SQL reads them with
 * `platform.business_now()` and `platform.site_day(...)`; these functions are for TypeScript.
 */
import { recordActs } from './audit-trail.ts';
import { type Config, ConfigFault } from './config.ts';
import { type Database, openDatabase, type Reader, sql } from './database.ts';

/**
 * Refuses a database of the other mode before anything is written. A sandbox holds demo members with balances and
 * lets anybody send postbacks, so a database keeps the mode of its first start.
 * @throws ConfigFault if the first start of this database was in the other mode
 */
export const requireMode = (ownerUrl: string, mode: Config['mode']): Promise<void> =>
  asOwner(ownerUrl, async (owner) => {
    const { isNew } = await owner.one<{ isNew: boolean }>(
      sql`select to_regclass('platform.clock') is null as "isNew"`,
    );
    if (!isNew) await refuseOtherMode(owner, mode);
  });

/**
 * Stores the mode and the time zone of the first start. Connects as the database's owner. Later starts change neither:
 * with nodes of different settings, the last one started would set the days of all. Returns the stored zone.
 * @throws ConfigFault if a concurrent first start stored the other mode
 */
export const configureClock = (
  ownerUrl: string,
  { siteTimezone, mode }: { siteTimezone: string; mode: Config['mode'] },
): Promise<string> =>
  asOwner(ownerUrl, async (owner) => {
    // PostgreSQL raises an error here if it does not know the zone.
    await owner.one(sql`select now() at time zone ${siteTimezone}`);
    await owner.rows(
      sql`update platform.clock set site_timezone = ${siteTimezone}, mode = ${mode} where mode is null`,
    );
    await refuseOtherMode(owner, mode);
    const { stored } = await owner.one<{ stored: string }>(
      sql`select site_timezone as stored from platform.clock`,
    );
    return stored;
  });

/** Changes the site's time zone, as the owner. Changes nothing that was booked. Returns the former zone. */
export async function changeTimezone(owner: Database, siteTimezone: string): Promise<string> {
  await owner.one(sql`select now() at time zone ${siteTimezone}`);
  return owner.transaction(async (tx) => {
    const { former } = await tx.one<{ former: string }>(
      sql`select site_timezone as former from platform.clock for update`,
    );
    await tx.rows(sql`update platform.clock set site_timezone = ${siteTimezone}`);
    if (former !== siteTimezone)
      await recordActs(tx, [
        {
          actor: 'command-line',
          act: 'site.change-timezone',
          target: { kind: 'site', id: 'site' },
          before: { siteTimezone: former },
          after: { siteTimezone },
        },
      ]);
    return former;
  });
}

async function refuseOtherMode(owner: Database, mode: Config['mode']): Promise<void> {
  const stored = await owner.row<{ mode: Config['mode'] | null }>(sql`select mode from platform.clock`);
  const known = stored?.mode ?? mode;
  if (known === mode) return;
  throw new ConfigFault([
    `MODE: is ${mode}, but this database was first used in ${known} mode and stays in it; ` +
      `${mode} mode needs a database of its own, empty at its first start`,
  ]);
}

async function asOwner<T>(ownerUrl: string, work: (owner: Database) => Promise<T>): Promise<T> {
  const owner = openDatabase({ url: ownerUrl, connectionsMax: 1 });
  try {
    return await work(owner);
  } finally {
    await owner.close();
  }
}

/** Reads business time and its site day. */
export async function readClock(reader: Reader): Promise<{ now: Date; siteDay: string }> {
  return reader.one(sql`
    select clock.now, platform.site_day(clock.now) as "siteDay" from (select platform.business_now() as now) as clock`);
}

/** Moves business time forward; PostgreSQL refuses it in live mode. */
export async function advanceClock(reader: Reader, seconds: bigint): Promise<Date> {
  const { now } = await reader.one<{ now: Date }>(sql`select platform.advance_clock(${seconds}) as now`);
  return now;
}
