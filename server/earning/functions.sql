-- Booking of providers' calls. One statement, for one call or a batch, records the raw calls, decides about each and
-- books them through the ledger. Locks are taken in this order: wallets in the order of members, earnings and reversals
-- in the order of transactions, the movements, the totals, members' notices.
--
-- Open to others: was_reversed_since, reversals_since, openings_of, opened_from, told_of, given_holds.

-- The member id of a call's member reference. Null if the reference is not a member id.
create or replace function earning.member_of(member_ref text) returns integer
  language sql immutable parallel safe
  return case when member_ref ~ '^[1-9][0-9]{8}$' then member_ref::integer end;

-- The key of the movement for a provider's transaction. `kind` is credit or reversal.
create or replace function earning.movement_key(provider text, transaction_id text, kind text) returns text
  language sql immutable parallel safe
  return provider || ':' || transaction_id || ':' || kind;
grant execute on function earning.movement_key(text, text, text) to earnest_app;

-- The house account that pays a provider's credits.
create or replace function earning.account_of(provider text) returns text
  language sql immutable parallel safe
  return 'provider:' || provider;

-- The movement of a credit or a reversal; points of a reversal are negative. Plain SQL functions, so that the planner
-- inlines them.
create or replace function earning.movement(
  kind text, provider text, transaction_id text, member_id integer, points bigint, subject text, is_screen_out boolean
) returns ledger.item
  language sql immutable
as $$
  select row(member_id, earning.movement_key(provider, transaction_id, kind),
    case kind when 'credit' then 'earning' else 'reversal' end, points, earning.account_of(provider), subject, provider,
    transaction_id, kind = 'credit' and not is_screen_out, null)::ledger.item
$$;
create or replace function earning.movement_of(call earning.call, member_id integer, points bigint)
  returns ledger.item
  language sql immutable
as $$
  select earning.movement(call.kind, call.provider, call.transaction_id, member_id, points, call.subject,
    call.is_screen_out)
$$;

-- The class of a reversal's reason: the first class with a word in the text.
create or replace function earning.reason_class_of(reason text) returns text
  language sql immutable parallel safe
  return case when reason ~* 'vpn|proxy' then 'vpn'
              when reason ~* 'fraud' then 'fraud'
              when reason ~* 'invalid' then 'invalid'
              when reason ~* 'duplicate' then 'duplicate'
              else 'policy' end;

-- The smallest credit, in points, that is held because of its amount.
create or replace function earning.hold_points() returns bigint
  language sql immutable parallel safe
  return 10000;

-- The reason why a credit waits for an operator: its amount, the application's reason for this call, or blocked
-- earnings of the member. Null if it does not wait.
create or replace function earning.hold_reason_of(points bigint, call_reason text, are_earnings_blocked boolean)
  returns text
  language sql immutable parallel safe
  return case when points >= earning.hold_points() then 'amount'
              when call_reason is not null then call_reason
              when are_earnings_blocked then 'review' end;

-- The reason why a credit is held, and whether it is ordinary. An ordinary credit is not held, and no reversal waits
-- for it. What has no other reason waits while an open detection of high confidence names its member. A plain SQL
-- function, so that the planner inlines it.
create or replace function earning.judge_credit(
  provider text, transaction_id text, points bigint, call_reason text, member_id integer
) returns table (hold_reason text, is_ordinary boolean)
  language sql stable
as $$
  select h.hold_reason, h.hold_reason is null and not exists (
    select from earning.quarantine q
    where q.provider = judge_credit.provider and q.credit_transaction_id = judge_credit.transaction_id
      and q.state = 'open' and q.kind = 'reversal')
  from members.restrictions(judge_credit.member_id) r
    cross join risk.review_of(judge_credit.member_id) u
    cross join lateral (
      select coalesce(
        earning.hold_reason_of(judge_credit.points, judge_credit.call_reason, r.are_earnings_blocked),
        case when u.is_under_review then 'detection' end) as hold_reason) h
$$;

-- Books one credit: the path of a single call. If the credit is not ordinary, not new, or its member has no open
-- wallet, earning.book books it, which covers every case.
create or replace function earning.book_credit(
  provider text, transaction_id text, member_ref text, points bigint, payout_micro_usd bigint, subject text,
  is_screen_out boolean, hold_reason text, raw text, address text,
  out verdict text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  wallet_closed boolean;
  at timestamptz;
  movement ledger.item;
  posting record;
begin
  member_id := earning.member_of(book_credit.member_ref);
  if member_id is not null then
    wallet_closed := ledger.lock_wallet(book_credit.member_id);
    if wallet_closed = false then
      -- A new statement, because it must see rows that were written during the wait for the lock.
      insert into earning.earnings as e (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
        subject, is_screen_out, state, created_at)
      select book_credit.provider, book_credit.transaction_id, book_credit.member_id, book_credit.points,
        book_credit.points, book_credit.payout_micro_usd, book_credit.subject,
        book_credit.is_screen_out, 'credited', platform.business_time(c.offset_seconds)
      from platform.site_clock c
        cross join earning.judge_credit(book_credit.provider, book_credit.transaction_id, book_credit.points,
          book_credit.hold_reason, book_credit.member_id) j
      where j.is_ordinary
      on conflict do nothing
      returning e.created_at into at;
      if found then
        movement := earning.movement('credit', book_credit.provider, book_credit.transaction_id,
          book_credit.member_id, book_credit.points, book_credit.subject, book_credit.is_screen_out);
        posting := ledger.post_one(movement.member_id, movement.key, movement.kind, movement.amount, movement.account,
          movement.subject, movement.provider, movement.transaction_id, movement.is_task);
        if posting.status <> 'posted' then
          raise exception 'The ledger answered the new earning % of % with %', book_credit.transaction_id,
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
  from earning.book(array[row(1, 'credit', book_credit.provider, book_credit.transaction_id,
    book_credit.transaction_id, book_credit.member_ref, book_credit.points, book_credit.payout_micro_usd,
    book_credit.subject, book_credit.is_screen_out, book_credit.hold_reason,
    book_credit.raw, book_credit.address, null, '')::earning.call]) b;
end
$$;
grant execute on function earning.book_credit(
  text, text, text, bigint, bigint, text, boolean, text, text, text) to earnest_app;

-- Adds the member's notice about a credit. `more` are the facts of the kind besides those of every credit.
create or replace function earning.add_notice(
  member_id integer, kind text, provider text, points bigint, subject text, more jsonb
) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  select notices.add(add_notice.member_id, add_notice.kind, jsonb_build_object('provider', add_notice.provider,
    'amount', add_notice.points::text, 'subject', add_notice.subject) || add_notice.more)
$$;

-- Counts the points that a reversal takes from a member, and adds the member's notice.
create or replace function earning.add_reversed(member_id integer, provider text, points bigint, reason text)
  returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  insert into earning.member_reversals as r (member_id, reversal_count, taken_points)
  values (add_reversed.member_id, 1, add_reversed.points)
  on conflict on constraint member_reversals_pkey do update
  set reversal_count = r.reversal_count + 1, taken_points = r.taken_points + excluded.taken_points;
  select notices.add(add_reversed.member_id, 'chargeback', jsonb_build_object('provider', add_reversed.provider,
    'amount', (-add_reversed.points)::text, 'reason', add_reversed.reason))
$$;

-- Keeps a reversal that did not come from the provider's addresses for an operator. Returns its verdict.
create or replace function earning.hold_reversal(reversal earning.call, at timestamptz) returns text
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
begin
  insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
    payout_micro_usd, subject, is_screen_out, reason, is_unlisted, state)
  select at, reversal.provider, 'reversal', reversal.transaction_id, reversal.credit_transaction_id,
    reversal.member_ref, reversal.points, reversal.payout_micro_usd, reversal.subject, false, 'unlisted address', true,
    'held'
  where not exists (
    select from earning.reversals r
    where r.provider = reversal.provider and r.transaction_id = reversal.transaction_id)
  on conflict do nothing;
  return case when found then 'held' else 'duplicate' end;
end
$$;

-- Applies one reversal: takes its amount, but at most the rest of its credit. If the earning is still held, the
-- reversal rejects it. A reversal goes into quarantine if its credit is unknown or belongs to another member, or if the
-- application has a reason to hold it. The provider's own repetition replaces one that was held or dismissed.
create or replace function earning.apply_reversal(
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
  if reversal.hold_reason is not null then
    verdict := earning.hold_reversal(reversal, at);
    return;
  end if;
  select e.member_id, e.state, e.left_points, e.points, e.subject into credit from earning.earnings e
  where e.provider = reversal.provider and e.transaction_id = reversal.credit_transaction_id for no key update;
  if not found or credit.member_id::text <> reversal.member_ref then
    insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, points,
      payout_micro_usd, subject, is_screen_out, reason)
    values (at, reversal.provider, 'reversal', reversal.transaction_id, reversal.credit_transaction_id,
      reversal.member_ref, reversal.points, reversal.payout_micro_usd, reversal.subject, false,
      case when credit.member_id is null then 'unknown credit' else 'credit of another member' end)
    on conflict (provider, transaction_id, kind) do update
    set at = excluded.at, credit_transaction_id = excluded.credit_transaction_id, member_ref = excluded.member_ref,
      points = excluded.points, subject = excluded.subject, reason = excluded.reason, is_unlisted = false,
      state = 'open', resolved_at = null, resolved_by = null, note = null
    where quarantine.is_unlisted and quarantine.state <> 'booked';
    verdict := 'quarantined';
    return;
  end if;
  member_id := credit.member_id;
  if credit.state = 'credited' then
    taken := least(coalesce(reversal.points, credit.left_points), credit.left_points);
  end if;
  insert into earning.reversals (provider, transaction_id, credit_transaction_id, member_id, taken_points, reason,
    reason_class, created_at)
  values (reversal.provider, reversal.transaction_id, reversal.credit_transaction_id, credit.member_id, taken,
    reversal.subject, earning.reason_class_of(reversal.subject), at)
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
    perform earning.add_notice(credit.member_id, 'rejected', reversal.provider, credit.points, credit.subject,
      jsonb_build_object('about', 'earning', 'reason', reversal.subject));
    verdict := 'hold-rejected';
  elsif taken > 0 then
    update earning.earnings e set left_points = e.left_points - taken
    where e.provider = reversal.provider and e.transaction_id = reversal.credit_transaction_id;
    perform earning.add_reversed(credit.member_id, reversal.provider, taken, reversal.subject);
    verdict := 'reversed';
  else
    verdict := 'nothing-left';
  end if;
end
$$;

-- Releases the reversals that arrived before this credit from quarantine, and returns them for booking.
create or replace function earning.release_waiting(provider text, transaction_id text) returns setof earning.call
  language sql set search_path = pg_catalog, pg_temp
as $$
  update earning.quarantine q set state = 'booked', resolved_at = platform.business_now(), note = 'Its credit came'
  from earning.earnings e
  where q.provider = release_waiting.provider and q.credit_transaction_id = release_waiting.transaction_id
    and q.state = 'open' and q.kind = 'reversal'
    and e.provider = q.provider and e.transaction_id = q.credit_transaction_id and e.member_id::text = q.member_ref
  returning null::integer, 'reversal', q.provider, q.transaction_id, q.credit_transaction_id, q.member_ref, q.points,
    q.payout_micro_usd, q.subject, false, null::text, '', '', null::text, ''
$$;

-- Decides about a held earning. Only the first decision has an effect. Returns the earning's state, or null if there is
-- no such earning. `held` without a decision now means that the member's account is deleted, so no wallet can take the
-- points, or that two operators must approve it: `obstacle` is that of `earning.credit_obstacle`.
create or replace function earning.decide(
  held_id bigint, decision text, operator_id integer, note text, second_person_points bigint,
  out state text, out is_decided_now boolean, out member_id integer, out balance bigint, out obstacle text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  found_earning record;
  wallet_closed boolean;
  posting record;
begin
  is_decided_now := false;
  select e.* into found_earning from earning.earnings e where e.held_id = decide.held_id;
  if not found then
    return;
  end if;
  member_id := found_earning.member_id;
  select w.is_closed into wallet_closed from ledger.lock_wallets(array[found_earning.member_id]) w;
  if decide.decision = 'approve' and wallet_closed is distinct from false then
    select e.state into state from earning.earnings e where e.held_id = decide.held_id;
    return;
  end if;
  select e.state, e.decided_by into state, found_earning.decided_by
  from earning.earnings e where e.held_id = decide.held_id for no key update;
  -- An appeal overturned the rejection of this operator.
  if decide.decision = 'reject' and state = 'held' and members.is_own(operator_id, found_earning.decided_by) then
    obstacle := 'own_rejection';
    return;
  end if;
  if decide.decision = 'approve' and state = 'held' then
    perform from earning.approval_totals for no key update;
    obstacle := earning.credit_obstacle('held', decide.held_id, member_id::text, found_earning.provider,
      found_earning.points, decide.operator_id, decide.second_person_points);
    if obstacle = 'first_approval' then
      perform earning.add_first_approval('held', decide.held_id, member_id::text, decide.operator_id);
    end if;
    if obstacle is not null then
      return;
    end if;
    perform earning.forget_lapsed_approval('held', decide.held_id, member_id::text);
  end if;
  update earning.earnings e
  set state = case decide.decision when 'approve' then 'credited' else 'rejected' end,
    left_points = case decide.decision when 'approve' then e.points else 0 end,
    decided_at = platform.business_now(), decided_by = decide.operator_id, review_note = decide.note
  where e.held_id = decide.held_id and e.state = 'held';
  is_decided_now := found;
  if not found then
    return;
  end if;
  if decide.decision = 'approve' then
    select * into posting from ledger.post(array[
      earning.movement('credit', found_earning.provider, found_earning.transaction_id, found_earning.member_id,
        found_earning.points, found_earning.subject, found_earning.is_screen_out)]);
    if posting.status <> 'posted' then
      raise exception 'The ledger answered an approved earning with %', posting.status;
    end if;
    balance := posting.balance;
  end if;
  update earning.approval_totals t
  set pending_count = t.pending_count - 1, pending_points = t.pending_points - found_earning.points,
    approved_count = t.approved_count + case decide.decision when 'approve' then 1 else 0 end,
    rejected_count = t.rejected_count + case decide.decision when 'approve' then 0 else 1 end;
  state := case decide.decision when 'approve' then 'credited' else 'rejected' end;
  perform earning.add_notice(member_id, case state when 'credited' then 'approved' else 'rejected' end,
    found_earning.provider, found_earning.points, found_earning.subject,
    case state when 'credited' then '{}' else jsonb_build_object('about', 'earning', 'reason', decide.note) end);
end
$$;
grant execute on function earning.decide(bigint, text, integer, text, bigint) to earnest_app;

-- Deletes the oldest raw calls, received more than `days` days ago, but none of the last 30 days. Returns how many, at
-- most `rows_max`. It looks only at the rows with the lowest ids, which are the oldest.
create or replace function earning.remove_old_postbacks(days integer, rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  with old as (
    delete from earning.postbacks p
    where p.id in (select o.id from earning.postbacks o order by o.id limit remove_old_postbacks.rows_max)
      and p.at < platform.business_now() - make_interval(days => greatest(remove_old_postbacks.days, 30))
    returning p.id
  ), sought as (
    delete from earning.other_calls c using old where c.postback_id = old.id
  ), replayed as (
    delete from earning.replays r using old where r.postback_id = old.id
  )
  select count(*) into removed from old;
  return removed;
end
$$;
grant execute on function earning.remove_old_postbacks(integer, integer) to earnest_app;
