import type { Side } from '#contract/coinflip.ts';
import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of the coin flip. What playing and changing seeds do is in `functions.sql`. */

export type Flip = { memberId: number; bet: number; choice: Side; requestKey: string | null };

export type Played = {
  status:
    | 'played'
    | 'exists'
    | 'exists_different'
    | 'full_suspension'
    | 'earnings_blocked'
    | 'limit_reached'
    | 'unseeded'
    | 'insufficient'
    | 'closed'
    | 'unknown_member';
  member_number: bigint | null;
  /** Of a game that was played by this call. */
  result: Side | null;
  server_seed_hash: string | null;
  client_seed: string | null;
  nonce: number | null;
  balance: bigint | null;
  wait_s: number;
};

/** Plays one game for each of several different members, in one statement. */
export const playGames = (reader: Reader, flips: readonly Flip[]) =>
  reader.rows<Played>(sql`
    select status, member_number, result, server_seed_hash, client_seed, nonce, balance, wait_s
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
  reader.one<{ server_seed_hash: string; client_seed: string; revealed_seed: string; revealed_hash: string }>(
    sql`select server_seed_hash, client_seed, revealed_seed, revealed_hash
      from coinflip.rotate(${memberId}, ${first.serverSeed}, ${first.clientSeed}, ${next.serverSeed},
        ${next.clientSeed})`,
  );

/** The seeds of the next game; none where the member never played nor changed them. */
export const findSeeds = (reader: Reader, memberId: number) =>
  reader.row<{ server_seed_hash: string; client_seed: string; nonce: number }>(
    sql`select server_seed_hash, client_seed, nonce from coinflip.players where member_id = ${memberId}`,
  );

export const readDayCount = (reader: Reader, memberId: number) =>
  reader.one<{ played: number; max: number }>(sql`
    select coalesce((
        select day_count from coinflip.players
        where member_id = ${memberId} and site_day = platform.site_day(platform.business_now())), 0) as played,
      max_games_per_day as max
    from coinflip.rules`);

export type GameRow = {
  member_number: bigint;
  created_at: Date;
  bet_points: number;
  choice: Side;
  result: Side;
  nonce: number;
  server_seed_hash: string;
  client_seed: string;
  server_seed: string | null;
};

const gamesOf = (memberId: number): Sql => sql`
  select g.member_number, g.created_at, g.bet_points, g.choice, g.result, g.nonce, r.server_seed,
    coalesce(r.server_seed_hash, p.server_seed_hash) as server_seed_hash,
    coalesce(r.client_seed, p.client_seed) as client_seed
  from coinflip.games g
    join coinflip.players p on p.member_id = g.member_id
    left join coinflip.revealed_seeds r on r.member_id = g.member_id and r.seed_number = g.seed_number
  where g.member_id = ${memberId}`;

export const readNewestGames = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<GameRow>(sql`${gamesOf(memberId)} order by g.member_number desc limit ${limit}`);

export const readGame = (reader: Reader, memberId: number, memberNumber: bigint) =>
  reader.one<GameRow>(sql`${gamesOf(memberId)} and g.member_number = ${memberNumber}`);
