-- What a ticket is about: a kind of question, and the member's own record.
alter table support.tickets
  add column category text check (category in ('credit', 'withdrawal', 'chargeback', 'account')),
  add column subject_kind text check (subject_kind in ('withdrawal', 'chargeback')),
  add column subject_id text check (length(subject_id) between 1 and 64),
  add constraint tickets_whole_subject check ((subject_kind is null) = (subject_id is null));
