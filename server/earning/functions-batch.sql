-- Booking of many calls in one statement: the path of postbacks under load. Rules and order of locks are those of
-- functions.sql.

-- Adds the earnings of a batch that are ordinary, new and for a member with an open wallet. Returns the keys of their
-- movements. If a transaction is repeated in the batch, only its first call counts.
create or replace function earning.add_ordinary_earnings(calls earning.call[], at timestamptz, out keys text[])
  language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  with first as (
    select c.provider, c.transaction_id, c.points, c.payout_micro_usd, c.subject, c.is_screen_out,
      c.hold_reason, earning.member_of(c.member_ref) as member_id,
      row_number() over (partition by c.provider, c.transaction_id order by c.item_position) as place
    from unnest(calls) c where c.kind = 'credit'
    order by c.provider, c.transaction_id
  ), made as (
    insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
      subject, is_screen_out, state, created_at)
    select f.provider, f.transaction_id, f.member_id, f.points, f.points, f.payout_micro_usd, f.subject,
      f.is_screen_out, 'credited', add_ordinary_earnings.at
    from first f
      cross join lateral (select is_closed from ledger.wallet_totals where member_id = f.member_id limit 1) w
      cross join lateral earning.judge_credit(f.provider, f.transaction_id, f.points, f.hold_reason, f.member_id) j
    where f.place = 1 and j.is_ordinary and not w.is_closed
    on conflict do nothing
    returning earning.movement_key(provider, transaction_id, 'credit') as key
  )
  select array_agg(key) into keys from made;
end
$$;

-- Adds the other new earnings of a batch, and returns the verdict of each credit.
create or replace function earning.add_earnings(calls earning.call[]) returns table (
  item_position integer, verdict text, member_id integer, call earning.call
)
  language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  at timestamptz := platform.business_now();
begin
  return query
  with first as (
    select distinct on (c.provider, c.transaction_id) c.*
    from unnest(calls) c where c.kind = 'credit'
    order by c.provider, c.transaction_id, c.item_position
  ), judged as (
    select f.*, w.member_id as known_member, w.is_closed, j.hold_reason as held_for
    from first f
      left join lateral (
        select member_id, is_closed from ledger.wallet_totals
        where member_id = earning.member_of(f.member_ref) limit 1) w on true
      cross join lateral earning.judge_credit(f.provider, f.transaction_id, f.points, f.hold_reason, w.member_id) j
  ), made as (
    insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
      subject, is_screen_out, state, created_at, held_id, hold_reason)
    select j.provider, j.transaction_id, j.known_member, j.points, j.points, j.payout_micro_usd, j.subject,
      j.is_screen_out, case when j.held_for is null then 'credited' else 'held' end, at,
      case when j.held_for is not null then nextval('earning.held_ids') end, j.held_for
    from judged j where not j.is_closed
    order by j.provider, j.transaction_id
    on conflict do nothing
    returning earnings.provider, earnings.transaction_id, earnings.state
  ), kept as (
    insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
      payout_micro_usd, subject, is_screen_out, reason)
    select at, j.provider, 'credit', j.transaction_id, j.transaction_id, j.member_ref, j.points, j.payout_micro_usd,
      j.subject, j.is_screen_out,
      case when j.known_member is null then 'unknown member' else 'deleted member' end
    from judged j where j.is_closed is distinct from false
    on conflict do nothing
  )
  select j.item_position,
    case when j.is_closed is distinct from false then 'quarantined'
         when m.state is not null then m.state
         when e.member_id = j.known_member and e.points = j.points then 'duplicate'
         when e.member_id is null then 'duplicate'
         else 'duplicate-different' end,
    case when j.is_closed = false then j.known_member end,
    row(j.item_position, j.kind, j.provider, j.transaction_id, j.credit_transaction_id, j.member_ref, j.points,
      j.payout_micro_usd, j.subject, j.is_screen_out, j.hold_reason, j.raw, j.address,
      j.verdict, j.detail)::earning.call
  from judged j
  left join made m on m.provider = j.provider and m.transaction_id = j.transaction_id
  left join lateral (
    select known.member_id, known.points from earning.earnings known
    where m.state is null and known.provider = j.provider and known.transaction_id = j.transaction_id
    limit 1) e on true;
end
$$;

-- Applies the other calls of a batch: first credits that are held, known, for an unknown member or reversed in advance,
-- then reversals. Returns one row per call, and one row without a position per released reversal. A row that changes a
-- balance has the movement to post.
create or replace function earning.apply_other_calls(calls earning.call[]) returns table (
  item_position integer, verdict text, member_id integer, movement ledger.item
)
  language plpgsql set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  one earning.call;
  added record;
  taken record;
  reversals earning.call[] := '{}';
  held_count bigint := 0;
  held_points bigint := 0;
begin
  for added in select * from earning.add_earnings(calls) loop
    one := added.call;
    item_position := added.item_position;
    verdict := added.verdict;
    member_id := null;
    movement := null;
    if verdict in ('credited', 'held') then
      member_id := added.member_id;
      if verdict = 'credited' then
        movement := earning.movement_of(one, member_id, one.points);
      else
        held_count := held_count + 1;
        held_points := held_points + one.points;
        perform earning.add_notice(member_id, 'held', one.provider, one.points, one.subject, '{}');
      end if;
      reversals := reversals
        || array(select r from earning.release_waiting(one.provider, one.transaction_id) r);
    end if;
    return next;
  end loop;
  if held_count > 0 then
    update earning.approval_totals t
    set pending_count = t.pending_count + held_count, pending_points = t.pending_points + held_points;
  end if;

  foreach one in array reversals || array(
    select c from unnest(calls) c where c.kind = 'reversal' order by c.provider, c.transaction_id, c.item_position)
  loop
    select * into taken from earning.apply_reversal(one);
    item_position := one.item_position;
    verdict := taken.verdict;
    member_id := taken.member_id;
    movement := case when taken.taken > 0 then earning.movement_of(one, taken.member_id, -taken.taken) end;
    return next;
  end loop;
end
$$;

-- Books a batch of calls. Records each raw call with its verdict, and returns for each position the verdict, the member
-- whose balance changed and the balance. Ordinary credits are booked together, other calls one by one. Plans that read
-- whole tables are disabled, because they look cheap while a site is small, and cached plans stay.
create or replace function earning.book(calls earning.call[]) returns table (
  item_position integer, verdict text, member_id integer, balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
  set plan_cache_mode = force_generic_plan set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  ordinary earning.call[];
  at timestamptz;
  keys text[];
  verdicts text[];
  members integer[];
  movements ledger.item[];
  booked record;
  refused text;
begin
  -- A reversal changes the wallet of its credit's member. The wallet of the call's member is locked too, because the
  -- credit may arrive at the same time.
  perform ledger.lock_wallets(array(
    select earning.member_of(c.member_ref) from unnest(calls) c where c.kind in ('credit', 'reversal')
    union
    select e.member_id from unnest(calls) c
      cross join lateral (
        select member_id from earning.earnings
        where provider = c.provider and transaction_id = c.credit_transaction_id limit 1) e
    where c.kind = 'reversal'));
  select platform.business_time(c.offset_seconds) into at from platform.site_clock c;

  keys := earning.add_ordinary_earnings(calls, at);
  if cardinality(keys) = cardinality(calls) then
    ordinary := calls;
  else
    ordinary := array(
      select c from unnest(calls) c
      where c.item_position = any (array(
        select min(k.item_position) from unnest(calls) k
        where k.kind = 'credit' and earning.movement_key(k.provider, k.transaction_id, 'credit') = any (keys)
        group by k.provider, k.transaction_id)));
  end if;
  movements := array(
    select earning.movement_of(c, c.member_ref::integer, c.points) from unnest(ordinary) c);

  if cardinality(ordinary) = cardinality(calls) then
    verdicts := array_fill('credited'::text, array[cardinality(calls)]);
    members := array(select c.member_ref::integer from unnest(calls) c);
  else
    for booked in
      select o.item_position, 'credited' as verdict, o.member_ref::integer as member_id, null::ledger.item as movement
      from unnest(ordinary) o
      union all
      select * from earning.apply_other_calls(array(
        select c from unnest(calls) c
        where c.item_position <> all (array(select o.item_position from unnest(ordinary) o))))
    loop
      if booked.item_position is not null then
        verdicts[booked.item_position] := booked.verdict;
        members[booked.item_position] := booked.member_id;
      end if;
      if (booked.movement).key is not null then
        movements := movements || booked.movement;
      end if;
    end loop;
  end if;

  select string_agg(p.status, ', ') into refused from ledger.post(movements) p where p.status <> 'posted';
  if refused is not null then
    raise exception 'The ledger answered % to earnings that are new', refused;
  end if;

  if cardinality(ordinary) = cardinality(calls) then
    insert into earning.postbacks (at, provider, transaction_id, raw, address, verdict, detail)
    select at, c.provider, c.transaction_id, c.raw, c.address, 'credited', coalesce(c.detail, '') from unnest(calls) c;
  else
    perform earning.store_calls(calls, verdicts, at);
  end if;

  return query
  select c.item_position, coalesce(verdicts[c.item_position], c.verdict, 'duplicate'), w.member_id, w.balance
  from unnest(calls) c
    left join lateral (
      select member_id, balance from ledger.wallet_totals where member_id = members[c.item_position] limit 1) w on true;
end
$$;
grant execute on function earning.book(earning.call[]) to earnest_app;
