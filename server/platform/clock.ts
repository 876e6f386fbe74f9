/**
 * Business time, which is the database's clock plus an offset, and the site's day. SQL reads them with
 * `platform.business_now()` and `platform.site_day(...)`; these functions are for TypeScript.
 */
import { isTimezone } from '#contract/time-zone.ts';
import { recordActs } from './audit-trail.ts';
import { type Config, ConfigFault } from './config.ts';
import { NO_SITE_TIMEZONE } from './config-values.ts';
import { type Database, openDatabase, type Reader, sql } from './database.ts';
import { isSharedTimezone } from './time-zone.ts';

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
 * @throws ConfigFault if a concurrent first start stored the other mode, or the zone is not known to all
 */
export const configureClock = (
  ownerUrl: string,
  { siteTimezone, mode }: { siteTimezone: string; mode: Config['mode'] },
): Promise<string> =>
  asOwner(ownerUrl, async (owner) => {
    const { isFirst } = await owner.one<{ isFirst: boolean }>(
      sql`select mode is null as "isFirst" from platform.clock`,
    );
    if (isFirst && !(await isSharedTimezone(owner, siteTimezone)))
      throw new ConfigFault([`SITE_TIMEZONE: ${NO_SITE_TIMEZONE}`]);
    await owner.rows(
      sql`update platform.clock set site_timezone = ${siteTimezone}, mode = ${mode} where mode is null`,
    );
    await refuseOtherMode(owner, mode);
    const { stored } = await owner.one<{ stored: string }>(
      sql`select site_timezone as stored from platform.clock`,
    );
    // A former release stored what PostgreSQL alone can read.
    if (!isTimezone(stored))
      throw new ConfigFault([
        `SITE_TIMEZONE: the days of this site are those of ${stored}, which is no IANA time zone; ` +
          'set another one with: npm run admin -- timezone ZONE',
      ]);
    return stored;
  });

/**
 * Changes the site's time zone, as the owner. Changes nothing that was booked.
 * @returns the former zone; undefined if the new one is no zone that the program and PostgreSQL both know
 */
export async function changeTimezone(owner: Database, siteTimezone: string): Promise<string | undefined> {
  if (!(await isSharedTimezone(owner, siteTimezone))) return undefined;
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
