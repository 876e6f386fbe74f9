-- From when on each restore asked for a method's payments to be listed. A row is never moved: a later restore has its
-- own. It counts until five weeks after the comparison ended (null: it did not), and for ever (infinity) where the
-- comparison was given up.
create table withdrawals.comparison_starts (
  method text not null references withdrawals.methods (method),
  timeline bigint not null references withdrawals.timelines (number),
  since timestamptz not null,
  ended_at timestamptz,
  primary key (method, timeline)
);
insert into withdrawals.comparison_starts (method, timeline, since, ended_at)
select r.method, (select max(t.number) from withdrawals.timelines t), r.since,
  case when r.given_up_at is not null then 'infinity' else r.done_at end
from withdrawals.reconciliations r where r.since is not null;
grant select, insert, update (ended_at) on withdrawals.comparison_starts to earnest_app;

-- When `reconcile` printed a payment, and for which withdrawal it did, so that a note covers what was read.
alter table withdrawals.unaccounted_payments
  add column printed_at timestamptz,
  add column printed_for uuid;
grant update (printed_at, printed_for) on withdrawals.unaccounted_payments to earnest_app;
