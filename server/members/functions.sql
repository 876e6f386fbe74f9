-- What other features may know of members.
--
-- Open to others: restrictions.

-- What is blocked for a member now, always one row. The type of a suspension decides what it blocks, at every severity.
-- A plain SQL function, so that the planner inlines it into hot statements.
create or replace function members.restrictions(member_id integer)
  returns table (are_earnings_blocked boolean, are_withdrawals_blocked boolean, is_account_suspended boolean)
  language sql stable
as $$
  select coalesce(bool_or(s.suspension_type in ('earnings_blocked', 'full_suspension')), false),
    coalesce(bool_or(s.suspension_type in ('withdrawal_blocked', 'full_suspension')), false),
    coalesce(bool_or(s.suspension_type = 'full_suspension'), false)
  from members.suspensions s
  where s.member_id = restrictions.member_id and s.lifted_at is null
    and (s.expires_at is null or s.expires_at > platform.business_now())
$$;
grant execute on function members.restrictions(integer) to earnest_app;

-- The end of an account: seven days after it was deleted, the person is taken out of it.

-- Takes out of one deleted account what names a person: name, e-mail, phone, picture, addresses and fingerprints.
-- The id stays, with what the books and the records of withdrawals must keep. Answers whether it did so now; the
-- application can reach nobody who has not left, and nobody too early.
create or replace function members.anonymise(member_id integer) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  former_email text;
begin
  select m.email into former_email from members.members m
  where m.id = anonymise.member_id and m.anonymised_at is null
    and m.deleted_at <= platform.business_now() - interval '7 days'
  for update;
  if not found then
    return false;
  end if;
  update members.members m
  set email = 'deleted-' || m.id || '@deleted.invalid', email_canonical = 'deleted-' || m.id || '@deleted.invalid',
      first_name = 'Deleted', last_name = null, profile_image_url = null, phone_number = null,
      phone_verified_at = null, registered_from = null, timezone = null, anonymised_at = platform.business_now()
  where m.id = anonymise.member_id;
  -- Their browsers also told of themselves while nobody was signed in.
  delete from access.devices d using access.devices own
  where own.member_id = anonymise.member_id and d.fingerprint_hash = own.fingerprint_hash
    and d.member_id in (0, anonymise.member_id);
  delete from access.behaviour b where b.member_id = anonymise.member_id;
  delete from access.behaviour_days d where d.member_id = anonymise.member_id;
  delete from access.identities i where i.member_id = anonymise.member_id;
  delete from access.mail_tokens t where t.member_id = anonymise.member_id;
  delete from access.phone_verifications v where v.member_id = anonymise.member_id;
  delete from access.registration_reviews r where r.email = former_email;
  return true;
end
$$;
grant execute on function members.anonymise(integer) to earnest_app;
