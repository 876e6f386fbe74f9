-- The members behind sessions that are neither over 30 days old (12 hours for operators) nor idle for 7: what every
-- call that changes something asks first. A function, because the plan of a statement that takes an array is
-- made anew each time and costs more than the reading.
create or replace function access.find_sessions(token_hashes bytea[])
  returns table (token_hash bytea, session_id uuid, is_seen_lately boolean, is_suspended boolean, id integer,
    email text, first_name text, last_name text, role text, profile_image_url text, created_at timestamptz,
    referral_code text, chat_theme text, chat_bubble_color text, chat_text_color text,
    phone_verified_at timestamptz, phone_number text)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
as $$
#variable_conflict use_column
declare
  at timestamptz := platform.business_now();
begin
  return query
  select s.token_hash, s.id, s.last_seen_at > at - interval '10 minutes',
    exists (
      select from members.suspensions b
      where b.member_id = m.id and b.lifted_at is null and b.suspension_type = 'full_suspension'
        and (b.expires_at is null or b.expires_at > at)),
    m.id, m.email, m.first_name, m.last_name, m.role, m.profile_image_url, m.created_at, m.referral_code,
    m.chat_theme, m.chat_bubble_color, m.chat_text_color, m.phone_verified_at, m.phone_number
  from access.sessions s
    cross join lateral (select * from members.members where id = s.member_id limit 1) m
  where s.token_hash = any (token_hashes)
    and s.created_at > at - case when m.role = 'admin' then interval '12 hours' else interval '30 days' end
    and s.last_seen_at > at - interval '7 days';
end
$$;
grant execute on function access.find_sessions(bytea[]) to earnest_app;
