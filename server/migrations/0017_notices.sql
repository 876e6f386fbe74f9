-- Operators see the mails of notices that were not sent, the newest first.
create index notices_mail_failed on notices.notices (created_at desc, member_id, member_number)
  where mail_trouble is not null;
