-- Decisions: suspensions and bans as one, and the removal of appeals.
--
-- Open to others: none.

-- Every suspension and every ban. A condition on the member, or on a source and its id, is answered by their indexes.
create or replace view decisions.made as
  select 'suspension' as source, s.id as source_id, s.member_id, s.suspension_type as kind, s.reason, s.created_at,
    s.expires_at, s.lifted_at, s.created_by, s.ends_with_reset as is_own_word
  from members.given_suspensions s
  union all
  select 'ban', b.id, b.member_id, 'chat_ban', b.reason, b.created_at, b.expires_at, b.lifted_at, b.created_by, false
  from chat.given_bans b;
grant select on decisions.made to earnest_app;

-- Deletes the oldest appeals, made more than three years ago. Returns how many, at most `rows_max`. It looks only at
-- the appeals with the lowest numbers, which are the oldest.
create or replace function decisions.remove_old(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  delete from decisions.appeals a where a.id in (
    select old.id from (select id, created_at from decisions.appeals order by id limit remove_old.rows_max) old
    where old.created_at < platform.business_now() - interval '3 years');
  get diagnostics removed = row_count;
  return removed;
end
$$;
grant execute on function decisions.remove_old(integer) to earnest_app;

-- Deletes the appeals of an account that is due for anonymising. The application can delete no other account's.
create or replace function decisions.forget(member_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if members.email_to_anonymise(forget.member_id) is null then
    return;
  end if;
  delete from decisions.appeals a where a.member_id = forget.member_id;
end
$$;
grant execute on function decisions.forget(integer) to earnest_app;
