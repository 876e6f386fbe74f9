-- What an operator should look at before a decision, though nothing stands against it. Each look is a few reads by an
-- index, of what was stored when it happened. In plpgsql, which keeps its plans: they are read for many requests.

-- Whether a member took back each request to a destination. Such a use is no evidence against others: payments are
-- public, so anybody can ask to be paid where somebody else is, and a request that is cancelled costs nothing.
create or replace function withdrawals.is_taken_back(member_id integer, method text, destination text)
  returns boolean
  language sql stable
  return exists (
      select from withdrawals.withdrawals w
      where (w.member_id, w.method, w.destination)
          = (is_taken_back.member_id, is_taken_back.method, is_taken_back.destination)
        and w.rejection_code = 'cancelled')
    and not exists (
      select from withdrawals.withdrawals w
      where (w.member_id, w.method, w.destination)
          = (is_taken_back.member_id, is_taken_back.method, is_taken_back.destination)
        and w.rejection_code is distinct from 'cancelled');
grant execute on function withdrawals.is_taken_back(integer, text, text) to earnest_app;

-- Other members who used a destination.
create or replace function withdrawals.destination_sharers(
  member_id integer, method text, destination text, rows_max integer
) returns setof integer
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select d.member_id from withdrawals.destinations d
  where d.destination = destination_sharers.destination and d.method = destination_sharers.method
    and d.member_id <> destination_sharers.member_id
    and not withdrawals.is_taken_back(d.member_id, d.method, d.destination)
  limit destination_sharers.rows_max;
end
$$;
grant execute on function withdrawals.destination_sharers(integer, text, text, integer) to earnest_app;

-- Since when reversals are looked at.
create or replace function withdrawals.reversals_looked_at_since() returns timestamptz
  language sql stable
  return platform.business_now() - interval '30 days';
grant execute on function withdrawals.reversals_looked_at_since() to earnest_app;

-- The looks at a request, in the order in which operators read them: shared_destination (another member used the
-- destination), shared_device (another member used one of the member's browsers at the same place), reversals (of the
-- last 30 days), new_destination (the member was paid before, but not there), first_payout (the member was never paid).
create or replace function withdrawals.looks_of(member_id integer, method text, destination text) returns text[]
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  looks text[] := '{}';
begin
  if exists (
    select from withdrawals.destination_sharers(looks_of.member_id, looks_of.method, looks_of.destination, 1)) then
    looks := looks || 'shared_destination'::text;
  end if;
  if access.shares_device(looks_of.member_id) then
    looks := looks || 'shared_device'::text;
  end if;
  if earning.was_reversed_since(looks_of.member_id, withdrawals.reversals_looked_at_since()) then
    looks := looks || 'reversals'::text;
  end if;
  if not exists (
    select from withdrawals.member_counts c where c.member_id = looks_of.member_id and c.paid_count > 0) then
    looks := looks || 'first_payout'::text;
  elsif not exists (
    select from withdrawals.destinations d
    where (d.member_id, d.method, d.destination) = (looks_of.member_id, looks_of.method, looks_of.destination)
      and d.paid_at is not null) then
    looks := looks || 'new_destination'::text;
  end if;
  return looks;
end
$$;
grant execute on function withdrawals.looks_of(integer, text, text) to earnest_app;
