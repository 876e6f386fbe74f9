-- Access: registering, signing in, sessions, and reports of browsers.

create schema access;
grant usage on schema access to earnest_app;

create table access.sessions (
  -- SHA-256 of the token, so that a copy of the table lets nobody in.
  token_hash bytea primary key,
  id uuid not null unique,
  member_id integer not null references members.members (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  user_agent text not null,
  address inet not null,
  -- Whether the operators' gate was passed, before the sign-in or later. Operators' calls need it if a key is set.
  has_passed_gate boolean not null
);
create index sessions_member on access.sessions (member_id);
create index sessions_created_at on access.sessions (created_at);

-- Members' identities at sign-in providers. An e-mail address can get another owner; an identity can't.
create table access.identities (
  issuer text not null,
  subject text not null,
  member_id integer not null references members.members (id),
  linked_at timestamptz not null,
  primary key (issuer, subject)
);
create index identities_member on access.identities (member_id);

-- Identities that a reset of the password, or a denial, unlinked. The e-mail address alone does not link them again.
create table access.former_identities (
  issuer text not null,
  subject text not null,
  member_id integer not null references members.members (id),
  unlinked_at timestamptz not null,
  primary key (member_id, issuer, subject)
);

-- Links sent by mail.
create table access.mail_tokens (
  -- SHA-256 of the token, so that a copy of the table lets nobody in.
  token_hash bytea primary key,
  member_id integer not null references members.members (id),
  purpose text not null check (purpose in ('reset-password', 'verify-email')),
  expires_at timestamptz not null,
  -- A new token replaces the former one.
  unique (member_id, purpose)
);

create table access.phone_verifications (
  member_id integer primary key references members.members (id),
  phone_number text not null,
  -- One code. Members who ask for codes to one number at the same time share it, with its counts.
  code_id uuid not null,
  -- The service's id. Null until the service has sent the code, and after another code took its place.
  verification_id text,
  -- The verified number that the member had when the code was asked for. It may replace no other.
  former_number text,
  started_at timestamptz not null,
  expires_at timestamptz not null,
  asked_at timestamptz not null,
  -- The member's codes to any number in the hour that began with the first of them.
  asks_since timestamptz not null,
  asks_count integer not null check (asks_count > 0),
  tries_left integer not null check (tries_left between 0 and 5),
  -- Of the code, by all who share it.
  sends_count integer not null check (sends_count > 0),
  checks_count integer not null check (checks_count between 0 and 5)
);
create index phone_verifications_number on access.phone_verifications (phone_number);

-- Registrations that wait for an operator's decision.
create table access.registration_reviews (
  id bigint generated always as identity primary key,
  email text not null unique,
  facts jsonb not null,
  status text not null default 'open' check (status in ('open', 'allowed', 'refused')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references members.members (id)
);

-- Browsers that visited, signed in or not. Rows without a member are deleted by age.
create table access.devices (
  fingerprint_hash bytea not null,
  -- 0 without a signed-in member, so there is no foreign key.
  member_id integer not null,
  address inet not null,
  fields jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (fingerprint_hash, member_id)
);
create index devices_member on access.devices (member_id) where member_id <> 0;
create index devices_known on access.devices (last_seen_at) where member_id <> 0;
create index devices_unknown on access.devices (last_seen_at) where member_id = 0;

-- Reports of members' browsers, one row per report. Rows are limited per member and day, and deleted by age.
create table access.behaviour (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  received_at timestamptz not null,
  address inet not null,
  entries jsonb not null
);
create index behaviour_received on access.behaviour (received_at);
create index behaviour_member on access.behaviour (member_id, received_at desc);

-- The number of entries that a member's browser reported on a site day, including those that were not stored.
create table access.behaviour_days (
  member_id integer not null references members.members (id),
  day date not null,
  entries_count integer not null,
  primary key (member_id, day)
);
create index behaviour_days_day on access.behaviour_days (day);

grant select, insert, update on access.registration_reviews to earnest_app;
grant select, insert, delete on access.behaviour, access.former_identities to earnest_app;
grant select, insert, update, delete on access.sessions, access.identities, access.mail_tokens,
  access.phone_verifications, access.devices, access.behaviour_days to earnest_app;
