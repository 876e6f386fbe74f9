-- Risk: whether a block stops a registration, who is of one household, whose credits wait, and the removal of what the
-- rules found.
--
-- Open to others: is_domain_blocked, review_of, claim_offer, given_blocks.

-- Whether the domain of an e-mail address, or one above it, is blocked.
create or replace function risk.is_domain_blocked(email text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (
    select from risk.blocks b
    where b.kind = 'domain' and b.lifted_at is null and members.is_in_force(b.lifted_at, b.expires_at)
      and right('.' || split_part(is_domain_blocked.email, '@', 2), length(b.value) + 1) = '.' || b.value);
grant execute on function risk.is_domain_blocked(text) to earnest_app;

drop function if exists risk.is_one_household(integer[]);
-- Whether all these members were of one household at a time and are. Closed accounts do not count: they left it. Who
-- was found first can't call it a household afterwards; an operator dismisses the detection then.
create or replace function risk.is_one_household(member_ids integer[], at timestamptz) returns boolean
  language sql stable
as $$
  select count(*) = count(h.member_id) and count(distinct h.household_id) = 1
  from members.profiles m
    left join risk.household_members h on h.member_id = m.id and h.joined_at <= is_one_household.at
  where m.id = any (is_one_household.member_ids) and m.deleted_at is null
$$;
grant execute on function risk.is_one_household(integer[], timestamptz) to earnest_app;

-- Whether a detection names the members of one household alone.
create or replace function risk.names_one_household(detection_id bigint) returns boolean
  language sql stable
as $$
  select risk.is_one_household(d.primary_member_id || d.related_member_ids, d.created_at)
  from risk.detections d where d.id = names_one_household.detection_id
$$;

-- Whether a detection of high confidence that nobody dismissed names a member, always one row; not one of a household
-- alone. It
-- returns a table, because the planner inlines only that with its subquery into the booking of credits.
create or replace function risk.review_of(member_id integer) returns table (is_under_review boolean)
  language sql stable
as $$
  select exists (
    select from risk.members_under_review u
    where u.member_id = review_of.member_id and not risk.names_one_household(u.detection_id))
$$;

-- Keeps the members under review with their detection, whoever writes it. What is committed holds every later credit.
create or replace function risk.keep_under_review() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from risk.members_under_review u where u.detection_id = new.id;
  if new.status <> 'dismissed' and new.confidence = 'high' then
    insert into risk.members_under_review (member_id, detection_id)
    select distinct named.member_id, new.id
    from unnest(new.primary_member_id || new.related_member_ids) as named (member_id);
  end if;
  return null;
end
$$;
revoke all on function risk.keep_under_review() from public;
create or replace trigger detections_under_review after insert or update on risk.detections
  for each row execute function risk.keep_under_review();

-- Deletes the oldest activities, and detections that were decided, of more than three years ago, and the offers of
-- households of more than 400 days ago. Returns how many, at most `rows_max` of each.
create or replace function risk.remove_old(rows_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  oldest constant timestamptz := platform.business_now() - interval '3 years';
  old_activities bigint[];
  old_detections bigint[];
  old_offers integer;
begin
  old_activities := array(
    select a.id from risk.activities a where a.created_at < oldest order by a.created_at, a.id
    limit remove_old.rows_max);
  old_detections := array(
    select d.id from risk.detections d where d.status <> 'open' and d.decided_at < oldest
    order by d.id limit remove_old.rows_max);
  delete from risk.household_offers o
  where (o.household_id, o.provider, o.offer_id) in (
    select old.household_id, old.provider, old.offer_id from risk.household_offers old
    where old.claimed_at < platform.business_now() - interval '400 days'
    order by old.claimed_at limit remove_old.rows_max);
  get diagnostics old_offers = row_count;
  delete from risk.activities a where a.id = any (old_activities);
  delete from risk.detections d where d.id = any (old_detections);
  return greatest(cardinality(old_activities), cardinality(old_detections), old_offers);
end
$$;
grant execute on function risk.remove_old(integer) to earnest_app;

-- Every block as a decision. Nobody writes through it (see platform/functions.sql).
create or replace view risk.given_blocks as
  select b.* from (
    select id, kind, value, reason, created_at, expires_at, lifted_at, created_by from risk.blocks) b;
grant select on risk.given_blocks to earnest_app;
