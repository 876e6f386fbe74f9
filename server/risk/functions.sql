-- Risk: whether a block stops a registration.
--
-- Open to others: is_domain_blocked.

-- Whether the domain of an e-mail address, or one above it, is blocked.
create or replace function risk.is_domain_blocked(email text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
  return exists (
    select from risk.blocks b
    where b.kind = 'domain' and b.lifted_at is null and members.is_in_force(b.lifted_at, b.expires_at)
      and right('.' || split_part(is_domain_blocked.email, '@', 2), length(b.value) + 1) = '.' || b.value);
grant execute on function risk.is_domain_blocked(text) to earnest_app;
