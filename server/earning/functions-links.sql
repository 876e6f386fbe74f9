-- Reversals that name their credit by a link and not by its transaction.

-- Finds the credit that a call with a link is about, and answers its transaction, for the call to be booked by in the
-- same transaction. A credit is its own; its link is kept, and the oldest reversal that waits for that link waits for
-- this credit from here on, so that booking the credit books both. A reversal has what was found for it before, else
-- a credit of its own transaction, else the newest one of its link of which something is left. Where there is none it
-- waits in quarantine by its link: its credit may be yet to come. The member's wallet is locked, so that a credit and
-- its reversal come one after the other.
create or replace function earning.follow_link(
  kind text, provider text, transaction_id text, member_ref text, link text
) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  credit text;
begin
  if follow_link.member_ref ~ '^[1-9][0-9]{8}$' then
    perform ledger.lock_wallets(array[follow_link.member_ref::integer]);
  end if;
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
