import { type Reader, sql } from './database.ts';
import type { Health } from './health.ts';

/**
 * Removes what is older than its time in pieces, so that no lock is held for long. A turn that is given up leaves the
 * rest to the next one. A removal can't be undone, so it does not trust the database's clock alone: this node's clock
 * must agree. Database and node may be one machine with one clock, so a clock that has jumped is believed slowly. Each
 * look at it, at most an hour after the one before, moves the believed time by up to a day for an hour. A jump of years
 * then takes weeks, in which health says so. After a pause of some days the believed time catches up in hours.
 */
const PIECE_ROWS = 2_000;
const AHEAD_S_MAX = 3_600;
/** What the clock may be ahead of the believed time, and what is removed too early at most. */
const JUMP_S_MAX = 86_400;
/** How many hours are believed for an hour between two looks. */
const CATCH_UP_RATE = 24;
const LOOK_S_MAX = 3_600;
const DAY_S = 86_400;

/** `now` is the database's real clock; null reads it. */
const clockOf = (now: Date | null) => sql`coalesce(${now}::timestamptz, clock_timestamp())`;

/** Looks at the database's clock, moves the believed time, and reports a clock that has jumped as the part `clock`. */
export async function believeClock(
  { database, health }: { database: Reader; health: Health },
  now: Date | null = null,
): Promise<void> {
  const { aheadS } = await database.one<{ aheadS: number }>(sql`
    update platform.believed_clock b
    set looked_at = c.now, believed_until = case
        when c.now <= b.believed_until + ${JUMP_S_MAX} * interval '1 second' then greatest(b.believed_until, c.now)
        else b.believed_until + ${CATCH_UP_RATE} * least(greatest(c.now - b.looked_at, interval '0'),
          ${LOOK_S_MAX} * interval '1 second') end
    from (select ${clockOf(now)} as now) c
    returning extract(epoch from c.now - b.believed_until)::double precision as "aheadS"`);
  health.report('clock', jumpSentence(aheadS));
}

function jumpSentence(aheadS: number): string | undefined {
  if (Math.abs(aheadS) <= JUMP_S_MAX) return undefined;
  const days = `${Math.floor(Math.abs(aheadS) / DAY_S)} days`;
  const jump =
    aheadS > 0
      ? `The database’s clock has jumped ${days} ahead. Until it is believed, nothing is removed by its age.`
      : `The database’s clock is ${days} behind what it was before.`;
  return `${jump} If it is right now, run \`npm run admin -- repair\`.`;
}

/** Believes the database's clock at once, as an operator says, as the owner. Returns how many rows it set right. */
export async function acceptClock(owner: Reader): Promise<number> {
  const jumped = await owner.rows(sql`
    update platform.believed_clock set believed_until = clock_timestamp(), looked_at = clock_timestamp()
    where abs(extract(epoch from clock_timestamp() - believed_until)) > ${JUMP_S_MAX}
    returning is_only_row`);
  return jumped.length;
}

/**
 * Removes nothing while the database's clock has jumped, which `believeClock` reports.
 * @param remove removes at most `rowsMax` of the oldest rows that are too old, and returns how many
 * @param clocks `now` is this node's clock, `databaseNow` the database's; null reads it
 * @throws Error if the database's clock is more than an hour ahead of this node's; nothing is removed
 */
export async function removeInPieces(
  database: Reader,
  signal: AbortSignal,
  remove: (rowsMax: number) => Promise<number | bigint>,
  { now = new Date(), databaseNow = null }: { now?: Date; databaseNow?: Date | null } = {},
): Promise<void> {
  const { aheadS, jumpS } = await database.one<{ aheadS: number; jumpS: number }>(sql`
    select extract(epoch from c.now - ${now})::double precision as "aheadS",
      extract(epoch from c.now - b.believed_until)::double precision as "jumpS"
    from platform.believed_clock b, (select ${clockOf(databaseNow)} as now) c`);
  if (aheadS > AHEAD_S_MAX)
    throw new Error(
      `The database’s clock is ${Math.round(aheadS)} s ahead of this node’s clock. Nothing is removed by its age.`,
    );
  if (jumpS > JUMP_S_MAX) return;
  let removed = PIECE_ROWS;
  while (!signal.aborted && removed === PIECE_ROWS) removed = Number(await remove(PIECE_ROWS));
}
