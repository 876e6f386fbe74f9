-- Reversals that name their credit by a link instead of its transaction.

-- Finds the credit of a call that has a link, and returns its transaction. The caller books the call by it in the same
-- transaction.
-- A credit is its own. Its link is kept, and the oldest reversal that waits for the link waits for this credit from now
-- on, so booking the credit books both.
-- A reversal gets, in this order: what was found for it before; a credit with its own transaction id; the newest credit
-- of its link of which something is left. Otherwise it waits in quarantine by its link, because its credit may still
-- come. The member's wallet is locked, so that a credit and its reversal run one after the other.
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
