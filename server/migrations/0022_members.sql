-- The filters of operators' lists that an operator saved under a name.
create table members.views (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  screen text not null check (length(screen) <= 100),
  name text not null check (length(name) between 1 and 40),
  -- The query of the screen's URL, without its question mark.
  query text not null check (length(query) <= 1000),
  unique (member_id, screen, name)
);
grant select, insert, delete on members.views to earnest_app;
grant update (query) on members.views to earnest_app;
