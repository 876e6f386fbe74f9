-- Operators' resolutions of calls in quarantine.

drop function if exists earning.resolve_quarantined(bigint, text, integer, text, text, bigint);

-- Resolves a call. `book` books it as if it came now from the provider, for the member `member_ref` if that is given.
-- `dismiss` has no effect on any balance. Only the first resolution counts. `verdict` is that of a booked call; the
-- caller rolls back if it is `quarantined`. Null states mean that there is no such call. A credit that would be booked
-- at once may need two operators: `obstacle` is that of `earning.credit_obstacle`. A larger one is held when booked, as
-- is one with a `hold_reason`; two operators are asked for when it is approved.
create or replace function earning.resolve_quarantined(
  quarantine_id bigint, action text, operator_id integer, note text, member_ref text, second_person_points bigint,
  hold_reason text default null,
  out former_state text, out is_resolved_now boolean, out verdict text, out member_id integer, out balance bigint,
  out obstacle text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  kept record;
  given earning.call;
  booked record;
  movements ledger.item[] := '{}';
  refused text;
begin
  is_resolved_now := false;
  select q.* into kept from earning.quarantine q where q.id = resolve_quarantined.quarantine_id;
  if not found then
    return;
  end if;
  given := row(1, kept.kind, kept.provider, kept.transaction_id, kept.credit_transaction_id,
    coalesce(resolve_quarantined.member_ref, kept.member_ref), kept.points, kept.payout_micro_usd, kept.subject,
    kept.is_screen_out, resolve_quarantined.hold_reason, '', '', null, '')::earning.call;
  perform ledger.lock_wallets(array[earning.member_of(given.member_ref)]);
  select q.state into former_state from earning.quarantine q
  where q.id = resolve_quarantined.quarantine_id for no key update;
  if resolve_quarantined.action = 'book' and kept.kind = 'credit' and kept.points < earning.hold_points()
    and resolve_quarantined.hold_reason is null and former_state in ('open', 'held') then
    perform from earning.approval_totals for no key update;
    obstacle := earning.credit_obstacle('quarantine', kept.id, given.member_ref, kept.provider, kept.points,
      resolve_quarantined.operator_id, resolve_quarantined.second_person_points);
    if obstacle = 'first_approval' then
      perform earning.add_first_approval('quarantine', kept.id, given.member_ref, resolve_quarantined.operator_id);
    end if;
    if obstacle is not null then
      member_id := earning.member_of(given.member_ref);
      return;
    end if;
    perform earning.forget_lapsed_approval('quarantine', kept.id, given.member_ref);
  end if;
  update earning.quarantine q
  set state = case resolve_quarantined.action when 'book' then 'booked' else 'dismissed' end,
    resolved_at = platform.business_now(), resolved_by = resolve_quarantined.operator_id,
    note = resolve_quarantined.note
  where q.id = resolve_quarantined.quarantine_id and q.state in ('open', 'held');
  is_resolved_now := found;
  if not is_resolved_now or resolve_quarantined.action <> 'book' then
    return;
  end if;
  for booked in select * from earning.apply_other_calls(array[given]) loop
    if booked.item_position = 1 then
      verdict := booked.verdict;
      member_id := booked.member_id;
    end if;
    if (booked.movement).key is not null then
      movements := movements || booked.movement;
    end if;
  end loop;
  select string_agg(p.status, ', ') into refused from ledger.post(movements) p where p.status <> 'posted';
  if refused is not null then
    raise exception 'The ledger answered % to a call that an operator booked', refused;
  end if;
  if cardinality(movements) > 0 then
    select w.balance into balance from ledger.wallet_totals w where w.member_id = movements[1].member_id;
  end if;
end
$$;
grant execute on function earning.resolve_quarantined(bigint, text, integer, text, text, bigint, text) to earnest_app;
