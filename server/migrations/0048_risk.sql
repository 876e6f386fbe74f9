-- Risk: network addresses and e-mail domains that operators blocked.

create schema risk;
grant usage on schema risk to earnest_app;

create table risk.blocks (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('ip', 'domain')),
  -- An IPv4 address, the first four groups of an IPv6 address with /64, or a domain in ASCII and lower case.
  value text not null check (length(value) between 1 and 253),
  reason text not null check (length(reason) between 1 and 500),
  duration text not null check (duration in ('1day', '7days', 'permanent')),
  created_at timestamptz not null,
  created_by integer not null references members.members (id),
  -- Null: it ends when it is lifted.
  expires_at timestamptz,
  lifted_at timestamptz,
  lifted_by integer references members.members (id)
);
-- Two operators who block the same at once block it one after the other.
create unique index blocks_kind_value on risk.blocks (kind, value) where lifted_at is null;

grant select, insert on risk.blocks to earnest_app;
grant update (lifted_at, lifted_by) on risk.blocks to earnest_app;
