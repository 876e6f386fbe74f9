-- Ways in besides the password: identities at a provider of sign-ins, links sent by mail; and what browsers did.

-- When somebody proved that the mailbox is theirs: by a link in a mail, or by a provider that vouches for it.
alter table members.members add column email_verified_at timestamptz;

create table members.identities (
  -- Who somebody is at a provider: an e-mail address can change hands, this pair never does.
  issuer text not null,
  subject text not null,
  member_id integer not null references members.members (id),
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_member on members.identities (member_id);

create table members.mail_tokens (
  -- SHA-256 of the token: what a thief of the table could not use.
  token_hash bytea primary key,
  member_id integer not null references members.members (id),
  purpose text not null check (purpose in ('reset-password', 'verify-email')),
  expires_at timestamptz not null,
  -- A new one takes the place of the one before.
  unique (member_id, purpose)
);

-- What a member's browser reported, one row per report. Kept for days, and never more than a bound per member and day.
create table members.behaviour (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  received_at timestamptz not null,
  address inet not null,
  entries jsonb not null
);
create index behaviour_received on members.behaviour (received_at);
create index behaviour_member on members.behaviour (member_id, received_at desc);

-- How much a member's browser reported on a site day, also what was not kept.
create table members.behaviour_days (
  member_id integer not null references members.members (id),
  day date not null,
  entries_count integer not null,
  primary key (member_id, day)
);
create index behaviour_days_day on members.behaviour_days (day);

grant select, insert, update, delete on members.identities, members.mail_tokens, members.behaviour_days to earnest_app;
grant select, insert, delete on members.behaviour to earnest_app;
