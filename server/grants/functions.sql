-- Grants. Locks are taken in this order: the member's wallet, the grant, the totals, the movement, the member's notice.
--
-- Open to others: give_decided, given_to_claims.

-- The grants of booked claims. Nobody writes through it (see platform/functions.sql).
create or replace view grants.given_to_claims as
  select g.* from (
    select id, request_key, member_id, amount_points, state, created_at from grants.grants
    where request_key like 'claim:%' or request_key like 'claim-opening:%') g;
grant select on grants.given_to_claims to earnest_app;

-- The points that an operator gave alone today; null is the command line. It sums the grants between the instants of
-- the site day, because a stored day would be another one after a change of the site's zone.
create or replace function grants.given_alone_today(operator_id integer) returns bigint
  language sql stable
as $$
  select coalesce(sum(g.amount_points), 0)::bigint
  from platform.site_clock c
    cross join lateral platform.day_range_in(c.site_timezone, platform.business_now()) as today
    join grants.grants g on coalesce(g.granted_by, 0) = coalesce(given_alone_today.operator_id, 0)
      and g.created_at >= lower(today) and g.created_at < upper(today)
  where g.state = 'completed' and g.decided_by is null
$$;
grant execute on function grants.given_alone_today(integer) to earnest_app;

-- Whether a grant needs a second operator: with it the operator would have given the sum or more alone today, so that
-- many small grants are treated as a large one. The caller holds the lock on the totals, so that concurrent grants
-- count each other.
create or replace function grants.needs_second_operator(
  operator_id integer, amount_points bigint, second_person_points bigint
) returns boolean
  language sql stable
as $$
  select coalesce(grants.given_alone_today(needs_second_operator.operator_id) + needs_second_operator.amount_points
    >= needs_second_operator.second_person_points, false)
$$;

-- The key of a grant's movement. Keys of one member are neighbours, so that the audit reads a range of them.
create or replace function grants.movement_key(member_id integer, grant_id bigint) returns text
  language sql immutable parallel safe
  return 'grants:' || member_id || ':' || grant_id;

-- Books the points of a grant, and adds the member's notice. Returns the new balance. The caller holds the locks.
create or replace function grants.book(grant_id bigint) returns bigint
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  given record;
  posting record;
begin
  update grants.grants g set state = 'completed' where g.id = book.grant_id
  returning g.member_id, g.amount_points, g.reason into given;
  select * into posting from ledger.post_one(given.member_id, grants.movement_key(given.member_id, book.grant_id),
    'grant', given.amount_points, 'grants', given.reason, null, null, false);
  if posting.status <> 'posted' then
    raise exception 'The ledger answered grant % with %', book.grant_id, posting.status;
  end if;
  update grants.totals t set completed_count = t.completed_count + 1,
    completed_points = t.completed_points + given.amount_points;
  perform notices.add(given.member_id, 'granted',
    jsonb_build_object('amount', given.amount_points::text, 'reason', given.reason));
  return posting.balance;
end
$$;
revoke all on function grants.book(bigint) from public;

-- Gives points, or lets them wait for a second operator. Returns the first of: exists (the request was made before),
-- exists_different (its key was used for another grant), closed (the member has no open account), pending, completed.
create or replace function grants.give(
  request_key text, member_id integer, amount_points bigint, reason text, operator_id integer,
  second_person_points bigint, out status text, out id bigint, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  wallet_closed boolean;
  is_same boolean;
begin
  select w.is_closed into wallet_closed from ledger.lock_wallets(array[give.member_id]) w;
  select g.id, (g.member_id, g.amount_points, g.reason) = (give.member_id, give.amount_points, give.reason)
    and g.granted_by is not distinct from give.operator_id
  into id, is_same from grants.grants g where g.request_key = give.request_key;
  if found then
    status := case when is_same then 'exists' else 'exists_different' end;
    return;
  end if;
  if wallet_closed is distinct from false then
    status := 'closed';
    return;
  end if;
  insert into grants.grants (request_key, member_id, amount_points, reason, granted_by, created_at)
  values (give.request_key, give.member_id, give.amount_points, give.reason, give.operator_id, platform.business_now())
  on conflict (request_key) do nothing
  returning grants.id into id;
  if not found then
    -- Another grant took the key meanwhile, for another member: that of this one is locked.
    status := 'exists_different';
    return;
  end if;
  perform from grants.totals for no key update;
  if grants.needs_second_operator(give.operator_id, give.amount_points, give.second_person_points) then
    update grants.totals t set pending_count = t.pending_count + 1,
      pending_points = t.pending_points + give.amount_points;
    status := 'pending';
    return;
  end if;
  balance := grants.book(id);
  status := 'completed';
end
$$;
grant execute on function grants.give(text, integer, bigint, text, integer, bigint) to earnest_app;

-- Gives points for a decision of another feature, which has checked the member and holds the lock on the wallet. They
-- are booked in its transaction, once for each request key, within the bounds of all grants. `confirmed_by` is the
-- second of two operators, null for one alone. Returns the first of: exists (the request key has its grant),
-- second_needed (one alone may not give so much), completed. Only the last gives something.
create or replace function grants.give_decided(
  request_key text, member_id integer, amount_points bigint, reason text, operator_id integer, confirmed_by integer,
  second_person_points bigint, out status text, out id bigint, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform from grants.totals for no key update;
  if exists (select from grants.grants g where g.request_key = give_decided.request_key) then
    status := 'exists';
    return;
  end if;
  if give_decided.confirmed_by is null and grants.needs_second_operator(
    give_decided.operator_id, give_decided.amount_points, give_decided.second_person_points) then
    status := 'second_needed';
    return;
  end if;
  insert into grants.grants (request_key, member_id, amount_points, reason, granted_by, created_at, decided_by,
    decided_at)
  select give_decided.request_key, give_decided.member_id, give_decided.amount_points, give_decided.reason,
    give_decided.operator_id, n.now, give_decided.confirmed_by,
    case when give_decided.confirmed_by is not null then n.now end
  from (select platform.business_now() as now) n
  returning grants.id into id;
  balance := grants.book(id);
  status := 'completed';
end
$$;
revoke all on function grants.give_decided(text, integer, bigint, text, integer, integer, bigint) from public;

-- Confirms or declines a grant that waits, once. Points are booked by a confirmation only. Returns the first of:
-- not_found, decided, own_request (it is to an account of this operator, or confirms one's own), not_operator (the
-- giver's word does not count any more, so it can only be declined), closed (the member left), completed, failed.
-- `state` is that of the grant. Without an operator somebody else declines it, as the act says.
create or replace function grants.decide(
  grant_id bigint, decision text, operator_id integer, reason text,
  out status text, out state text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  given record;
  wallet_closed boolean;
begin
  select g.member_id, g.granted_by, g.amount_points, g.created_at into given
  from grants.grants g where g.id = decide.grant_id;
  if not found then
    status := 'not_found';
    return;
  end if;
  member_id := given.member_id;
  select w.is_closed into wallet_closed from ledger.lock_wallets(array[given.member_id]) w;
  select g.state into state from grants.grants g where g.id = decide.grant_id for no key update;
  if state <> 'pending' then
    status := 'decided';
  elsif members.is_own(decide.operator_id, given.member_id)
    or (decide.decision = 'confirm' and members.is_own(decide.operator_id, given.granted_by)) then
    status := 'own_request';
  elsif decide.decision = 'confirm' and given.granted_by is not null
    and not members.is_operator_since(given.granted_by, given.created_at) then
    status := 'not_operator';
  elsif decide.decision = 'confirm' and wallet_closed is distinct from false then
    status := 'closed';
  end if;
  if status is not null then
    return;
  end if;
  update grants.grants g
  set state = case decide.decision when 'confirm' then 'completed' else 'failed' end,
    decided_by = decide.operator_id, decided_at = platform.business_now(),
    decline_reason = case decide.decision when 'confirm' then null else decide.reason end
  where g.id = decide.grant_id
  returning g.state into status;
  update grants.totals t set pending_count = t.pending_count - 1,
    pending_points = t.pending_points - given.amount_points;
  if status = 'completed' then
    balance := grants.book(decide.grant_id);
  end if;
end
$$;
grant execute on function grants.decide(bigint, text, integer, text) to earnest_app;
