import { isTimezone } from '#contract/time-zone.ts';
import { type Database, sql, sqlState } from './database.ts';

/** Time zones, which PostgreSQL and the program read with rules of their own. */

const INVALID_PARAMETER = '22023';

/** The format of the latest zone, because making one costs ten times as much as using it. */
let latest: { timeZone: string; format: Intl.DateTimeFormat } | undefined;

function formatOf(timeZone: string): Intl.DateTimeFormat {
  if (latest?.timeZone === timeZone) return latest.format;
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'iso8601',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  } as Intl.DateTimeFormatOptions);
  latest = { timeZone, format };
  return format;
}

/** The offset of a zone from UTC at a moment, as the program knows it. */
export function offsetMsAt(moment: Date, timeZone: string): number {
  const parts = formatOf(timeZone).formatToParts(moment);
  const of = (name: string) => Number(parts.find(({ type }) => type === name)?.value);
  const local = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
  return local - Math.floor(moment.getTime() / 1000) * 1000;
}

/**
 * Whether a zone means the same everywhere: the program and PostgreSQL know its name and agree about it at eight
 * moments of the coming year. PostgreSQL alone would take abbreviations (`KST`) and POSIX zones (`UTC+9`, which it
 * reads as nine hours west), and an abbreviation may hide a name.
 */
export async function isSharedTimezone(database: Database, name: string): Promise<boolean> {
  if (!isTimezone(name)) return false;
  const moments = await readOffsets(database, name);
  return moments?.every(({ at, offsetS }) => offsetMsAt(at, name) === offsetS * 1000) ?? false;
}

/**
 * Whether both know a zone by name. They may disagree about its rules, so only one of them may compute with it: a
 * member's zone is the program's. A member in a zone whose rules changed this year could choose it nowhere otherwise.
 */
export const isKnownTimezone = async (database: Database, name: string): Promise<boolean> =>
  isTimezone(name) && (await readOffsets(database, name)) !== undefined;

/** What PostgreSQL knows of a zone; undefined if it has none of this name. */
async function readOffsets(
  database: Database,
  name: string,
): Promise<{ at: Date; offsetS: number }[] | undefined> {
  try {
    return await database.transaction(async (tx) => {
      // A session takes no abbreviation as its zone.
      await tx.rows(sql`select set_config('TimeZone', ${name}, true)`);
      return tx.rows<{ at: Date; offsetS: number }>(sql`
        select at, extract(epoch from (at at time zone ${name}) - (at at time zone 'UTC'))::integer as "offsetS"
        from generate_series(0, 7) as number
          cross join lateral (
            select date_trunc('hour', platform.business_now(), 'UTC') + number * interval '1095 hours' as at) moment`);
    });
  } catch (error) {
    if (sqlState(error) === INVALID_PARAMETER) return undefined;
    throw error;
  }
}
