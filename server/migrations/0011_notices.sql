-- Notices: what a member must know. The functions of the features that make the fact add the row in its transaction.

create schema notices;
grant usage on schema notices to earnest_app;

-- The topic of a notice: mails about one topic to one member are limited. `notices.plan_mail` says how. A stored column
-- depends on it, so it is here and not in functions.sql.
create function notices.topic_of(kind text, facts jsonb) returns text
  language sql immutable parallel safe
  return kind || coalesce('-' || (facts ->> 'change'), '');
grant execute on function notices.topic_of(text, jsonb) to earnest_app;

-- No foreign key to the member: its check would lock the member's row after the counts, and transactions that change a
-- member's phone number or address lock them in the other order. Every notice is about a row that names the member.
create table notices.notices (
  member_id integer not null,
  -- The member's own number, from 1 without a gap. It names the notice on the wire, and pages are ranges of it.
  member_number bigint not null check (member_number > 0),
  kind text not null
    check (kind in ('paid', 'rejected', 'chargeback', 'held', 'approved', 'granted', 'decision', 'sign-in',
      'security')),
  -- In the shape of the kind, as in the contract. The sentence is made of it when it is read.
  facts jsonb not null,
  created_at timestamptz not null,
  read_at timestamptz,
  -- When the mail is due. A process that sends it moves this into the future first. Null if the member wants no mail,
  -- or it was sent or given up.
  mail_due_at timestamptz,
  mail_attempt_count integer not null default 0,
  mail_topic text generated always as (notices.topic_of(kind, facts)) stored,
  -- The time for which the mail was planned. Null if there is none.
  mail_planned_at timestamptz,
  -- How many later notices of the topic have no mail of their own. The mail says so.
  more_count integer not null default 0,
  mail_sent_at timestamptz,
  -- Why the last attempt failed, for operators.
  mail_trouble text,
  -- When the member answered with the mail's link that this was not them.
  denied_at timestamptz,
  primary key (member_id, member_number),
  constraint notices_mail_sent check (mail_sent_at is null or mail_due_at is null)
);
-- First attempts are found apart from repeats, so that many mails that fail do not stand before them.
create index notices_mail_due on notices.notices ((mail_attempt_count > 0), mail_due_at)
  where mail_due_at is not null;
create index notices_mail_topic on notices.notices (member_id, mail_topic, member_number)
  where mail_planned_at is not null;
create index notices_created_at on notices.notices (created_at);
-- The application marks what was read, mailed and denied. Only notices.add writes what a notice says.
grant select on notices.notices to earnest_app;
grant update (read_at, mail_due_at, mail_attempt_count, mail_sent_at, mail_trouble, denied_at)
  on notices.notices to earnest_app;

-- A member's numbers, so that no read counts rows.
create table notices.member_counts (
  member_id integer primary key,
  -- The number of the newest notice.
  notice_count bigint not null,
  -- The oldest notices up to this number were removed by age.
  removed_count bigint not null default 0,
  unread_count bigint not null check (unread_count >= 0),
  -- The member's browsers were told about the notices up to this number.
  announced_count bigint not null default 0,
  -- Links "this was not me" of the notices up to this number are void.
  denials_void_up_to bigint not null default 0,
  -- Until when the mail server took no mail for the member. No mail is tried before that.
  mail_deferred_until timestamptz
);
create index member_counts_unannounced on notices.member_counts (member_id) where announced_count < notice_count;
grant select on notices.member_counts to earnest_app;
grant update (unread_count, announced_count, mail_deferred_until, denials_void_up_to)
  on notices.member_counts to earnest_app;
