-- The members' data that other features may read, and the anonymisation of accounts.
--
-- Open to others: profiles, referrer_of, restrictions, refusals, is_in_force, wants_mail, email_to_anonymise,
-- last_denied_at, security_changed_at, is_operator_since, is_own, has_mailbox, news_readers, given_suspensions,
-- sign_ins, named.

-- A member without secrets and settings. Nobody writes through it (see platform/functions.sql).
create or replace view members.profiles as
  select m.* from (
    select id, email, email_canonical, first_name, last_name, role, profile_image_url, created_at, referral_code,
      chat_theme, chat_bubble_color, chat_text_color, phone_number, phone_verified_at, referred_by, deleted_at,
      email_verified_at
    from members.members) m;
grant select on members.profiles to earnest_app;

-- The members whose name has these words (a condition as text, null for none), more than the 10,000 that a list counts.
-- The planner, which does not know the words, would read the table, and with as many rows as it guesses also the
-- caller's.
create or replace function members.named(words text) returns table (id integer)
  language sql stable rows 20 set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
  select m.id from members.members m
  where members.name_words(m.first_name, m.last_name) @@ named.words::tsquery limit 10001
$$;
grant execute on function members.named(text) to earnest_app;

-- When members signed in last. Nobody writes through it either.
create or replace view members.sign_ins as
  select s.* from (select id, last_sign_in_at, role, deleted_at from members.members) s;
grant select on members.sign_ins to earnest_app;

-- The member whose referral code a member registered with; null if there is none.
create or replace function members.referrer_of(member_id integer) returns integer
  language sql stable
as $$ select m.referred_by from members.members m where m.id = referrer_of.member_id $$;

-- When the password, phone or e-mail address of a member last changed; null if never.
create or replace function members.security_changed_at(member_id integer) returns timestamptz
  language sql stable
as $$ select m.security_changed_at from members.members m where m.id = security_changed_at.member_id $$;
grant execute on function members.security_changed_at(integer) to earnest_app;

-- When a member last said that an act on the account was not theirs; null if never.
create or replace function members.last_denied_at(member_id integer) returns timestamptz
  language sql stable
as $$
  select max(s.created_at) from members.suspensions s
  where s.member_id = last_denied_at.member_id and s.ends_with_reset
$$;
grant execute on function members.last_denied_at(integer) to earnest_app;

-- Whether a suspension holds now: nobody lifted it, and it has not ended.
create or replace function members.is_in_force(lifted_at timestamptz, expires_at timestamptz) returns boolean
  language sql stable
  return lifted_at is null and (expires_at is null or expires_at > platform.business_now());
grant execute on function members.is_in_force(timestamptz, timestamptz) to earnest_app;

-- The suspensions that hold now. The type of a suspension decides which acts it blocks, at every severity. Nobody
-- writes through it (see platform/functions.sql).
create or replace view members.open_suspensions as
  select s.* from (
    select member_id, reason, expires_at, ends_with_reset,
      suspension_type in ('earnings_blocked', 'full_suspension') as blocks_earnings,
      suspension_type in ('withdrawal_blocked', 'full_suspension') as blocks_withdrawals,
      suspension_type = 'full_suspension' as blocks_account
    from members.suspensions
    where members.is_in_force(lifted_at, expires_at)) s;
grant select on members.open_suspensions to earnest_app;

-- Who may get mails of news, and what speaks against it, of accounts that are not anonymised.
create or replace view members.news_readers as
  select r.* from (
    select m.id, m.email, m.first_name, m.last_name, m.language, m.created_at, m.email_notifications as wants_news,
      m.email_verified_at is not null as is_confirmed,
      m.role = 'banned'
        or m.id in (select s.member_id from members.open_suspensions s where s.blocks_account) as is_suspended,
      m.deleted_at is not null as is_leaving
    from members.members m where m.anonymised_at is null) r;
grant select on members.news_readers to earnest_app;

-- Every suspension as a decision about its member. Nobody writes through it (see platform/functions.sql).
create or replace view members.given_suspensions as
  select s.* from (
    select id, member_id, suspension_type, reason, created_at, expires_at, lifted_at, created_by, ends_with_reset
    from members.suspensions) s;
grant select on members.given_suspensions to earnest_app;

-- The blocked acts of a member now, always one row. A plain SQL function, so that the planner inlines it into hot
-- statements.
create or replace function members.restrictions(member_id integer)
  returns table (are_earnings_blocked boolean, are_withdrawals_blocked boolean, is_account_suspended boolean)
  language sql stable
as $$
  select coalesce(bool_or(s.blocks_earnings), false), coalesce(bool_or(s.blocks_withdrawals), false),
    coalesce(bool_or(s.blocks_account), false)
  from members.open_suspensions s where s.member_id = restrictions.member_id
$$;
grant execute on function members.restrictions(integer) to earnest_app;

-- Whether a member has been an operator from this moment until now, and has not said since that somebody else used the
-- account. Where two operators must agree, the first one's word counts only while this is so.
create or replace function members.is_operator_since(member_id integer, moment timestamptz) returns boolean
  language sql stable
as $$
  select exists (
    select from members.members m
    where m.id = is_operator_since.member_id and m.role = 'admin' and m.deleted_at is null
      and (m.operator_since is null or m.operator_since <= is_operator_since.moment)
      and coalesce(members.last_denied_at(m.id) < is_operator_since.moment, true)
      and not (select r.is_account_suspended from members.restrictions(m.id) r))
$$;
grant execute on function members.is_operator_since(integer, timestamptz) to earnest_app;

-- Whether a member has this mailbox, under whatever spelling of its address.
create or replace function members.has_mailbox(member_id integer, mailbox text) returns boolean
  language sql stable
as $$
  select exists (
    select from members.members m where m.id = has_mailbox.member_id and m.email_canonical = has_mailbox.mailbox)
$$;
grant execute on function members.has_mailbox(integer, text) to earnest_app;

-- Whether an account is the operator's own: the same one, or another one with the same mailbox. Nobody decides about
-- points of their own accounts. Without an operator, as on the command line, it is false.
create or replace function members.is_own(operator_id integer, member_id integer) returns boolean
  language sql stable
as $$
  select coalesce(is_own.operator_id = is_own.member_id, false) or exists (
    select from members.members m
    where m.id = is_own.member_id and members.has_mailbox(is_own.operator_id, m.email_canonical))
$$;
grant execute on function members.is_own(integer, integer) to earnest_app;

-- The refusals that a member's suspensions cause: of acts that earn, and of withdrawals. Null if the act is not
-- blocked.
create or replace function members.refusals(member_id integer) returns table (earning text, withdrawal text)
  language sql stable
as $$
  select case when r.is_account_suspended then 'account-suspended'
              when r.are_earnings_blocked then 'earnings-suspended' end,
    case when r.is_account_suspended then 'account-suspended'
         when r.are_withdrawals_blocked then 'withdrawals-suspended' end
  from members.restrictions(refusals.member_id) r
$$;
grant execute on function members.refusals(integer) to earnest_app;

-- Whether a member is mailed notices of this kind: by the member's choice, or always. Never after the account was
-- deleted, and never at an address that was not confirmed, because it may be a stranger's.
create or replace function members.wants_mail(member_id integer, kind text, is_always_mailed boolean) returns boolean
  language sql stable
as $$
  select coalesce(bool_or(wants_mail.is_always_mailed or wants_mail.kind <> all (m.unmailed_notices)), false)
  from members.members m where m.id = wants_mail.member_id and m.deleted_at is null
    and m.email_verified_at is not null
$$;

-- Accounts that were deleted before this time are anonymised: seven days ago.
create or replace function members.anonymise_until() returns timestamptz
  language sql stable
  return platform.business_now() - interval '7 days';
grant execute on function members.anonymise_until() to earnest_app;

-- The e-mail address of a deleted account that is due for anonymising; null before its seven days and after it was
-- anonymised. With it, other schemas find what they keep by the address, and the application can name no other address.
create or replace function members.email_to_anonymise(member_id integer) returns text
  language sql stable
as $$
  select m.email from members.members m
  where m.id = email_to_anonymise.member_id and m.anonymised_at is null
    and m.deleted_at <= members.anonymise_until()
$$;

-- Anonymises one deleted account after its seven days: removes name, e-mail, phone, picture and address. The id stays,
-- with the data that the books and the records of withdrawals need. Returns whether it did so now. So the application
-- can't anonymise an account that is not deleted, and none too early.
create or replace function members.anonymise(member_id integer) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update members.members m
  set email = 'deleted-' || m.id || '@deleted.invalid', email_canonical = 'deleted-' || m.id || '@deleted.invalid',
      first_name = 'Deleted', last_name = null, profile_image_url = null, phone_number = null,
      phone_verified_at = null, registered_from = null, timezone = null, anonymised_at = platform.business_now()
  where m.id = anonymise.member_id and m.anonymised_at is null
    and m.deleted_at <= members.anonymise_until();
  if not found then
    return false;
  end if;
  -- A former operator's names of views may name people.
  delete from members.views v where v.member_id = anonymise.member_id;
  return true;
end
$$;
grant execute on function members.anonymise(integer) to earnest_app;

-- Counts the members again, unless that was done less than `pause_s` seconds ago. Returns whether it did so now.
-- Deleted accounts are in the number of members, because the operators' list shows them. Active ones signed in within
-- 30 days and are neither banned nor deleted.
create or replace function members.count_members(pause_s integer) returns boolean
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  moment timestamptz := platform.business_now();
  today date := platform.site_day(moment);
  begins_at timestamptz;
begin
  select lower(platform.day_range_in(s.site_timezone, moment)) into begins_at from platform.site_clock s;
  update members.counts c
  set counted_at = moment, site_day = today,
      member_count = (select count(*) from members.members m where m.created_at <= moment),
      deleted_count = (select count(*) from members.members m where m.deleted_at is not null),
      active_count = (
        select count(*) from members.members m
        where m.last_sign_in_at > moment - interval '30 days' and m.deleted_at is null and m.role <> 'banned'),
      joined_today_count = (
        select count(*) from members.members m where m.created_at >= begins_at and m.created_at <= moment)
  where c.counted_at < moment - count_members.pause_s * interval '1 second';
  return found;
end
$$;
grant execute on function members.count_members(integer) to earnest_app;

-- The last counts, with the members who joined since, so that a new member is seen at once. It reads those alone: the
-- planner, which does not know the time of the last count, would expect a third of all members and read the table.
create or replace function members.read_counts()
  returns table (member_count bigint, deleted_count bigint, active_count bigint, joined_today_count bigint)
  language sql stable set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
  select c.member_count + since.joined, c.deleted_count, c.active_count,
    case when c.site_day = s.today then c.joined_today_count else 0 end + since.joined_today
  from members.counts c
    cross join (
      select platform.site_day(now) as today, lower(platform.day_range_in(k.site_timezone, now)) as begins_at
      from platform.site_clock k, platform.business_now() now) s
    cross join lateral (
      select count(*) as joined, count(*) filter (where m.created_at >= s.begins_at) as joined_today
      from members.members m where m.created_at > c.counted_at) since
$$;
grant execute on function members.read_counts() to earnest_app;
