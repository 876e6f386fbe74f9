-- The coin flip: the seeds from which each member's games are drawn, the games, and the seeds that were revealed. Only
-- the functions of coinflip/functions.sql write here, under the lock on the member's wallet.

create schema coinflip;
grant usage on schema coinflip to earnest_app;

create table coinflip.rules (
  is_only_row boolean primary key default true check (is_only_row),
  max_games_per_day integer not null default 5 check (max_games_per_day >= 0)
);
insert into coinflip.rules default values;
grant select on coinflip.rules to earnest_app;

-- One row per member, made by the first game or the first change of seeds: the seeds in use, the nonce of the next
-- game, and the counters for limits and pages. Every game updates a row, so there is free room on the page and, as on
-- the ledger's tables, no check constraint besides the keys.
create table coinflip.players (
  member_id integer primary key references members.members (id),
  -- The member's own number of the seed in use, from 1 without a gap.
  seed_number integer not null,
  server_seed text not null,
  server_seed_hash text not null,
  client_seed text not null,
  nonce integer not null default 0,
  game_count bigint not null default 0
) with (fillfactor = 60);
-- All columns but the server seed, so that the application cannot disclose it.
grant select (member_id, seed_number, server_seed_hash, client_seed, nonce, game_count)
  on coinflip.players to earnest_app;

-- Replaced seeds, which are public.
create table coinflip.revealed_seeds (
  member_id integer not null,
  seed_number integer not null,
  server_seed text not null,
  server_seed_hash text not null,
  client_seed text not null,
  revealed_at timestamptz not null,
  primary key (member_id, seed_number)
);
grant select on coinflip.revealed_seeds to earnest_app;

create table coinflip.games (
  member_id integer not null,
  -- The member's own number, from 1 without a gap.
  member_number bigint not null,
  created_at timestamptz not null,
  seed_number integer not null,
  nonce integer not null,
  bet_points integer not null,
  choice text not null,
  result text not null,
  -- The caller's Idempotency-Key: a repeated request finds the first one by it.
  request_key text,
  primary key (member_id, member_number)
);
create unique index games_request_key on coinflip.games (member_id, request_key) where request_key is not null;
grant select on coinflip.games to earnest_app;

-- A flip inside coinflip.play: the request and its result.
create type coinflip.flip as (
  place integer,
  status text,
  member_id integer,
  bet_points integer,
  choice text,
  request_key text,
  result text,
  member_number bigint,
  seed_number integer,
  nonce integer,
  server_seed_hash text,
  client_seed text
);
