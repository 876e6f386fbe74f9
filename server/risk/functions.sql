-- Risk: whether a block stops a registration, and the removal of what the rules found.
--
-- Open to others: is_domain_blocked.

-- Whether the domain of an e-mail address, or one above it, is blocked.
create or replace function risk.is_domain_blocked(email text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (
    select from risk.blocks b
    where b.kind = 'domain' and b.lifted_at is null and members.is_in_force(b.lifted_at, b.expires_at)
      and right('.' || split_part(is_domain_blocked.email, '@', 2), length(b.value) + 1) = '.' || b.value);
grant execute on function risk.is_domain_blocked(text) to earnest_app;

-- Deletes the oldest activities, and detections that were decided, of more than three years ago. Returns how many, at
-- most `rows_max` of each.
create or replace function risk.remove_old(rows_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  oldest constant timestamptz := platform.business_now() - interval '3 years';
  old_activities bigint[];
  old_detections bigint[];
begin
  old_activities := array(
    select a.id from risk.activities a where a.created_at < oldest order by a.created_at, a.id
    limit remove_old.rows_max);
  old_detections := array(
    select d.id from risk.detections d where d.status <> 'open' and d.decided_at < oldest
    order by d.id limit remove_old.rows_max);
  delete from risk.activities a where a.id = any (old_activities);
  delete from risk.detections d where d.id = any (old_detections);
  return greatest(cardinality(old_activities), cardinality(old_detections));
end
$$;
grant execute on function risk.remove_old(integer) to earnest_app;
