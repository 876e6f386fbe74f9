-- Providers whose reversals have a transaction of their own and don't name the credit's. (Their rows are added when the
-- site starts, disabled, like those of all providers: what they begin with depends on the mode.)

-- What a credit has in common with the reversal that may come: an id of the provider, or what the credit was for.
create table earning.links (
  provider text not null,
  link text not null,
  -- The credit's.
  transaction_id text not null,
  primary key (provider, link, transaction_id)
);
