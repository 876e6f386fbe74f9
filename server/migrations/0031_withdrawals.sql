-- When a payment to a member's destination was first confirmed, so that a look at a request needs no history.
alter table withdrawals.destinations add column paid_at timestamptz;
update withdrawals.destinations d
set paid_at = paid.first_at
from (
  select w.member_id, w.method, w.destination, min(p.finished_at) as first_at
  from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
  where p.state = 'confirmed' group by w.member_id, w.method, w.destination) paid
where (paid.member_id, paid.method, paid.destination) = (d.member_id, d.method, d.destination);
-- Who else used a destination.
create index destinations_shared on withdrawals.destinations (destination, method);

-- Decisions on many withdrawals that operators confirmed. The nodes make them, whether the page is open or not, and the
-- result of each row stays for a time. The decision itself is of the withdrawal and its act.
create table withdrawals.bulk_acts (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  operator_id integer not null references members.members (id),
  decision text not null check (decision in ('approve', 'reject')),
  -- Whether requests are decided that should be looked at.
  is_with_flagged boolean not null,
  reason text,
  -- Of the requests that it decides, without those that stay.
  row_count integer not null check (row_count >= 0),
  points bigint not null check (points >= 0),
  created_at timestamptz not null default platform.business_now(),
  finished_at timestamptz,
  -- Who works on it, until when by the real clock. Another node takes it over afterwards.
  worker uuid,
  worked_until timestamptz not null default '-infinity',
  constraint bulk_acts_reason check ((decision = 'reject') = (reason is not null))
);
create index bulk_acts_unfinished on withdrawals.bulk_acts (number) where finished_at is null;
create index bulk_acts_operator on withdrawals.bulk_acts (operator_id, number desc);
create index bulk_acts_finished on withdrawals.bulk_acts (finished_at) where finished_at is not null;
grant select, insert (operator_id, decision, is_with_flagged, reason, row_count, points, worker, worked_until), delete,
  update (finished_at, worker, worked_until) on withdrawals.bulk_acts to earnest_app;

create table withdrawals.bulk_rows (
  bulk_id uuid not null references withdrawals.bulk_acts (id) on delete cascade,
  place integer not null,
  withdrawal_id uuid not null references withdrawals.withdrawals (id),
  -- waiting; done; first (its first approval of two was given); stayed (known before to stay); failed.
  state text not null check (state in ('waiting', 'done', 'first', 'stayed', 'failed')),
  -- Why it stayed or failed, as operators read it.
  reason text,
  primary key (bulk_id, place),
  constraint bulk_rows_withdrawal unique (bulk_id, withdrawal_id),
  constraint bulk_rows_reason check ((state in ('stayed', 'failed')) = (reason is not null))
);
create index bulk_rows_waiting on withdrawals.bulk_rows (bulk_id, place) where state = 'waiting';
grant select, insert, update (state, reason) on withdrawals.bulk_rows to earnest_app;
