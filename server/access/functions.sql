-- Sessions, and the deletion of a person's data in access.
--
-- Open to others: shares_device, given_refusals.

-- Whether a session is still valid: until 30 days after sign-in (12 hours for operators) and 7 days after its last use.
create or replace function access.is_live(created_at timestamptz, last_seen_at timestamptz, role text, at timestamptz)
  returns boolean
  language sql immutable parallel safe
  return created_at > at - case when role = 'admin' then interval '12 hours' else interval '30 days' end
    and last_seen_at > at - interval '7 days';
grant execute on function access.is_live(timestamptz, timestamptz, text, timestamptz) to earnest_app;

-- The members of valid sessions. Every call that changes something reads them first. It is a function, because
-- PostgreSQL would plan a statement with an array parameter at each call, which costs more than the read.
create or replace function access.find_sessions(token_hashes bytea[])
  returns table (token_hash bytea, session_id uuid, is_seen_lately boolean, is_suspended boolean,
    has_passed_gate boolean, id integer, email text, first_name text, last_name text, role text,
    profile_image_url text, created_at timestamptz, referral_code text, chat_theme text,
    chat_bubble_color text, chat_text_color text, phone_verified_at timestamptz, phone_number text)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  at timestamptz := platform.business_now();
begin
  return query
  select s.token_hash, s.id, s.last_seen_at > at - interval '10 minutes',
    r.is_account_suspended, s.has_passed_gate,
    m.id, m.email, m.first_name, m.last_name, m.role, m.profile_image_url, m.created_at, m.referral_code,
    m.chat_theme, m.chat_bubble_color, m.chat_text_color, m.phone_verified_at, m.phone_number
  from access.sessions s
    cross join lateral (select * from members.profiles where id = s.member_id limit 1) m
    cross join lateral members.restrictions(s.member_id) r
  where s.token_hash = any (token_hashes) and access.is_live(s.created_at, s.last_seen_at, m.role, at);
end
$$;
grant execute on function access.find_sessions(bytea[]) to earnest_app;

-- Deletes the personal data of an account that is due for anonymising: browsers and their reports, identities, phone
-- and registration. Call it before `members.anonymise`, which removes the address that the review is found by. The
-- application can delete no other account's data.
create or replace function access.forget(member_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if members.email_to_anonymise(forget.member_id) is null then
    return;
  end if;
  -- Also reports of the member's browsers without a signed-in member.
  delete from access.devices d using access.devices own
  where own.member_id = forget.member_id and d.fingerprint_hash = own.fingerprint_hash
    and d.member_id in (0, forget.member_id);
  delete from access.behaviour b where b.member_id = forget.member_id;
  delete from access.behaviour_days d where d.member_id = forget.member_id;
  delete from access.identities i where i.member_id = forget.member_id;
  delete from access.former_identities i where i.member_id = forget.member_id;
  delete from access.mail_tokens t where t.member_id = forget.member_id;
  delete from access.phone_verifications v where v.member_id = forget.member_id;
  -- The address is read in this statement, because a concurrent sweep may have freed it for a new member meanwhile.
  delete from access.registration_reviews r where r.email = members.email_to_anonymise(forget.member_id);
end
$$;
grant execute on function access.forget(integer) to earnest_app;

-- Deletes the oldest registrations that waited for an operator, made more than three years ago. Returns how many, at
-- most `rows_max`. It looks only at those with the lowest numbers, which are the oldest.
create or replace function access.remove_old_reviews(rows_max integer) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  old_ids bigint[];
begin
  old_ids := array(
    select r.id from (
      select id, created_at from access.registration_reviews order by id limit remove_old_reviews.rows_max) r
    where r.created_at < platform.business_now() - interval '3 years');
  delete from access.registration_reviews r where r.id = any (old_ids);
  return cardinality(old_ids);
end
$$;
grant execute on function access.remove_old_reviews(integer) to earnest_app;

-- The refused registrations as decisions. Nobody writes through it (see platform/functions.sql).
create or replace view access.given_refusals as
  select r.* from (
    select id, email, facts->'flags' as flags, decision_reason, decided_at, decided_by
    from access.registration_reviews where status = 'refused') r;
grant select on access.given_refusals to earnest_app;
