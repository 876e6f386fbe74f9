-- Broadcasts: mails that operators send to all members who want them, and those about changed terms.

create schema broadcasts;
grant usage on schema broadcasts to earnest_app;

create table broadcasts.broadcasts (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('news', 'terms')),
  -- The announcement of the changed terms, which may be deleted meanwhile.
  announcement_id bigint unique,
  effective_on date,
  subject text not null check (length(subject) between 1 and 200),
  content text not null check (length(content) between 1 and 5000),
  -- Null: members who read Korean get the English text.
  subject_ko text check (length(subject_ko) between 1 and 200),
  content_ko text check (length(content_ko) between 1 and 5000),
  status text not null default 'running' check (status in ('running', 'paused', 'stopped', 'done')),
  -- The counts of its mails by their state, and of the failed ones by reason, so that progress is one row. The others
  -- wait.
  recipient_count integer not null default 0 check (recipient_count >= 0),
  sent_count integer not null default 0 check (sent_count >= 0),
  perhaps_count integer not null default 0 check (perhaps_count >= 0),
  skipped_count integer not null default 0 check (skipped_count >= 0),
  no_address_count integer not null default 0 check (no_address_count >= 0),
  mailbox_full_count integer not null default 0 check (mailbox_full_count >= 0),
  refused_count integer not null default 0 check (refused_count >= 0),
  deferred_count integer not null default 0 check (deferred_count >= 0),
  created_at timestamptz not null,
  -- Null: the site itself.
  created_by integer references members.members (id),
  -- The last pause, resumption, stop or retry.
  changed_at timestamptz not null,
  changed_by integer references members.members (id),
  finished_at timestamptz,
  constraint broadcasts_terms_of_announcement check ((kind = 'terms') = (announcement_id is not null)),
  constraint broadcasts_terms_with_day check ((kind = 'terms') = (effective_on is not null)),
  constraint broadcasts_done_at check ((status = 'done') = (finished_at is not null))
);
create index broadcasts_created_at on broadcasts.broadcasts (created_at desc, id desc);
create index broadcasts_running on broadcasts.broadcasts (id) where status = 'running';
grant select, insert on broadcasts.broadcasts to earnest_app;
grant update (status, recipient_count, perhaps_count, mailbox_full_count, refused_count, deferred_count, changed_at,
  changed_by, finished_at) on broadcasts.broadcasts to earnest_app;

-- One mail for each recipient, fixed when the broadcast begins, so that nobody has two.
create table broadcasts.mails (
  broadcast_id bigint not null references broadcasts.broadcasts (id),
  member_id integer not null references members.members (id),
  -- `perhaps`: the text went to the mail server, and nobody knows whether the server took it. It is not sent again by
  -- itself. `skipped`: when its turn came, the member was suspended or deleted, had ended broadcasts, or the address
  -- was given up.
  state text not null default 'waiting'
    check (state in ('waiting', 'sending', 'sent', 'perhaps', 'failed', 'skipped')),
  due_at timestamptz not null,
  -- Grows with each claim, so that a claim that was late changes nothing of a later one.
  claim_count integer not null default 0,
  -- How often the server answered "later" about this mail.
  deferral_count smallint not null default 0,
  reason text check (reason in ('no-address', 'mailbox-full', 'refused', 'deferred')),
  smtp_code smallint check (smtp_code between 100 and 999),
  settled_at timestamptz,
  primary key (broadcast_id, member_id),
  constraint mails_failed_with_reason check ((state = 'failed') = (reason is not null))
);
create index mails_waiting on broadcasts.mails (broadcast_id, due_at, member_id) where state = 'waiting';
create index mails_sending on broadcasts.mails (broadcast_id) where state = 'sending';
create index mails_open on broadcasts.mails (broadcast_id, state, reason) where state in ('perhaps', 'failed');
create index mails_member on broadcasts.mails (member_id);
grant select, insert on broadcasts.mails to earnest_app;
grant update (state, due_at, claim_count, deferral_count, reason, smtp_code, settled_at)
  on broadcasts.mails to earnest_app;

-- Addresses of which a mail server said for good that they do not exist. Two such answers end broadcasts to them.
create table broadcasts.addresses (
  email text primary key,
  bounce_count smallint not null check (bounce_count >= 1),
  bounced_at timestamptz not null
);
create index addresses_bounced_at on broadcasts.addresses (bounced_at);
grant select, insert, update, delete on broadcasts.addresses to earnest_app;

-- How slowly broadcasts are sent, because the mail server asked for it or does not answer.
create table broadcasts.pace (
  is_only_row boolean primary key default true check (is_only_row),
  slow_count smallint not null default 0 check (slow_count between 0 and 4),
  throttled_at timestamptz,
  waits_until timestamptz,
  -- Why nothing is sent: the answer of the mail server, or of the network.
  trouble text check (length(trouble) <= 500)
);
insert into broadcasts.pace default values;
grant select, update (slow_count, throttled_at, waits_until, trouble) on broadcasts.pace to earnest_app;
