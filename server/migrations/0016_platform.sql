-- The processes that serve the site, each of which says again and again that it runs. Times are by the real clock. A
-- process that ends in good order deletes its row; others delete the rows of those that ended otherwise.
create table platform.nodes (
  -- The name of the process in leases.
  holder text primary key,
  version text not null,
  started_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null,
  -- The parts of it that are not well.
  trouble_count integer not null
);
grant select, insert, update, delete on platform.nodes to earnest_app;
-- Operators see which releases were started on the database.
grant select on platform.releases to earnest_app;
