-- The catalogue of tasks and surveys that operators keep, and what the line from click to credit is read by.

create table earning.catalogue (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('task', 'survey')),
  category text not null,
  provider text not null references earning.providers (id),
  title text not null,
  -- Without a Korean text the first one is shown.
  title_ko text,
  description text not null,
  description_ko text,
  -- What finishing it pays, as the provider says.
  points bigint not null check (points between 1 and 1000000000000000),
  minutes integer not null check (minutes between 1 and 100000),
  -- Where it is; empty means the provider's wall in the site's own frame.
  url text not null default '' check (url = '' or url ~ '^https://[^\s]+$'),
  is_enabled boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default platform.business_now(),
  -- Names an entry that came with the release or the sandbox, so that it is added once; null for an operator's own.
  seed_key text unique,
  check (case kind when 'task' then category in ('video', 'game', 'app', 'offer')
                   else category in ('general', 'market_research', 'social_research') end)
);
create index catalogue_shown on earning.catalogue (kind, created_at desc, id desc) where is_enabled;
grant select, insert on earning.catalogue to earnest_app;

-- One probe finds the last opening of a wall before an earning.
create index openings_wall on earning.openings (member_id, provider, opened_at desc);
-- What waited for an operator, whatever became of it. Ordinary earnings have no number and cost nothing here.
drop index earning.earnings_held_member;
create index earnings_ever_held on earning.earnings (member_id, held_id desc) where held_id is not null;
-- When a credit was taken back: a reversal may have an id of its own.
create index reversals_credit on earning.reversals (provider, credit_transaction_id);
