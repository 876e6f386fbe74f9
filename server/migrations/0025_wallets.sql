create schema wallets;
grant usage on schema wallets to earnest_app;

-- The site's accounts at companies that pay: their sealed credentials, and what the company answered last. A reading
-- belongs to the credentials of its `version`.
create table wallets.accounts (
  company text primary key check (company in ('paypal', 'nowpayments')),
  sealed_credentials text not null,
  version integer not null default 1,
  changed_at timestamptz not null,
  -- Null until these credentials were tried.
  is_connected boolean,
  balance numeric,
  -- Why it is not connected.
  trouble text,
  -- When the company last answered that it knows the credentials.
  answered_at timestamptz
);
grant select, insert, update on wallets.accounts to earnest_app;
