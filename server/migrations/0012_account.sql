-- What a member sets for themselves, and how an account ends.

alter table members.members
  -- False until the member chose: then the language is the one of the device.
  add column is_language_chosen boolean not null default false,
  -- An IANA name; null until the member chose one.
  add column timezone text check (length(timezone) between 1 and 64),
  -- In which currency the worth of points is shown; what is booked and paid knows points and coins alone.
  add column currency text not null default 'USD' check (currency in ('USD', 'KRW', 'EUR')),
  -- When the account was deleted; seven days later the person is taken out of the row.
  add column deleted_at timestamptz,
  add column anonymised_at timestamptz,
  -- Whoever deleted the account can't be let in again by a password, however one would get here.
  add constraint members_deleted_without_password check (deleted_at is null or password_hash is null),
  add constraint members_anonymised_after_deletion check (anonymised_at is null or deleted_at is not null);
create index members_to_anonymise on members.members (deleted_at)
  where deleted_at is not null and anonymised_at is null;

-- What one US dollar is in another currency, worked out from the rate source: for showing alone.
create table members.display_rates (
  currency text primary key check (currency in ('KRW', 'EUR')),
  per_usd numeric not null check (per_usd > 0),
  fetched_at timestamptz not null
);
grant select, insert, update on members.display_rates to earnest_app;
