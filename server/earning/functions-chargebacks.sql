-- Operators' chargebacks: points that are taken back without a provider's call. Locks are taken in the order of
-- functions.sql.

-- The class of the reason of an operator's chargeback. A manual one without a known word is the operator's own act.
create or replace function earning.operator_reason_class_of(provider text, reason text) returns text
  language sql immutable parallel safe
  return case when provider = 'manual' and earning.reason_class_of(reason) = 'policy' then 'admin'
              else earning.reason_class_of(reason) end;

-- Whether a chargeback is more than one operator may take back alone: with it the operator would have taken the sum for
-- two people or more today, or more from this member than the balance and more than the member ever earned and
-- operators did not take back. The caller holds the lock on the totals, so that chargebacks count each other.
create or replace function earning.is_chargeback_too_large(
  member_id integer, points bigint, operator_id integer, second_person_points bigint
) returns boolean
  language sql stable
as $$
  select o.taken_today + is_chargeback_too_large.points >= is_chargeback_too_large.second_person_points
    or is_chargeback_too_large.points > greatest(w.balance, w.earned_total - m.taken_points)
  from ledger.wallet_totals w
    cross join lateral (
      select coalesce(sum(r.taken_points), 0) as taken_points from earning.reversals r
      where r.member_id = w.member_id and r.taken_points > 0 and r.request_key is not null) m
    cross join lateral (
      select coalesce(sum(r.taken_points), 0) as taken_today
      from platform.site_clock c
        cross join lateral platform.day_range_in(c.site_timezone, platform.business_now()) as today
        join earning.reversals r on r.booked_by = is_chargeback_too_large.operator_id
          and r.created_at >= lower(today) and r.created_at < upper(today)) o
  where w.member_id = is_chargeback_too_large.member_id
$$;

-- Takes points back from a member, also below zero and from a closed account. `provider` is `manual`, or that of a
-- test. The points go to the account `operator`, because no provider owes them less. Returns the first of:
-- unknown_member, exists (the request was made before), exists_different (its key was used for another one),
-- too_large (only with a sum for two people), posted.
create or replace function earning.charge_back(
  request_key text, member_id integer, points bigint, provider text, transaction_id text, reason text,
  operator_id integer, second_person_points bigint, out status text, out id bigint, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  is_same boolean;
  posting record;
begin
  if ledger.lock_wallet(charge_back.member_id) is null then
    status := 'unknown_member';
    return;
  end if;
  select r.id, (r.member_id, r.taken_points, r.provider, r.reason)
      = (charge_back.member_id, charge_back.points, charge_back.provider, charge_back.reason)
    and r.booked_by is not distinct from charge_back.operator_id
  into id, is_same from earning.reversals r where r.request_key = charge_back.request_key;
  if found then
    status := case when is_same then 'exists' else 'exists_different' end;
    return;
  end if;
  if charge_back.second_person_points is not null then
    perform from earning.approval_totals for no key update;
    if earning.is_chargeback_too_large(charge_back.member_id, charge_back.points, charge_back.operator_id,
      charge_back.second_person_points) then
      status := 'too_large';
      return;
    end if;
  end if;
  insert into earning.reversals (provider, transaction_id, member_id, taken_points, reason, reason_class, created_at,
    request_key, booked_by)
  values (charge_back.provider, charge_back.transaction_id, charge_back.member_id, charge_back.points,
    charge_back.reason, earning.operator_reason_class_of(charge_back.provider, charge_back.reason),
    platform.business_now(), charge_back.request_key, charge_back.operator_id)
  on conflict on constraint reversals_request_key_key do nothing
  returning reversals.id into id;
  if not found then
    -- Another chargeback took the key meanwhile, of another member: that of this one is locked.
    status := 'exists_different';
    return;
  end if;
  select * into posting from ledger.post_one(charge_back.member_id,
    earning.movement_key(charge_back.provider, charge_back.transaction_id, 'reversal'), 'reversal',
    -charge_back.points, 'operator', charge_back.reason, nullif(charge_back.provider, 'manual'),
    charge_back.transaction_id, false);
  if posting.status <> 'posted' then
    raise exception 'The ledger answered chargeback % with %', charge_back.transaction_id, posting.status;
  end if;
  perform earning.add_reversed(charge_back.member_id, charge_back.provider, charge_back.points, charge_back.reason);
  status := 'posted';
  balance := posting.balance;
end
$$;
grant execute on function earning.charge_back(text, integer, bigint, text, text, text, integer, bigint) to earnest_app;

-- Number and points of all chargebacks, and of those of this site day: the ledger's stored sums, and the movements
-- since then, found by their reversals. The two times of one reversal differ by less than a minute.
create or replace function earning.chargeback_sums()
  returns table (total_count bigint, total_points numeric, today_count bigint, today_points numeric)
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  with tail as materialized (select ledger.sums_closed_until() as starts_at)
  select coalesce(sum(s.count), 0)::bigint, coalesce(-sum(s.amount), 0),
    coalesce(sum(s.count) filter (where s.site_day = today), 0)::bigint,
    coalesce(-sum(s.amount) filter (where s.site_day = today), 0)
  from (
    select d.site_day, d.movement_count as count, d.amount from ledger.closed_sums('reversal') d
    union all
    select platform.site_day(m.posted_at), 1, m.amount
    from tail
      join earning.reversals r on r.taken_points > 0 and r.created_at >= tail.starts_at - interval '1 minute'
      cross join lateral (
        select h.posted_at, h.amount from ledger.history h
        where h.key = earning.movement_key(r.provider, r.transaction_id, 'reversal') limit 1) m
    where m.posted_at >= tail.starts_at
  ) s cross join platform.site_day(platform.business_now()) today
$$;
grant execute on function earning.chargeback_sums() to earnest_app;
