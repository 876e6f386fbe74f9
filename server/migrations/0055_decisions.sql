-- Appeals also against held credits that an operator rejected.
alter table decisions.appeals
  drop constraint appeals_source_check,
  add constraint appeals_source_check check (source in ('suspension', 'ban', 'earning'));
