-- The browser and the address from which a wall was opened, which an operator sees in a claim about it. Unknown of
-- openings before this release, removed after 90 days and with the account.
alter table earning.openings
  add column user_agent text check (length(user_agent) <= 500),
  add column address inet;
create index openings_device on earning.openings (opened_at) where user_agent is not null;
