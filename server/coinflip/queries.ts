import type { Side } from '#contract/coinflip.ts';
import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of the coin flip. `functions.sql` plays games and rotates seeds. */

export type Flip = { memberId: number; bet: number; choice: Side; requestKey: string | null };

export type Played = {
  status:
    | 'played'
    | 'exists'
    | 'exists_different'
    | 'account-suspended'
    | 'earnings-suspended'
    | 'limit_reached'
    | 'unseeded'
    | 'insufficient'
    | 'closed'
    | 'unknown_member';
  memberNumber: bigint | null;
  /** Null unless this call played the game. */
  result: Side | null;
  serverSeedHash: string | null;
  clientSeed: string | null;
  nonce: number | null;
  balance: bigint | null;
  waitS: number;
};

/** Plays one game for each of several distinct members, in one statement. */
export const playGames = (reader: Reader, flips: readonly Flip[]) =>
  reader.rows<Played>(sql`
    select status, member_number as "memberNumber", result, server_seed_hash as "serverSeedHash",
      client_seed as "clientSeed", nonce, balance, wait_s as "waitS"
    from coinflip.play(
      ${flips.map((flip) => flip.memberId)}::integer[],
      ${flips.map((flip) => flip.bet)}::integer[],
      ${flips.map((flip) => flip.choice)}::text[],
      ${flips.map((flip) => flip.requestKey)}::text[])`);

export type Seeds = { serverSeed: string; clientSeed: string };

export const openPlayer = (reader: Reader, memberId: number, { serverSeed, clientSeed }: Seeds) =>
  reader.rows(sql`select coinflip.open_player(${memberId}, ${serverSeed}, ${clientSeed})`);

export const rotateSeeds = (
  reader: Reader,
  memberId: number,
  first: Seeds,
  next: { serverSeed: string; clientSeed: string | null },
) =>
  reader.one<{ serverSeedHash: string; clientSeed: string; revealedSeed: string; revealedHash: string }>(
    sql`select server_seed_hash as "serverSeedHash", client_seed as "clientSeed", revealed_seed as "revealedSeed",
      revealed_hash as "revealedHash"
      from coinflip.rotate(${memberId}, ${first.serverSeed}, ${first.clientSeed}, ${next.serverSeed},
        ${next.clientSeed})`,
  );

/** The seeds of the next game; undefined if the member never played nor changed seeds. */
export const findSeeds = (reader: Reader, memberId: number) =>
  reader.row<{ serverSeedHash: string; clientSeed: string; nonce: number }>(
    sql`select server_seed_hash as "serverSeedHash", client_seed as "clientSeed",
      nonce from coinflip.players where member_id = ${memberId}`,
  );

export const readDayCount = (reader: Reader, memberId: number) =>
  reader.one<{ played: number; max: number }>(sql`
    select (
        select count(*) from coinflip.players p
          join coinflip.games g on g.member_id = p.member_id
            and g.member_number > p.game_count - r.max_games_per_day and g.member_number <= p.game_count
        where p.member_id = ${memberId}
          and g.created_at <@ platform.day_range_in(c.site_timezone, platform.business_time(c.offset_seconds))
      )::integer as played, r.max_games_per_day as max
    from coinflip.rules r cross join platform.site_clock c`);

export type GameRow = {
  memberNumber: bigint;
  createdAt: Date;
  betPoints: number;
  choice: Side;
  result: Side;
  nonce: number;
  serverSeedHash: string;
  clientSeed: string;
  serverSeed: string | null;
};

const gamesOf = (memberId: number): Sql => sql`
  select g.member_number as "memberNumber", g.created_at as "createdAt", g.bet_points as "betPoints", g.choice,
    g.result, g.nonce, r.server_seed as "serverSeed",
    coalesce(r.server_seed_hash, p.server_seed_hash) as "serverSeedHash",
    coalesce(r.client_seed, p.client_seed) as "clientSeed"
  from coinflip.games g
    join coinflip.players p on p.member_id = g.member_id
    left join coinflip.revealed_seeds r on r.member_id = g.member_id and r.seed_number = g.seed_number
  where g.member_id = ${memberId}`;

export const readNewestGames = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<GameRow>(sql`${gamesOf(memberId)} order by g.member_number desc limit ${limit}`);

export const readGame = (reader: Reader, memberId: number, memberNumber: bigint) =>
  reader.one<GameRow>(sql`${gamesOf(memberId)} and g.member_number = ${memberNumber}`);

export type PlayedGame = Pick<
  GameRow,
  'memberNumber' | 'createdAt' | 'betPoints' | 'choice' | 'result' | 'nonce'
> & {
  seedNumber: number;
};

/** Reads a member's games with numbers above `afterNumber`, oldest first, without seeds. */
export const readGamesAfter = (reader: Reader, memberId: number, afterNumber: bigint, limit: number) =>
  reader.rows<PlayedGame>(sql`
    select member_number as "memberNumber", created_at as "createdAt", bet_points as "betPoints", choice, result,
      seed_number as "seedNumber", nonce from coinflip.games
    where member_id = ${memberId} and member_number > ${afterNumber} order by member_number limit ${limit}`);
