-- What the audit of games may know. The application must not read server seeds in use, so this function draws again.

-- Games of some members whose result is not the draw of their seed and nonce, and seeds that are not those of their
-- hash. A game's seed is the member's seed in use or a revealed one.
create or replace function coinflip.wrong_draws(from_member integer, until_member integer, rows_max integer)
  returns table (subject text, expected text, actual text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with seeds as (
    select member_id, seed_number, server_seed, server_seed_hash, client_seed from coinflip.players
    where member_id >= from_member and member_id < until_member
    union all
    select member_id, seed_number, server_seed, server_seed_hash, client_seed from coinflip.revealed_seeds
    where member_id >= from_member and member_id < until_member
  )
  (select concat_ws(' ', s.member_id, 'seed', s.seed_number), 'a seed of this hash', s.server_seed_hash
  from seeds s where s.server_seed_hash is distinct from encode(sha256(convert_to(s.server_seed, 'UTF8')), 'hex')
  limit rows_max)
  union all
  (select concat_ws('-', g.member_id, g.member_number),
    case when s.member_id is null then 'a revealed seed ' || g.seed_number
         else coinflip.draw(s.server_seed, s.client_seed, g.nonce) end,
    concat_ws(' ', g.result, 'with nonce', g.nonce)
  from coinflip.games g left join seeds s on s.member_id = g.member_id and s.seed_number = g.seed_number
  where g.member_id >= from_member and g.member_id < until_member
    and (s.member_id is null or coinflip.draw(s.server_seed, s.client_seed, g.nonce) is distinct from g.result)
  limit rows_max)
$$;
grant execute on function coinflip.wrong_draws(integer, integer, integer) to earnest_app;
