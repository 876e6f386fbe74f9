-- Referrals: who brought whom, and the points for it. Written by referrals/functions.sql alone; a reward together
-- with its movement.

create schema referrals;
grant usage on schema referrals to earnest_app;

create table referrals.referrals (
  -- Nobody is brought twice.
  referred_id integer primary key references members.members (id),
  referrer_id integer not null references members.members (id),
  -- What the referrer sees of it; a running number would tell how many there are.
  id uuid not null default gen_random_uuid(),
  -- Points, as they were promised when the friend registered.
  reward_points bigint not null check (reward_points > 0),
  -- pending until the friend's first task; then rewarded, or refused where no reward is due.
  state text not null default 'pending' check (state in ('pending', 'rewarded', 'refused')),
  refusal text check (refusal in ('same-email', 'same-phone', 'same-address', 'closed')),
  created_at timestamptz not null,
  decided_at timestamptz,
  constraint referrals_others check (referred_id <> referrer_id),
  constraint referrals_decision check ((state = 'pending') = (decided_at is null)),
  constraint referrals_refusal check ((state = 'refused') = (refusal is not null))
);
create index referrals_referrer on referrals.referrals (referrer_id, created_at desc, referred_id);
-- Those that a sweep looks at.
create index referrals_pending on referrals.referrals (referred_id) where state = 'pending';
grant select on referrals.referrals to earnest_app;

-- What the acts add up to for each referrer, so that nothing counts them.
create table referrals.member_totals (
  member_id integer primary key references members.members (id),
  referral_count bigint not null default 0 check (referral_count >= 0),
  rewarded_points bigint not null default 0 check (rewarded_points >= 0),
  pending_points bigint not null default 0 check (pending_points >= 0)
);
grant select on referrals.member_totals to earnest_app;

-- The relation is told by members.members.referred_by, however a member came to be, so a trigger there begins the
-- referral in the same transaction. Its function stands here because the trigger names it, and works until
-- referrals/functions.sql, which holds its current text, is applied a moment later.
create function referrals.begin_on_registration() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  insert into referrals.referrals (referred_id, referrer_id, reward_points, created_at)
  values (new.id, new.referred_by, 100, new.created_at);
  insert into referrals.member_totals as t (member_id, referral_count, pending_points)
  values (new.referred_by, 1, 100)
  on conflict (member_id) do update
  set referral_count = t.referral_count + 1, pending_points = t.pending_points + excluded.pending_points;
  return null;
end
$$;
create trigger begin_referral after insert on members.members
  for each row when (new.referred_by is not null) execute function referrals.begin_on_registration();

-- Who was brought before there were rewards gets theirs by the sweep, where it is due.
insert into referrals.referrals (referred_id, referrer_id, reward_points, created_at)
select m.id, m.referred_by, 100, m.created_at from members.members m
where m.referred_by is not null and m.referred_by <> m.id;
insert into referrals.member_totals (member_id, referral_count, pending_points)
select referrer_id, count(*), sum(reward_points) from referrals.referrals group by referrer_id;
