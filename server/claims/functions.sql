-- Claims. Locks are taken in this order: the member's wallet, the claim, and those of the grant.
--
-- Open to others: none.

-- What came at the wall of a claim since its opening: the provider's credits, also held and rejected ones and those
-- that belong to a later opening, and the other claims that were booked since. Each is counted up to 500.
create or replace function claims.counts_since(claim_id bigint, out credits integer, out booked_claims integer)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select
    (select least(500, count(*)) from earning.told_of(c.member_id, c.opened_at) t
      where t.provider = c.provider)::integer,
    (select count(*) from (
      select from claims.claims o
      where o.member_id = c.member_id and o.provider = c.provider and o.id <> c.id and o.state = 'booked'
        and o.decided_at >= c.opened_at
      order by o.id desc limit 500) b)::integer
  from claims.claims c where c.id = counts_since.claim_id
$$;
grant execute on function claims.counts_since(bigint) to earnest_app;

drop function if exists claims.book(bigint, bigint, text, integer, bigint);
-- Books a claim as a grant in this transaction, once. Returns the first of: not_found, decided, own_request (it is of
-- an account of this operator), closed (the member left), credited (the provider's call came meanwhile, or its credit
-- waits for an operator or was rejected, or another claim about the opening, which is gone, was booked), unseen (what
-- came since the opening is not the `seen_count` credits and booked claims that the operator saw), second_needed (this
-- operator gave the first approval), first_approval (recorded now), booked.
-- A first approval counts for the same points, while who gave it is an operator. `state` is that of the claim before.
create or replace function claims.book(
  claim_id bigint, amount_points bigint, reason text, operator_id integer, second_person_points bigint,
  seen_count integer,
  out status text, out state text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  claim record;
  wallet_closed boolean;
  given record;
  is_second boolean;
begin
  select c.member_id into member_id from claims.claims c where c.id = book.claim_id;
  if not found then
    status := 'not_found';
    return;
  end if;
  -- A credit of the provider is booked under the same lock, so that it is seen below or comes after this decision.
  select w.is_closed into wallet_closed from ledger.lock_wallets(array[book.member_id]) w;
  select c.* into claim from claims.claims c where c.id = book.claim_id for no key update;
  state := claim.state;
  is_second := claim.first_by is not null and claim.first_points = book.amount_points
    and members.is_operator_since(claim.first_by, claim.first_at);
  if claim.state not in ('filed', 'asked') then
    status := 'decided';
  elsif members.is_own(book.operator_id, claim.member_id) then
    status := 'own_request';
  elsif wallet_closed is distinct from false then
    status := 'closed';
  elsif exists (
    select from earning.openings_of(claim.member_id, claim.opening_id, claim.opened_at) o
    where o.state <> 'opened') then
    status := 'credited';
  elsif (select s.credits + s.booked_claims from claims.counts_since(claim.id) s) <> book.seen_count then
    status := 'unseen';
  elsif is_second and members.is_own(book.operator_id, claim.first_by) then
    status := 'second_needed';
  end if;
  if status is not null then
    return;
  end if;
  select * into given from grants.give_decided('claim-opening:' || claim.opening_id, claim.member_id,
    book.amount_points, book.reason,
    case when is_second then claim.first_by else book.operator_id end, case when is_second then book.operator_id end,
    book.second_person_points);
  if given.status = 'exists' then
    status := 'credited';
    return;
  end if;
  if given.status = 'second_needed' then
    update claims.claims c
    set first_by = book.operator_id, first_at = platform.business_now(), first_points = book.amount_points
    where c.id = claim.id;
    status := 'first_approval';
    return;
  end if;
  update claims.claims c
  set state = 'booked', decided_at = platform.business_now(), decided_by = book.operator_id,
    amount_points = book.amount_points, grant_id = given.id
  where c.id = claim.id;
  status := 'booked';
  balance := given.balance;
end
$$;
grant execute on function claims.book(bigint, bigint, text, integer, bigint, integer) to earnest_app;

-- Deletes the oldest claims, filed more than three years ago; a booked one three years after it was booked, so that the
-- audit finds it beside its grant. Returns how many, at most `rows_max`.
create or replace function claims.remove_old(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  delete from claims.claims c
  where c.id in (select o.id from claims.claims o order by o.id limit remove_old.rows_max)
    and (case when c.state = 'booked' then greatest(c.filed_at, c.decided_at) else c.filed_at end)
      < platform.business_now() - interval '3 years';
  get diagnostics removed = row_count;
  return removed;
end
$$;
grant execute on function claims.remove_old(integer) to earnest_app;
