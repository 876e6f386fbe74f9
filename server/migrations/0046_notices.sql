-- A member is told what became of a claim. The check is not repeated over the rows that are there: they met the former
-- one, which allowed less.
alter table notices.notices
  drop constraint notices_kind_check,
  add constraint notices_kind_check check (kind in ('paid', 'rejected', 'chargeback', 'held', 'approved', 'granted',
    'decision', 'ticket', 'message', 'sign-in', 'security')) not valid;
