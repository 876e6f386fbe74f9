-- Appeals also against held credits that an operator rejected, and members who were away for three months.
alter table decisions.appeals
  drop constraint appeals_source_check,
  add constraint appeals_source_check check (source in ('suspension', 'ban', 'earning'));

-- The last notice about an absence of each member.
create table decisions.absences (
  member_id integer primary key references members.members (id),
  -- The sign-in after which the member was away. Another sign-in ends the absence.
  seen_at timestamptz not null,
  notified_at timestamptz not null
);
create index absences_seen on decisions.absences (seen_at);
create index absences_notified on decisions.absences (notified_at, member_id);
grant select, insert on decisions.absences to earnest_app;
grant update (seen_at, notified_at) on decisions.absences to earnest_app;
