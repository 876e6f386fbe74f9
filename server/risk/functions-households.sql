-- Households: which of its members a provider credited for an offer.

-- Records that a provider credits a member for an offer, and returns whether somebody else of the household had it
-- before. False for who has no household. The caller books the credit in the same transaction: of two members at once
-- the second waits here for the first.
create or replace function risk.claim_offer(member_id integer, provider text, offer_id text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into risk.household_offers as o (household_id, provider, offer_id, member_id, claimed_at)
  select h.household_id, claim_offer.provider, claim_offer.offer_id, h.member_id, platform.business_now()
  from risk.household_members h join risk.households kept on kept.id = h.household_id
  where h.member_id = claim_offer.member_id
  -- The last member may be leaving, and the household goes with them.
  for key share of kept
  on conflict on constraint household_offers_pkey do nothing;
  return exists (
    select from risk.household_members h
      join risk.household_offers o on o.household_id = h.household_id
    where h.member_id = claim_offer.member_id and o.provider = claim_offer.provider
      and o.offer_id = claim_offer.offer_id and o.member_id <> claim_offer.member_id);
end
$$;
grant execute on function risk.claim_offer(integer, text, text) to earnest_app;
