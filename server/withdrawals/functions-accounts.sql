-- The account that each method pays from. The application can note one where none is noted, and change a noted one only
-- in the turn of an operator's act or while a comparison after a restore is due.

-- Notes the account that a method pays from, unless one is noted. One without a name (null) gets one here.
create or replace function withdrawals.note_account(method text, account text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into withdrawals.paying_accounts as a (method, account, noted_at)
  values (note_account.method, coalesce(note_account.account, 'unnamed ' || gen_random_uuid()), platform.business_now())
  on conflict (method) do update set account = excluded.account, noted_at = excluded.noted_at
  where a.account is null
$$;
grant execute on function withdrawals.note_account(text, text) to earnest_app;

-- Forgets the account that a method pays from, so that the next comparison notes another one. Returns whether it did,
-- and what was noted before. Not if the lease was lost, the method is not set up, or its comparison after a restore is
-- not done, which only the former account's list can answer.
create or replace function withdrawals.forget_account(
  method text, lease_name text, lease_token bigint, out is_forgotten boolean, out account text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  is_forgotten := platform.holds_lease(lease_name, lease_token)
    and exists (select from withdrawals.methods m where m.method = forget_account.method)
    and not exists (
      select from withdrawals.reconciliations r where r.method = forget_account.method and r.done_at is null);
  if not is_forgotten then
    return;
  end if;
  select a.account into forget_account.account
  from withdrawals.paying_accounts a where a.method = forget_account.method for no key update;
  insert into withdrawals.paying_accounts as a (method, account, noted_at, forgotten_at)
  values (forget_account.method, null, platform.business_now(), platform.business_now())
  on conflict (method) do update set account = null, forgotten_at = excluded.forgotten_at;
end
$$;
grant execute on function withdrawals.forget_account(text, text, bigint) to earnest_app;

-- Notes the account that a method paid from last, as a marker names it. The database may name an older one, which it
-- does only while its comparison after a restore is due.
create or replace function withdrawals.note_newest_account(method text, account text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into withdrawals.paying_accounts as a (method, account, noted_at)
  select m.method, note_newest_account.account, platform.business_now()
  from withdrawals.methods m where m.method = note_newest_account.method and note_newest_account.account is not null
  on conflict (method) do update set account = excluded.account, noted_at = excluded.noted_at
  where a.account is null or a.account <> excluded.account and exists (
    select from withdrawals.reconciliations r where r.method = a.method and r.done_at is null)
$$;
grant execute on function withdrawals.note_newest_account(text, text) to earnest_app;
