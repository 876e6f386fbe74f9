-- Operators see the mails of notices that were not sent, the newest first.
create index notices_mail_failed on notices.notices (created_at desc, member_id, member_number)
  where mail_trouble is not null;
-- Those that are not tried again are counted up to a bound.
create index notices_mail_given_up on notices.notices (created_at)
  where mail_trouble is not null and mail_due_at is null;
