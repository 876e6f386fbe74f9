import { type Reader, sql } from '#platform/database.ts';

/** SQL of what is known of members from signing in. */

/** The newest session, ended by its age or not. */
/**
 * When and with which browser a member was last seen: never before the last sign-in, whose session may be gone. The
 * browser is empty then.
 */
export const findLastSeen = (reader: Reader, memberId: number) =>
  reader.row<{ at: Date; userAgent: string }>(sql`
    select greatest(s.last_seen_at, m.last_sign_in_at) as at,
      case when s.last_seen_at >= coalesce(m.last_sign_in_at, s.last_seen_at) - interval '1 minute'
        then s.user_agent else '' end as "userAgent"
    from members.sign_ins m left join lateral (
      select last_seen_at, user_agent from access.sessions
      where member_id = m.id order by last_seen_at desc limit 1) s on true
    where m.id = ${memberId} and (s.last_seen_at is not null or m.last_sign_in_at is not null)`);

export const listIssuers = (reader: Reader, memberId: number) =>
  reader.rows<{ issuer: string }>(
    sql`select issuer from access.identities where member_id = ${memberId} order by issuer limit 10`,
  );

const LOGINS_MAX = 100;
/** How many devices of others are compared. */
const SHARED_DEVICES_MAX = 200;

export const listLogins = (reader: Reader, memberId: number) =>
  reader.rows<{ id: string; createdAt: Date; userAgent: string; address: string }>(sql`
    select id, created_at as "createdAt", user_agent as "userAgent", host(address) as address
    from access.sessions where member_id = ${memberId} order by created_at desc, id limit ${LOGINS_MAX}`);

/** Finds other members who used one of this member's browsers at the same public address. */
export const findDeviceSharers = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<{ memberId: number }>(sql`
    select s as "memberId" from access.device_sharers(${memberId}, ${SHARED_DEVICES_MAX}) s limit ${limit}`);

/** Counts the devices of a member, of which few are kept. */
export const countDevices = (reader: Reader, memberId: number) =>
  reader.one<{ deviceCount: bigint }>(sql`
    select count(*) as "deviceCount" from access.devices where member_id = ${memberId} and member_id <> 0`);

/** How many of the members with one fingerprint are compared. */
const FINGERPRINT_ROWS_MAX = 5_000;

/** Lists the public network addresses that two or more of these members had in the last 30 days. */
export const listSharedNetworks = (reader: Reader, memberIds: readonly number[], limit: number) =>
  reader.rows<{ identifier: string; memberIds: number[] }>(sql`
    select host(address) as identifier, array_agg(distinct member_id order by member_id) as "memberIds"
    from access.devices
    where member_id = any (${memberIds}::integer[]) and member_id <> 0 and access.is_public(address)
      and last_seen_at > platform.business_now() - interval '30 days'
    group by address having count(distinct member_id) > 1
    order by count(distinct member_id) desc, address limit ${limit}`);

/** Lists browsers that these members share with others at a public address. */
export const listSharedDevices = (reader: Reader, memberIds: readonly number[], membersMax: number) =>
  reader.rows<{ fingerprint: string; address: string; memberIds: number[] }>(sql`
    select fingerprint, address, sharer_ids as "memberIds"
    from access.shared_devices(${memberIds}::integer[], ${membersMax}, ${FINGERPRINT_ROWS_MAX})`);
