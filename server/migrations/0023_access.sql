-- What each node has to hear about: members whose sessions ended, whichever process ended them. Rows are kept for a
-- few minutes. Null stands for all members.
create table access.ended_sessions (
  number bigint generated always as identity primary key,
  member_id integer,
  ended_at timestamptz not null default clock_timestamp()
);
create index ended_sessions_ended_at on access.ended_sessions (ended_at);
grant select, delete on access.ended_sessions to earnest_app;

-- Here and not in a file of functions, because the trigger needs it. Sessions that were not valid any more have no
-- socket.
create function access.note_ended_sessions() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  members_max constant integer := 100;
  member_ids integer[];
begin
  select array_agg(distinct g.member_id) into member_ids
  from gone g where access.is_live(g.created_at, g.last_seen_at, 'user', platform.business_now());
  if cardinality(member_ids) > members_max then
    member_ids := array[null];
  end if;
  insert into access.ended_sessions (member_id) select unnest(member_ids);
  return null;
end
$$;
create trigger sessions_ended after delete on access.sessions referencing old table as gone
  for each statement execute function access.note_ended_sessions();
