-- Referrals. Each function changes a referral and its referrer's totals together. Locks are taken in this order: the
-- referrer's wallet, the referral, the totals.
--
-- Open to others: none.

-- The referrer's reward for a friend, in points.
create or replace function referrals.reward_points() returns bigint
  language sql immutable parallel safe
  return 100;

-- The identifier that both accounts share: mailbox, phone or payout address. Null if they share none.
create or replace function referrals.shared_identifier(referrer_id integer, referred_id integer) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case
    when referrer.email_canonical = referred.email_canonical then 'same-email'
    when referrer.phone_number = referred.phone_number then 'same-phone'
    when withdrawals.shares_destination(shared_identifier.referred_id, shared_identifier.referrer_id)
      then 'same-address'
    end
  from members.profiles referrer, members.profiles referred
  where referrer.id = shared_identifier.referrer_id and referred.id = shared_identifier.referred_id
$$;

-- Begins the referral of a member who registered with the referrer's code; fails for all other pairs. Pays nothing yet.
-- If both accounts share an identifier, the referral is refused at once, so that the reward is not shown as pending.
create or replace function referrals.begin_referral(referred_id integer, referrer_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  at constant timestamptz := (select p.created_at from members.profiles p where p.id = begin_referral.referred_id);
  reward constant bigint := referrals.reward_points();
  refusal constant text := referrals.shared_identifier(begin_referral.referrer_id, begin_referral.referred_id);
begin
  if members.referrer_of(begin_referral.referred_id) is distinct from begin_referral.referrer_id then
    raise exception 'Member % did not register with the code of member %', begin_referral.referred_id,
      begin_referral.referrer_id;
  end if;
  insert into referrals.referrals (referred_id, referrer_id, reward_points, state, refusal, created_at, decided_at)
  values (begin_referral.referred_id, begin_referral.referrer_id, reward,
    case when refusal is null then 'pending' else 'refused' end, refusal, at,
    case when refusal is not null then at end);
  insert into referrals.member_totals as t (member_id, referral_count, pending_points)
  values (begin_referral.referrer_id, 1, case when refusal is null then reward else 0 end)
  on conflict (member_id) do update
  set referral_count = t.referral_count + 1, pending_points = t.pending_points + excluded.pending_points;
end
$$;
grant execute on function referrals.begin_referral(integer, integer) to earnest_app;

-- Pays a referrer once for a friend who completed a task. The wallet's count of tasks shows that, because it never goes
-- down. Returns rewarded, refused, not_due, or decided (decided before, or there is no referral).
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
  if not exists (
    select from ledger.wallet_totals w where w.member_id = reward.referred_id and w.tasks_completed > 0) then
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

  reason := referrals.shared_identifier(reward.referrer_id, reward.referred_id);
  if reason is null then
    select * into posting from ledger.post_one(reward.referrer_id, 'referral:' || reward.referred_id, 'referral',
      found_referral.reward_points, 'referrals', right(reward.referred_id::text, 6), null, null,
      false);
    if posting.status not in ('posted', 'closed') then
      raise exception 'The ledger answered the reward for member % with %', reward.referred_id, posting.status;
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
