-- Reversals that refer to their credit by a link instead of its transaction.

-- Returns the transaction of the credit that a call with a link is about. The caller books the call with it in the same
-- database transaction. The member's wallet is locked, so that a credit and its reversal run one after the other.
-- For a credit it is the call's own transaction. The link is stored. The oldest reversal that waits for the link is
-- bound to this credit, so that booking the credit books both.
-- For a reversal it is, in this order: the result of an earlier call; a credit with the same transaction id; the newest
-- credit of its link that is not fully reversed. Otherwise the link itself, under which the reversal waits in
-- quarantine, because its credit may arrive later.
create or replace function earning.follow_link(
  kind text, provider text, transaction_id text, member_ref text, link text
) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  credit text;
begin
  perform ledger.lock_wallets(array[earning.member_of(follow_link.member_ref)]);
  if follow_link.kind = 'credit' then
    if not exists (
      select from earning.earnings e
      where e.provider = follow_link.provider and e.transaction_id = follow_link.transaction_id) then
      insert into earning.links (provider, link, transaction_id)
      values (follow_link.provider, follow_link.link, follow_link.transaction_id)
      on conflict do nothing;
      update earning.quarantine q set credit_transaction_id = follow_link.transaction_id
      where q.id = (
        select w.id from earning.quarantine w
        where w.provider = follow_link.provider and w.credit_transaction_id = follow_link.link
          and w.state = 'open' and w.kind = 'reversal' and w.member_ref = follow_link.member_ref
        order by w.id limit 1);
    end if;
    return follow_link.transaction_id;
  end if;

  select r.credit_transaction_id into credit from earning.reversals r
  where r.provider = follow_link.provider and r.transaction_id = follow_link.transaction_id;
  if found then
    return credit;
  end if;
  select q.credit_transaction_id into credit from earning.quarantine q
  where q.provider = follow_link.provider and q.transaction_id = follow_link.transaction_id and q.kind = 'reversal';
  if found then
    return credit;
  end if;
  select e.transaction_id into credit from earning.earnings e
  where e.provider = follow_link.provider and e.transaction_id = follow_link.transaction_id
    and e.member_id::text = follow_link.member_ref;
  if found then
    return credit;
  end if;
  select e.transaction_id into credit
  from earning.links l
  join earning.earnings e on e.provider = l.provider and e.transaction_id = l.transaction_id
  where l.provider = follow_link.provider and l.link = follow_link.link
    and e.member_id::text = follow_link.member_ref and e.left_points > 0
  order by e.created_at desc, e.transaction_id desc limit 1;
  return coalesce(credit, follow_link.link);
end
$$;
grant execute on function earning.follow_link(text, text, text, text, text) to earnest_app;
