-- Referrals. Each function is one act on a referral that keeps its referrer's totals. Locks are taken in this order:
-- the referrer's wallet, the referral, the totals.

-- What is promised for a friend, in points.
create or replace function referrals.reward_points() returns bigint
  language sql immutable parallel safe
  return 100;

-- In what a friend is the same person as the referrer: mailbox, phone or an address that was paid to; null where in
-- nothing. Starts from the friend, who is new and has few withdrawals.
create or replace function referrals.sameness(referrer_id integer, referred_id integer) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when referrer.email_canonical = referred.email_canonical then 'same-email'
    when referrer.phone_number = referred.phone_number then 'same-phone'
    when exists (
      select from withdrawals.withdrawals theirs
        join withdrawals.withdrawals own on own.destination = theirs.destination
      where theirs.member_id = sameness.referred_id and own.member_id = sameness.referrer_id) then 'same-address'
    end
  from members.members referrer, members.members referred
  where referrer.id = sameness.referrer_id and referred.id = sameness.referred_id
$$;

-- Begins the referral of a member who has just been registered. Nothing is given yet. A friend who is seen to be
-- the referrer at once is refused at once, so that no points are promised that will never come.
create or replace function referrals.begin_on_registration() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  reward constant bigint := referrals.reward_points();
  refusal constant text := referrals.sameness(new.referred_by, new.id);
begin
  insert into referrals.referrals (referred_id, referrer_id, reward_points, state, refusal, created_at, decided_at)
  values (new.id, new.referred_by, reward, case when refusal is null then 'pending' else 'refused' end, refusal,
    new.created_at, case when refusal is not null then new.created_at end);
  insert into referrals.member_totals as t (member_id, referral_count, pending_points)
  values (new.referred_by, 1, case when refusal is null then reward else 0 end)
  on conflict (member_id) do update
  set referral_count = t.referral_count + 1, pending_points = t.pending_points + excluded.pending_points;
  return null;
end
$$;

-- Pays a referrer for a friend who has earned something, once. Whether the friend has is told by the wallet, whose
-- count of tasks never goes down. Answers: rewarded, refused, not_due, decided (before, or no referral at all).
create or replace function referrals.reward(
  referred_id integer, out status text, out referrer_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  found_referral record;
  posting record;
  reason text;
begin
  select r.referrer_id, r.reward_points into found_referral
  from referrals.referrals r where r.referred_id = reward.referred_id and r.state = 'pending';
  if not found then
    status := 'decided';
    return;
  end if;
  if not exists (select from ledger.wallets w where w.member_id = reward.referred_id and w.tasks_completed > 0) then
    status := 'not_due';
    return;
  end if;
  referrer_id := found_referral.referrer_id;
  perform ledger.lock_wallets(array[reward.referrer_id]);
  perform from referrals.referrals r
  where r.referred_id = reward.referred_id and r.state = 'pending' for no key update;
  if not found then
    status := 'decided';
    return;
  end if;

  reason := referrals.sameness(reward.referrer_id, reward.referred_id);
  if reason is null then
    select * into posting from ledger.post_one(reward.referrer_id, 'referral:' || reward.referred_id, 'referral',
      found_referral.reward_points, 'referrals', 'Referral: friend ' || right(reward.referred_id::text, 6), null, null,
      false);
    if posting.status not in ('posted', 'closed') then
      raise exception 'The reward for member % was answered % by the ledger', reward.referred_id, posting.status;
    end if;
    balance := posting.balance;
    if posting.status = 'closed' then
      reason := 'closed';
    end if;
  end if;

  status := case when reason is null then 'rewarded' else 'refused' end;
  update referrals.referrals r
  set state = status, refusal = reason, decided_at = platform.business_now()
  where r.referred_id = reward.referred_id;
  update referrals.member_totals t
  set pending_points = t.pending_points - found_referral.reward_points,
    rewarded_points = t.rewarded_points + case when reason is null then found_referral.reward_points else 0 end
  where t.member_id = reward.referrer_id;
end
$$;
grant execute on function referrals.reward(integer) to earnest_app;
