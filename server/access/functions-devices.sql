-- What devices say of accounts that may be one person's.

-- Whether an address identifies a connection. Loopback, private and reserved ones are never evidence.
create or replace function access.is_public(address inet) returns boolean
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select not exists (
    select from (values ('0.0.0.0/8'::inet), ('10.0.0.0/8'), ('100.64.0.0/10'), ('127.0.0.0/8'), ('169.254.0.0/16'),
      ('172.16.0.0/12'), ('192.0.0.0/24'), ('192.0.2.0/24'), ('192.168.0.0/16'), ('198.18.0.0/15'),
      ('198.51.100.0/24'), ('203.0.113.0/24'), ('224.0.0.0/3'), ('::/96'), ('::ffff:0:0/96'), ('2001:db8::/32'),
      ('fc00::/7'), ('fe80::/10'), ('ff00::/8')) reserved (network)
    where is_public.address <<= reserved.network)
$$;
grant execute on function access.is_public(inet) to earnest_app;

-- Other members who used one of this member's browsers at the same public address, found in at most `rows_max` of the
-- shared devices. A member has few devices.
create or replace function access.device_sharers(member_id integer, rows_max integer) returns setof integer
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select distinct s.member_id
  from (
    select o.member_id from access.devices d
      join access.devices o on o.fingerprint_hash = d.fingerprint_hash and o.address = d.address
    where d.member_id = device_sharers.member_id and d.member_id <> 0
      and o.member_id <> 0 and o.member_id <> d.member_id and access.is_public(d.address)
    limit device_sharers.rows_max) s;
end
$$;
grant execute on function access.device_sharers(integer, integer) to earnest_app;

-- Whether there is another such member.
create or replace function access.shares_device(member_id integer) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (select from access.device_sharers(shares_device.member_id, 1));
end
$$;
grant execute on function access.shares_device(integer) to earnest_app;

-- Browsers that one of these members and others used at the same public address, each with up to `members_max` members.
-- A fingerprint that many have is compared for its first `rows_max` members.
create or replace function access.shared_devices(member_ids integer[], members_max integer, rows_max integer)
  returns table (fingerprint text, address text, sharer_ids integer[])
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  return query
  select encode(o.fingerprint_hash, 'hex'), host(o.address),
    (array_agg(o.member_id order by o.member_id))[1:shared_devices.members_max]
  from (
    select distinct d.fingerprint_hash from access.devices d
    where d.member_id = any (shared_devices.member_ids) and d.member_id <> 0) own
    cross join lateral (
      select d.fingerprint_hash, d.address, d.member_id from access.devices d
      where d.fingerprint_hash = own.fingerprint_hash and d.member_id <> 0
      order by d.fingerprint_hash, d.member_id limit shared_devices.rows_max) o
  where access.is_public(o.address)
  group by o.fingerprint_hash, o.address
  having count(*) > 1 and bool_or(o.member_id = any (shared_devices.member_ids));
end
$$;
grant execute on function access.shared_devices(integer[], integer, integer) to earnest_app;
