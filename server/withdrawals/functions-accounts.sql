-- The account that each method pays from. The application can note one where none is noted or where the noted one never
-- paid, and change another one only in the turn of an operator's act or while a comparison after a restore is due.

-- Whether an account may have made payments, which then only its own list shows. A method changes from such an account
-- only by an operator's act. A payment of the method of which no account is known, and a restore of a copy that may
-- lack one, count as made by it. The simulated parties of the sandbox move no money; these are their names.
create or replace function withdrawals.may_have_paid(method text, account text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select may_have_paid.account not in (
      'a1aa6ff4dd80f50846336ae35ceb4895e9f58073',
      '9adc3b2dd1e14ac1d72f5041befd54807cf0e060',
      '275f2c8076dcc59e626ec628d2056fe84d495c98',
      '1ba0ac2f510c95e4ddcdc240647636d8d6b333b8',
      '7fa33e70593039f80d52fe6ef454cdd5a833afb4',
      '6904078284c396f456238e965e0f99685dd608ec')
    and (exists (
        select from withdrawals.payouts p
        where p.method = may_have_paid.method and (p.account = may_have_paid.account or p.state = 'parked'))
      or exists (select from withdrawals.former_payments f where f.method = may_have_paid.method)
      or exists (select from withdrawals.unaccounted_payments u where u.method = may_have_paid.method)
      or exists (select from withdrawals.reconciliations r where r.method = may_have_paid.method))
$$;
grant execute on function withdrawals.may_have_paid(text, text) to earnest_app;

-- Notes the account that a method pays from, unless another one is noted that may have paid. One without a name (null)
-- gets one here where none is noted. Call it in the turn of the method.
create or replace function withdrawals.note_account(method text, account text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into withdrawals.paying_accounts as a (method, account, noted_at)
  values (note_account.method, coalesce(note_account.account, 'unnamed ' || gen_random_uuid()), platform.business_now())
  on conflict (method) do update
    set account = excluded.account, noted_at = excluded.noted_at
  where a.account is null
    or a.account <> note_account.account and not withdrawals.may_have_paid(a.method, a.account)
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
