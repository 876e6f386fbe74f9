-- Who somebody is: members, their sessions, devices and phone verifications.

create schema members;
grant usage on schema members to earnest_app;

create table members.members (
  -- Random and unguessable by neighbours; what providers and other members see of somebody.
  id integer primary key check (id between 100000000 and 999999999),
  email text not null unique,
  -- The same mailbox however it is written, so that one person's second account is seen.
  email_canonical text not null,
  password_hash text,
  first_name text not null,
  last_name text,
  role text not null default 'user' check (role in ('user', 'admin', 'banned')),
  profile_image_url text,
  referral_code text not null unique,
  referred_by integer references members.members (id),
  chat_theme text not null default 'default',
  chat_bubble_color text not null default '#3B82F6',
  chat_text_color text not null default '#FFFFFF',
  phone_number text unique,
  phone_verified_at timestamptz,
  language text not null default 'en' check (language in ('en', 'ko')),
  email_notifications boolean not null default true,
  terms_version text not null,
  registered_from inet,
  created_at timestamptz not null,
  last_sign_in_at timestamptz
);
create index members_email_canonical on members.members (email_canonical);
create index members_referred_by on members.members (referred_by) where referred_by is not null;
create index members_created_at on members.members (created_at desc);

create table members.sessions (
  -- SHA-256 of the token: what a thief of the table could not use.
  token_hash bytea primary key,
  id uuid not null unique,
  member_id integer not null references members.members (id),
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  user_agent text not null,
  address inet not null
);
create index sessions_member on members.sessions (member_id);

create table members.devices (
  fingerprint_hash bytea not null,
  -- 0 while nobody is signed in: a device is known before its person is.
  member_id integer not null,
  address inet not null,
  fields jsonb not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (fingerprint_hash, member_id)
);
create index devices_member on members.devices (member_id) where member_id <> 0;

create table members.phone_verifications (
  member_id integer primary key references members.members (id),
  phone_number text not null,
  verification_id text not null,
  expires_at timestamptz not null,
  tries_left integer not null check (tries_left between 0 and 5)
);

create table members.registration_reviews (
  id bigint generated always as identity primary key,
  email text not null unique,
  facts jsonb not null,
  status text not null default 'open' check (status in ('open', 'allowed', 'refused')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references members.members (id)
);

-- What is blocked for a member, until when and why. The type decides what is blocked, at every severity.
create table members.suspensions (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  reason text not null,
  severity text not null check (severity in ('warning', 'temporary', 'permanent')),
  suspension_type text not null
    check (suspension_type in ('earnings_blocked', 'withdrawal_blocked', 'full_suspension')),
  expires_at timestamptz,
  lifted_at timestamptz,
  lift_reason text,
  created_by integer references members.members (id),
  created_at timestamptz not null
);
create index suspensions_open on members.suspensions (member_id) where lifted_at is null;

grant select, insert, update on members.members, members.devices, members.registration_reviews,
  members.suspensions to earnest_app;
grant select, insert, update, delete on members.sessions, members.phone_verifications to earnest_app;
