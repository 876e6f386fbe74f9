-- Logos of the site by the name in their URL, which has the hash of the bytes. Pages that are open and mails that were
-- sent may still name an older one.
create table platform.logos (
  name text primary key,
  bytes bytea not null,
  added_at timestamptz not null default clock_timestamp()
);
grant select, insert, delete on platform.logos to earnest_app;
