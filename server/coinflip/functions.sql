-- The coin flip. A function that reads or changes a member's row of players holds the lock on the member's wallet. So
-- games and changes of the seed run one after the other, limits are exact, and no game uses a seed that was revealed.
--
-- Open to others: none.

-- HMAC-SHA256 under a key of 64 lower-case hexadecimal digits, taken as text. Such a key fills SHA-256's block exactly,
-- so it is used as it is, and each of its 16 digits has one fixed byte in the inner pad (xor 0x36) and one in the
-- outer pad (xor 0x5c). The digit 6 becomes a zero byte, which text cannot hold and is therefore escaped.
create or replace function coinflip.hmac_sha256(key text, message text) returns bytea
  language sql stable
  return sha256(
    convert_to(translate(key, '0123456789abcdef', 'lmnohijkde=>?89:'), 'UTF8')
    || sha256(
      decode(replace(translate(key, '012345789abcdef', e'\x06\x07\x04\x05\x02\x03\x01\x0e\x0f\x57\x54\x55\x52\x53\x50'),
        '6', '\000'), 'escape')
      || convert_to(message, 'UTF8')));

-- The outcome of the member's next game: heads if the first byte is even.
create or replace function coinflip.draw(server_seed text, client_seed text, nonce integer) returns text
  language sql stable
  return case when get_byte(coinflip.hmac_sha256(server_seed, client_seed || ':' || nonce), 0) % 2 = 0
    then 'heads' else 'tails' end;

-- Gives a member their first seeds. A member who has seeds keeps them.
create or replace function coinflip.open_player(member_id integer, server_seed text, client_seed text) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if open_player.server_seed is null or open_player.server_seed !~ '^[0-9a-f]{64}$' then
    raise exception 'a server seed is 64 hexadecimal digits' using errcode = '23514';
  end if;
  insert into coinflip.players (member_id, seed_number, server_seed, server_seed_hash, client_seed)
  values (open_player.member_id, 1, open_player.server_seed,
    encode(sha256(convert_to(open_player.server_seed, 'UTF8')), 'hex'), open_player.client_seed)
  on conflict do nothing;
end
$$;
grant execute on function coinflip.open_player(integer, text, text) to earnest_app;

-- Starts using a new server seed and reveals the former one. The client seed stays if none is given. A member without
-- seeds gets first ones, and these are revealed. Seeds without a game are not stored.
create or replace function coinflip.rotate(
  member_id integer, first_server_seed text, first_client_seed text, new_server_seed text, new_client_seed text,
  out server_seed_hash text, out client_seed text, out revealed_seed text, out revealed_hash text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  old coinflip.players;
begin
  if rotate.new_server_seed is null or rotate.new_server_seed !~ '^[0-9a-f]{64}$' then
    raise exception 'a server seed is 64 hexadecimal digits' using errcode = '23514';
  end if;
  perform ledger.lock_wallets(array[rotate.member_id]);
  perform coinflip.open_player(rotate.member_id, rotate.first_server_seed, rotate.first_client_seed);
  select p.* into old from coinflip.players p where p.member_id = rotate.member_id;
  if old.nonce > 0 then
    insert into coinflip.revealed_seeds (member_id, seed_number, server_seed, server_seed_hash, client_seed,
      revealed_at)
    values (old.member_id, old.seed_number, old.server_seed, old.server_seed_hash, old.client_seed,
      platform.business_now());
  end if;
  update coinflip.players p
  set seed_number = p.seed_number + 1, server_seed = rotate.new_server_seed,
    server_seed_hash = encode(sha256(convert_to(rotate.new_server_seed, 'UTF8')), 'hex'),
    client_seed = coalesce(rotate.new_client_seed, p.client_seed), nonce = 0
  where p.member_id = rotate.member_id
  returning p.server_seed_hash, p.client_seed, old.server_seed, old.server_seed_hash
  into server_seed_hash, client_seed, revealed_seed, revealed_hash;
end
$$;
grant execute on function coinflip.rotate(integer, text, text, text, text) to earnest_app;

-- Plays one game for each of several members: draws, posts stake and prize, records the game. Takes columns of equal
-- length with a member at most once, and returns one row each in their order, with a status:
-- exists (this key's game, which `member_number` names), exists_different (the key was used for another game),
-- a refusal of members.refusals, limit_reached (`wait_s` seconds before the next site day), unseeded (the member
-- has no seeds yet), unknown_member, closed, insufficient, played; of several the first of these.
-- The result of a refused game is never returned: its nonce is the next game's.
-- Rows are looked up one by one, `limit 1`: while a table is empty, a plan that reads all of it looks as cheap, and it
-- would be kept while the table grows.
create or replace function coinflip.play(member_ids integer[], bets integer[], choices text[], request_keys text[])
  returns table (status text, member_number bigint, result text, server_seed_hash text, client_seed text,
    nonce integer, balance bigint, wait_s integer)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  site record;
  today tstzrange;
  flips coinflip.flip[];
  items ledger.item[];
  posting record;
  verdicts text[];
  balances bigint[];
begin
  perform ledger.lock_wallets(member_ids);
  select platform.business_time(c.offset_seconds) as now, c.site_timezone, r.max_games_per_day
  into site from platform.site_clock c cross join coinflip.rules r;
  today := platform.day_range_in(site.site_timezone, site.now);

  flips := array(
    select row(a.place,
      case when g.member_id is not null and (g.bet_points, g.choice) = (a.bet, a.choice) then 'exists'
           when g.member_id is not null then 'exists_different'
           when s.earning is not null then s.earning
           -- The limit is reached if the game that many numbers back was played today.
           when site.max_games_per_day < 1 or (
             select o.created_at from coinflip.games o
             where o.member_id = a.member_id and o.member_number = p.game_count + 1 - site.max_games_per_day) <@ today
             then 'limit_reached'
           when p.member_id is null then 'unseeded'
           else 'drawn' end,
      a.member_id, a.bet, a.choice, a.request_key, coinflip.draw(p.server_seed, p.client_seed, p.nonce),
      coalesce(g.member_number, p.game_count + 1), p.seed_number, p.nonce, p.server_seed_hash, p.client_seed
    )::coinflip.flip
    from unnest(member_ids, bets, choices, request_keys) with ordinality a (member_id, bet, choice, request_key, place)
      left join lateral (select * from coinflip.players where member_id = a.member_id limit 1) p on true
      left join lateral (
        select * from coinflip.games where member_id = a.member_id and request_key = a.request_key limit 1) g on true
      cross join lateral members.refusals(a.member_id) s
    order by a.place);

  items := array(
    select row(f.member_id, 'coinflip:' || f.member_id || '-' || f.member_number || ':' || m.kind, m.kind, m.amount,
      'coinflip', f.choice, null, f.member_id || '-' || f.member_number, false, f.place)::ledger.item
    from unnest(flips) f
      cross join lateral (
        values ('coinflip-stake', -f.bet_points::bigint), ('coinflip-prize', 2 * f.bet_points::bigint)) m (kind, amount)
    where f.status = 'drawn' and (m.amount < 0 or f.result = f.choice)
    order by f.place, m.amount);
  for posting in
    select items[p."position"].link as place, p.status, p.balance from ledger.post(items) p order by p."position"
  loop
    if posting.status in ('exists', 'exists_different') then
      raise exception 'The ledger answered % to a game that is new', posting.status;
    end if;
    verdicts[posting.place] := case posting.status when 'posted' then 'played' else posting.status end;
    balances[posting.place] := posting.balance;
  end loop;

  insert into coinflip.games (member_id, member_number, created_at, seed_number, nonce, bet_points, choice, result,
    request_key)
  select f.member_id, f.member_number, site.now, f.seed_number, f.nonce, f.bet_points, f.choice, f.result, f.request_key
  from unnest(flips) f where verdicts[f.place] = 'played';
  update coinflip.players p
  set nonce = p.nonce + 1, game_count = p.game_count + 1
  where p.member_id = any (array(select f.member_id from unnest(flips) f where verdicts[f.place] = 'played'));

  return query
  select coalesce(verdicts[f.place], f.status), f.member_number,
    case when verdicts[f.place] = 'played' then f.result end, f.server_seed_hash, f.client_seed, f.nonce,
    balances[f.place],
    ceil(extract(epoch from upper(today) - site.now))::integer
  from unnest(flips) f order by f.place;
end
$$;
grant execute on function coinflip.play(integer[], integer[], text[], text[]) to earnest_app;
