-- Booking what providers say. One statement per call or per batch of calls: keep the raw call, judge it against
-- what is known, book it through the ledger. The order of locks is always: wallets in the order of members,
-- earnings and reversals in the order of transactions, the movements, the totals.

-- From this many points on a provider's credit waits for an operator.
create or replace function earning.hold_points() returns bigint
  language sql immutable parallel safe
  return 10000;

-- Whether a provider's credits of this member wait for an operator: their earnings are suspended.
create or replace function earning.is_under_review(member_id integer) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from members.suspensions s
    where s.member_id = is_under_review.member_id and s.lifted_at is null
      and s.suspension_type in ('earnings_blocked', 'full_suspension')
      and (s.expires_at is null or s.expires_at > platform.business_now()))
$$;

-- Books one credit: the path of a single call. Where anything is out of the ordinary (seen before, to be held,
-- a reversal that came first, nobody we know) it hands over to earning.book, which knows every case.
create or replace function earning.book_credit(
  provider text, transaction_id text, member_ref text, points bigint, payout_micro_usd bigint, description text,
  movement_description text, is_screen_out boolean, hold_reason text, raw text, address text,
  out verdict text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  known record;
  posting record;
  at timestamptz;
begin
  if book_credit.points < 10000 and book_credit.hold_reason is null
     and book_credit.member_ref ~ '^[1-9][0-9]{8}$' then
    member_id := book_credit.member_ref::integer;
    select w.is_closed into known from ledger.wallets w
    where w.member_id = book_credit.member_id for no key update;
    if known.is_closed = false and not earning.is_under_review(book_credit.member_id)
       and not exists (
         select from earning.quarantine q
         where q.provider = book_credit.provider and q.credit_transaction_id = book_credit.transaction_id
           and q.state = 'open' and q.kind = 'reversal') then
      at := platform.business_now();
      insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
        description, is_screen_out, state, created_at)
      values (book_credit.provider, book_credit.transaction_id, book_credit.member_id, book_credit.points,
        book_credit.points, book_credit.payout_micro_usd, book_credit.movement_description,
        book_credit.is_screen_out, 'credited', at)
      on conflict do nothing;
      if found then
        select * into posting from ledger.post_one(book_credit.member_id,
          book_credit.provider || ':' || book_credit.transaction_id || ':credit', 'earning', book_credit.points,
          'provider:' || book_credit.provider, book_credit.movement_description, book_credit.provider,
          book_credit.transaction_id, not book_credit.is_screen_out);
        if posting.status <> 'posted' then
          raise exception 'A new earning % of % was answered % by the ledger', book_credit.transaction_id,
            book_credit.provider, posting.status;
        end if;
        insert into earning.postbacks (at, provider, transaction_id, raw, address, verdict)
        values (at, book_credit.provider, book_credit.transaction_id, book_credit.raw, book_credit.address,
          'credited');
        verdict := 'credited';
        balance := posting.balance;
        return;
      end if;
    end if;
  end if;
  select b.verdict, b.member_id, b.balance into verdict, member_id, balance
  from earning.book(json_build_array(json_build_object('item_position', 1,
    'kind', 'credit', 'provider', book_credit.provider, 'transaction_id', book_credit.transaction_id,
    'credit_transaction_id', book_credit.transaction_id, 'member_ref', book_credit.member_ref,
    'points', book_credit.points, 'payout_micro_usd', book_credit.payout_micro_usd,
    'description', book_credit.description, 'movement_description', book_credit.movement_description,
    'is_screen_out', book_credit.is_screen_out, 'hold_reason', book_credit.hold_reason,
    'raw', book_credit.raw, 'address', book_credit.address))) b;
end
$$;
grant execute on function earning.book_credit(
  text, text, text, bigint, bigint, text, text, boolean, text, text, text) to earnest_app;

-- Takes back one reversal from what is left of its credit: the smaller of what it names and what is left. Of an
-- earning that is still held it rejects that. One whose credit is not there (yet), or is another member's,
-- waits in quarantine.
create or replace function earning.take_back(
  reversal earning.call, out verdict text, out member_id integer, out taken bigint
)
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  credit record;
  at timestamptz := platform.business_now();
begin
  taken := 0;
  select e.member_id, e.state, e.left_points, e.points into credit from earning.earnings e
  where e.provider = reversal.provider and e.transaction_id = reversal.credit_transaction_id for no key update;
  if not found or credit.member_id::text <> reversal.member_ref then
    insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
      payout_micro_usd, description, is_screen_out, reason)
    values (at, reversal.provider, 'reversal', reversal.transaction_id, reversal.credit_transaction_id,
      reversal.member_ref, reversal.points, reversal.payout_micro_usd, reversal.movement_description, false,
      case when credit.member_id is null then 'unknown credit' else 'credit of another member' end)
    on conflict do nothing;
    verdict := 'quarantined';
    return;
  end if;
  member_id := credit.member_id;
  if credit.state = 'credited' then
    taken := least(coalesce(reversal.points, credit.left_points), credit.left_points);
  end if;
  insert into earning.reversals (provider, transaction_id, credit_transaction_id, member_id, taken_points, reason,
    created_at)
  values (reversal.provider, reversal.transaction_id, reversal.credit_transaction_id, credit.member_id, taken,
    coalesce(reversal.description, ''), at)
  on conflict do nothing;
  if not found then
    verdict := 'duplicate';
    taken := 0;
    return;
  end if;
  if credit.state = 'held' then
    update earning.earnings e
    set state = 'rejected', left_points = 0, decided_at = at, review_note = 'Taken back by the provider'
    where e.provider = reversal.provider and e.transaction_id = reversal.credit_transaction_id;
    update earning.approval_totals t set pending_count = t.pending_count - 1,
      pending_points = t.pending_points - credit.points, rejected_count = t.rejected_count + 1;
    verdict := 'hold-rejected';
  elsif taken > 0 then
    update earning.earnings e set left_points = e.left_points - taken
    where e.provider = reversal.provider and e.transaction_id = reversal.credit_transaction_id;
    verdict := 'reversed';
  else
    verdict := 'nothing-left';
  end if;
end
$$;

-- The reversals that came before their credits and can be booked now. They leave the quarantine.
create or replace function earning.release_waiting(provider text, transaction_id text) returns setof earning.call
  language sql set search_path = pg_catalog, pg_temp
as $$
  update earning.quarantine q set state = 'booked', resolved_at = platform.business_now(), note = 'Its credit came'
  from earning.earnings e
  where q.provider = release_waiting.provider and q.credit_transaction_id = release_waiting.transaction_id
    and q.state = 'open' and q.kind = 'reversal'
    and e.provider = q.provider and e.transaction_id = q.credit_transaction_id and e.member_id::text = q.member_ref
  returning null::integer, 'reversal', q.provider, q.transaction_id, q.credit_transaction_id, q.member_ref, q.points,
    q.payout_micro_usd, '', q.description, false, null::text, '', '', null::text, ''
$$;

create or replace function earning.movement_of(call earning.call, member_id integer, points bigint)
  returns ledger.item
  language sql immutable
as $$
  select row(member_id, call.provider || ':' || call.transaction_id || ':' || call.kind,
    case call.kind when 'credit' then 'earning' else 'reversal' end, points, 'provider:' || call.provider,
    call.movement_description, call.provider, call.transaction_id,
    call.kind = 'credit' and not call.is_screen_out, null)::ledger.item
$$;

-- Adds the earnings of a batch that are new, and says of each credit what became of it.
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
    select f.*, w.member_id as known_member, w.is_closed,
      case when f.points >= earning.hold_points() then 'amount'
           when f.hold_reason is not null then f.hold_reason
           when earning.is_under_review(w.member_id) then 'review' end as held_for
    from first f
    left join ledger.wallets w
      on w.member_id = case when f.member_ref ~ '^[1-9][0-9]{8}$' then f.member_ref::integer end
  ), made as (
    insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
      description, is_screen_out, state, created_at, held_id, hold_reason)
    select j.provider, j.transaction_id, j.known_member, j.points, j.points, j.payout_micro_usd, j.movement_description,
      j.is_screen_out, case when j.held_for is null then 'credited' else 'held' end, at,
      case when j.held_for is not null then nextval('earning.held_ids') end, j.held_for
    from judged j where not j.is_closed
    order by j.provider, j.transaction_id
    on conflict do nothing
    returning earnings.provider, earnings.transaction_id, earnings.state
  ), kept as (
    insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
      payout_micro_usd, description, is_screen_out, reason)
    select at, j.provider, 'credit', j.transaction_id, j.transaction_id, j.member_ref, j.points, j.payout_micro_usd,
      j.movement_description, j.is_screen_out,
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
      j.payout_micro_usd, j.description, j.movement_description, j.is_screen_out, j.hold_reason, j.raw, j.address,
      j.verdict, j.detail)::earning.call
  from judged j
  left join made m on m.provider = j.provider and m.transaction_id = j.transaction_id
  left join earning.earnings e
    on m.state is null and e.provider = j.provider and e.transaction_id = j.transaction_id;
end
$$;

-- Books a batch of calls: keeps each raw call with its verdict, and answers for each, by its position, the
-- verdict, the member whose balance changed and the balance.
create or replace function earning.book(items json) returns table (
  item_position integer, verdict text, member_id integer, balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  calls earning.call[];
  one earning.call;
  added record;
  taken record;
  verdicts text[];
  members integer[];
  movements ledger.item[] := '{}';
  reversals earning.call[] := '{}';
  held_count bigint := 0;
  held_points bigint := 0;
  refused text;
begin
  calls := array(select c from json_populate_recordset(null::earning.call, items) c order by c.item_position);

  -- A reversal's credit names whose wallet it takes from; the message's own member is locked too, because its
  -- credit may be on its way.
  perform ledger.lock_wallets(array(
    select c.member_ref::integer from unnest(calls) c
    where c.kind in ('credit', 'reversal') and c.member_ref ~ '^[1-9][0-9]{8}$'
    union
    select e.member_id from unnest(calls) c
    join earning.earnings e on e.provider = c.provider and e.transaction_id = c.credit_transaction_id
    where c.kind = 'reversal'));

  for added in select * from earning.add_earnings(calls) loop
    verdicts[added.item_position] := added.verdict;
    if added.verdict in ('credited', 'held') then
      one := added.call;
      members[added.item_position] := added.member_id;
      if added.verdict = 'credited' then
        movements := movements || earning.movement_of(one, added.member_id, one.points);
      else
        held_count := held_count + 1;
        held_points := held_points + one.points;
      end if;
      reversals := reversals
        || array(select r from earning.release_waiting(one.provider, one.transaction_id) r);
    end if;
  end loop;
  if held_count > 0 then
    update earning.approval_totals t
    set pending_count = t.pending_count + held_count, pending_points = t.pending_points + held_points;
  end if;

  foreach one in array reversals || array(
    select c from unnest(calls) c where c.kind = 'reversal' order by c.provider, c.transaction_id, c.item_position)
  loop
    select * into taken from earning.take_back(one);
    if taken.taken > 0 then
      movements := movements || earning.movement_of(one, taken.member_id, -taken.taken);
    end if;
    if one.item_position is not null then
      verdicts[one.item_position] := taken.verdict;
      members[one.item_position] := taken.member_id;
    end if;
  end loop;

  select string_agg(p.status, ', ') into refused from ledger.post(movements) p where p.status <> 'posted';
  if refused is not null then
    raise exception 'The ledger answered % to earnings that are new', refused;
  end if;

  insert into earning.postbacks (at, provider, transaction_id, raw, address, verdict, detail)
  select platform.business_now(), c.provider, c.transaction_id, c.raw, c.address,
    coalesce(verdicts[c.item_position], c.verdict, 'duplicate'), coalesce(c.detail, '')
  from unnest(calls) c;

  return query
  select c.item_position, coalesce(verdicts[c.item_position], c.verdict, 'duplicate'), w.member_id, w.balance
  from unnest(calls) c left join ledger.wallets w on w.member_id = members[c.item_position];
end
$$;
grant execute on function earning.book(json) to earnest_app;

-- Decides about a held earning, once, whoever comes first. Answers the state it is in, and null where there is
-- none.
create or replace function earning.decide(
  held_id bigint, decision text, operator_id integer, note text,
  out state text, out is_decided_now boolean, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  found_earning record;
  posting record;
begin
  is_decided_now := false;
  select e.* into found_earning from earning.earnings e where e.held_id = decide.held_id;
  if not found then
    return;
  end if;
  member_id := found_earning.member_id;
  perform ledger.lock_wallets(array[found_earning.member_id]);
  update earning.earnings e
  set state = case decide.decision when 'approve' then 'credited' else 'rejected' end,
    left_points = case decide.decision when 'approve' then e.points else 0 end,
    decided_at = platform.business_now(), decided_by = decide.operator_id, review_note = decide.note
  where e.held_id = decide.held_id and e.state = 'held';
  is_decided_now := found;
  if not found then
    select e.state into state from earning.earnings e where e.held_id = decide.held_id;
    return;
  end if;
  if decide.decision = 'approve' then
    select * into posting from ledger.post_one(found_earning.member_id,
      found_earning.provider || ':' || found_earning.transaction_id || ':credit', 'earning', found_earning.points,
      'provider:' || found_earning.provider, found_earning.description, found_earning.provider,
      found_earning.transaction_id, not found_earning.is_screen_out);
    if posting.status <> 'posted' then
      raise exception 'An approved earning was answered % by the ledger', posting.status;
    end if;
    balance := posting.balance;
  end if;
  update earning.approval_totals t
  set pending_count = t.pending_count - 1, pending_points = t.pending_points - found_earning.points,
    approved_count = t.approved_count + case decide.decision when 'approve' then 1 else 0 end,
    rejected_count = t.rejected_count + case decide.decision when 'approve' then 0 else 1 end;
  state := case decide.decision when 'approve' then 'credited' else 'rejected' end;
end
$$;
grant execute on function earning.decide(bigint, text, integer, text) to earnest_app;
