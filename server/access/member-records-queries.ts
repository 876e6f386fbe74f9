import { type Reader, sql } from '#platform/database.ts';

/** SQL of what is known of members from signing in. */

/** The newest session, ended by its age or not. */
export const findLastSeen = (reader: Reader, memberId: number) =>
  reader.row<{ at: Date; userAgent: string }>(sql`
    select last_seen_at as at, user_agent as "userAgent" from access.sessions
    where member_id = ${memberId} order by last_seen_at desc limit 1`);

export const listIssuers = (reader: Reader, memberId: number) =>
  reader.rows<{ issuer: string }>(
    sql`select issuer from access.identities where member_id = ${memberId} order by issuer limit 10`,
  );

const LOGINS_MAX = 100;

export const listLogins = (reader: Reader, memberId: number) =>
  reader.rows<{ id: string; createdAt: Date; userAgent: string; address: string }>(sql`
    select id, created_at as "createdAt", user_agent as "userAgent", host(address) as address
    from access.sessions where member_id = ${memberId} order by created_at desc, id limit ${LOGINS_MAX}`);

/** Finds other members with the same fingerprint at the same address, which together may be one device. */
export const findDeviceSharers = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<{ memberId: number; address: string }>(sql`
    select distinct o.member_id as "memberId", host(o.address) as address
    from access.devices d
      join access.devices o on o.fingerprint_hash = d.fingerprint_hash and o.address = d.address
    where d.member_id = ${memberId} and o.member_id <> 0 and o.member_id <> ${memberId} limit ${limit}`);
