-- Referrals: referrer, friend and the reward in points. Only referrals/functions.sql writes to these tables. It writes
-- a reward together with its movement.

create schema referrals;
grant usage on schema referrals to earnest_app;

create table referrals.referrals (
  -- A member is referred once.
  referred_id integer primary key references members.members (id),
  referrer_id integer not null references members.members (id),
  -- The id on the wire. A running number would reveal how many referrals the site has.
  id uuid not null default gen_random_uuid(),
  -- As promised when the friend registered.
  reward_points bigint not null check (reward_points > 0),
  -- pending until the friend's first task, then rewarded or refused.
  state text not null default 'pending' check (state in ('pending', 'rewarded', 'refused')),
  refusal text check (refusal in ('same-email', 'same-phone', 'same-address', 'closed')),
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint referrals_others check (referred_id <> referrer_id),
  constraint referrals_decision check ((state = 'pending') = (decided_at is null)),
  constraint referrals_refusal check ((state = 'refused') = (refusal is not null))
);
create index referrals_referrer on referrals.referrals (referrer_id, created_at desc, referred_id);
-- The open referrals, which the sweep reads.
create index referrals_pending on referrals.referrals (referred_id) where state = 'pending';
grant select on referrals.referrals to earnest_app;

-- The totals of each referrer. The functions that change a referral update them, so no read counts rows.
create table referrals.member_totals (
  member_id integer primary key references members.members (id),
  referral_count bigint not null default 0 check (referral_count >= 0),
  rewarded_points bigint not null default 0 check (rewarded_points >= 0),
  pending_points bigint not null default 0 check (pending_points >= 0)
);
grant select on referrals.member_totals to earnest_app;
