import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX, LAST_MEMBER } from '../ledger/ledger.ts';

/** SQL of the audit of games. Ids have nine digits, so a range of members is a range of the keys of their movements. */
const PIECE_GAMES = 10_000;
const PIECE_MEMBERS = 2_000;

export const readPlayersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const { end } = await reader.one<{ end: number | null }>(sql`
    select min(p.member_id) as "end"
    from (
      select n.member_id, sum(n.game_count) over (order by n.member_id) as games,
        row_number() over (order by n.member_id) as place
      from (
        select member_id, game_count from coinflip.players
        where member_id >= ${from} order by member_id limit ${PIECE_MEMBERS}) n
    ) p
    where p.place > 1 and (p.games > ${PIECE_GAMES} or p.place = ${PIECE_MEMBERS})`);
  return end;
};

/** Games whose stake or prize is not booked as it was played, and movements without a game. */
export const readGameDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    with played as (
      select g.*, m.kind, m.amount,
        'coinflip:' || g.member_id || '-' || g.member_number || ':' || m.kind as key
      from coinflip.games g cross join lateral (
        values ('coinflip-stake', -g.bet_points::bigint), ('coinflip-prize', 2 * g.bet_points::bigint)
      ) m (kind, amount)
      where g.member_id >= ${from} and g.member_id < ${until ?? LAST_MEMBER}
        and (m.amount < 0 or g.result = g.choice)
    ), booked as (
      select h.* from ledger.history h
      where h.key >= ${`coinflip:${Math.max(from, 0)}`}
        and h.key < ${until === null ? 'coinflip;' : `coinflip:${until}`}
    )
    select 'games' as "check", coalesce(p.key, b.key) as subject,
      coalesce(concat_ws(' ', b.member_id, b.kind, b.amount, b.subject, b.posted_at), 'no movement') as expected,
      coalesce(concat_ws(' ', p.member_id, 'bet', p.bet_points, p.choice, p.result, p.created_at), 'no game') as actual
    from played p full join booked b on b.key = p.key
    where ((b.member_id, b.kind, b.amount, b.subject) = (p.member_id, p.kind, p.amount, p.choice)
      and b.posted_at between p.created_at - interval '1 minute' and p.created_at + interval '1 minute') is not true
    limit ${DIFFERENCES_MAX}`);

/** Players whose counters differ from their games, and seeds whose nonces have a gap. */
export const readPlayerDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    with players as (
      select member_id, seed_number, nonce, game_count from coinflip.players
      where member_id >= ${from} and member_id < ${until ?? LAST_MEMBER}
    ), played as (
      select member_id, seed_number, count(*) as games, max(member_number) as number_max, max(nonce) as nonce_max,
        count(distinct nonce) as nonces
      from coinflip.games
      where member_id >= ${from} and member_id < ${until ?? LAST_MEMBER} group by member_id, seed_number
    ), counted as (
      select member_id, sum(games) as games, max(number_max) as number_max from played group by member_id
    )
    (select 'players' as "check", coalesce(p.member_id, c.member_id)::text as subject,
      concat_ws(' ', 'games', coalesce(c.games, 0), 'nonce', coalesce(s.games, 0)) as expected,
      coalesce(concat_ws(' ', 'games', p.game_count, 'nonce', p.nonce), 'no player') as actual
    from players p full join counted c on c.member_id = p.member_id
      left join played s on s.member_id = p.member_id and s.seed_number = p.seed_number
    where (p.game_count, p.game_count, p.nonce::bigint) is distinct from
      (coalesce(c.games, 0), coalesce(c.number_max, 0), coalesce(s.games, 0))
    limit ${DIFFERENCES_MAX})
    union all
    (select 'nonces', concat_ws(' ', member_id, 'seed', seed_number), concat_ws(' ', games, 'nonces from 0'),
      concat_ws(' ', nonces, 'up to', nonce_max)
    from played where nonces <> games or nonce_max <> games - 1 limit ${DIFFERENCES_MAX})
    union all
    (select 'draws', d.subject, d.expected, d.actual
    from coinflip.wrong_draws(${from}, ${until ?? LAST_MEMBER}, ${DIFFERENCES_MAX}) d)`);
