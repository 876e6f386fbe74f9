-- Members: identity, account settings and suspensions.

create schema members;
grant usage on schema members to earnest_app;

create table members.members (
  -- Random, so that ids can't be guessed. Providers and other members see it.
  id integer primary key check (id between 100000000 and 999999999),
  email text not null unique,
  -- The mailbox in canonical form, so that a second account of the same person is detected.
  email_canonical text not null,
  -- When the mailbox was verified, by a link in a mail or by a sign-in provider.
  email_verified_at timestamptz,
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
  -- False until the member chose a language. Until then the device's language is used.
  is_language_chosen boolean not null default false,
  -- An IANA name. Null until the member chose one.
  timezone text check (length(timezone) between 1 and 64),
  -- The currency in which the value of points is shown. Booking and paying use points and coins only.
  currency text not null default 'USD' check (currency in ('USD', 'KRW', 'EUR')),
  email_notifications boolean not null default true,
  -- The kinds of notices that the member wants no mail of.
  unmailed_notices text[] not null default '{}',
  terms_version text not null,
  registered_from inet,
  -- In whole milliseconds, so that the operators' list can be read on from a time that JavaScript read.
  created_at timestamptz(3) not null,
  last_sign_in_at timestamptz,
  -- When password, phone, e-mail address or Google account last changed. The trigger below writes the first three.
  security_changed_at timestamptz,
  -- The member said that an act was not theirs. Nobody signs in until the password is reset by mail.
  awaits_reset boolean not null default false,
  -- When somebody with a session alone set the first password. Null if the mailbox or a former password was needed.
  unproven_password_at timestamptz,
  -- When a browser that had not done so before last signed in. Not the first sign-in of the account.
  new_device_at timestamptz,
  -- When the account was deleted. Seven days later the row is anonymised.
  deleted_at timestamptz,
  anonymised_at timestamptz,
  constraint members_referred_by_another check (referred_by <> id),
  -- A deleted account has no password, so no path can sign in with one.
  constraint members_deleted_without_password check (deleted_at is null or password_hash is null),
  constraint members_anonymised_after_deletion check (anonymised_at is null or deleted_at is not null)
);
create index members_email_canonical on members.members (email_canonical);
create index members_referred_by on members.members (referred_by) where referred_by is not null;
create index members_operators on members.members (created_at, id) where role = 'admin';
-- The operators' list, and its filters.
create index members_created_at on members.members (created_at, id);
create index members_role on members.members (role, created_at, id);
create index members_deleted on members.members (created_at, id) where deleted_at is not null;
-- The members who count as active.
create index members_last_sign_in on members.members (last_sign_in_at)
  where deleted_at is null and role <> 'banned';
create index members_to_anonymise on members.members (deleted_at)
  where deleted_at is not null and anonymised_at is null;

-- Suspensions of members. The type decides which acts are blocked, at every severity.
create table members.suspensions (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  reason text not null,
  severity text not null check (severity in ('warning', 'temporary', 'permanent')),
  suspension_type text not null
    check (suspension_type in ('earnings_blocked', 'withdrawal_blocked', 'full_suspension')),
  -- Null means until it is lifted.
  expires_at timestamptz,
  lifted_at timestamptz,
  lift_reason text,
  lifted_by integer references members.members (id),
  created_by integer references members.members (id),
  created_at timestamptz not null,
  -- It began with a member's word that an act was not theirs, and ends 24 hours after a reset of the password by mail.
  ends_with_reset boolean not null default false
);
create index suspensions_open on members.suspensions (member_id) where lifted_at is null;
create index suspensions_member on members.suspensions (member_id, id desc);

-- Notes a change of what protects an account, whoever makes it. The first phone number is no change by itself.
create function members.note_security_change() returns trigger
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  new.security_changed_at := platform.business_now();
  return new;
end
$$;
create trigger members_security_change before update of password_hash, phone_number, email on members.members
  for each row
  when (old.password_hash is distinct from new.password_hash or old.email is distinct from new.email
    or (old.phone_number is not null and old.phone_number is distinct from new.phone_number))
  execute function members.note_security_change();

-- The price of one US dollar in another currency, derived from the rate source. Used for display only.
create table members.display_rates (
  currency text primary key check (currency in ('KRW', 'EUR')),
  per_usd numeric not null check (per_usd > 0),
  fetched_at timestamptz not null
);

-- How many members there are, counted by a sweep. `members.count_members` says what each number is.
create table members.counts (
  is_only_row boolean primary key default true check (is_only_row),
  counted_at timestamptz not null default '-infinity',
  -- The site day of counted_at.
  site_day date not null default '-infinity',
  member_count bigint not null default 0,
  deleted_count bigint not null default 0,
  active_count bigint not null default 0,
  joined_today_count bigint not null default 0
);
insert into members.counts default values;
grant select, update on members.counts to earnest_app;

-- Sign-ups and active members of each site day, kept by a sweep; the row of today grows. Active members are those of
-- the last count of the day. A closed day changes no more.
create table members.days (
  site_day date primary key,
  joined_count bigint not null,
  active_count bigint not null,
  is_closed boolean not null
);
grant select, insert, update on members.days to earnest_app;

grant select, insert, update on members.members, members.suspensions, members.display_rates to earnest_app;
