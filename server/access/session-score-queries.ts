import { json, type Reader, sql } from '#platform/database.ts';

/** SQL of what a session's score is made of, and of the score. */

/** The next members after this one who have a session, ended by its age or not. */
export const listSignedInAfter = (reader: Reader, after: number, limit: number) =>
  reader.rows<{ id: number }>(sql`
    select distinct member_id as id from access.sessions where member_id > ${after} order by member_id limit ${limit}`);

/** Members who signed in within the last minutes. */
export const listNewcomers = (reader: Reader, minutes: number, limit: number) =>
  reader.rows<{ id: number }>(sql`
    select distinct member_id as id from access.sessions
    where created_at > platform.business_now() - make_interval(mins => ${minutes}) limit ${limit}`);

export type SessionRow = {
  id: string;
  memberId: number;
  address: string;
  score: number;
  reasons: unknown;
  isNewDevice: boolean;
  isAfterChange: boolean;
  isSharedDevice: boolean;
  formerAddresses: string[];
};

/** How many members with one browser are compared, and from how many on it is one of several accounts. */
const FINGERPRINT_ROWS_MAX = 5_000;
const SHARERS_MIN = 3;
const FORMER_ADDRESSES_MAX = 50;

/** The valid sessions of members, with what their scores are made of. A new device is one that came with a session. */
export const listSessions = (reader: Reader, memberIds: readonly number[]) =>
  reader.rows<SessionRow>(sql`
    with now as (select platform.business_now() as at),
    own as (
      select distinct d.fingerprint_hash from access.devices d, now
      where d.member_id = any (${memberIds}::integer[]) and d.member_id <> 0
        and d.last_seen_at > now.at - interval '30 days'),
    groups as (
      select array_agg(o.member_id) as ids
      from own cross join now cross join lateral (
        select d.member_id, d.address, d.last_seen_at from access.devices d
        where d.fingerprint_hash = own.fingerprint_hash and d.member_id <> 0
        order by d.fingerprint_hash, d.member_id limit ${FINGERPRINT_ROWS_MAX}) o
      where o.last_seen_at > now.at - interval '30 days'
      group by own.fingerprint_hash, o.address
      having count(*) >= ${SHARERS_MIN} and access.is_public(o.address)),
    sharers as (select distinct unnest(ids) as id from groups)
    select s.id, s.member_id as "memberId", host(s.address) as address, s.risk_score::integer as score,
      s.risk_reasons as reasons,
      exists (
        select from access.devices d where d.member_id = s.member_id and d.member_id <> 0
          and d.first_seen_at between s.created_at - interval '1 minute' and s.created_at + interval '1 hour')
        and exists (
          select from access.devices d where d.member_id = s.member_id and d.member_id <> 0
            and d.first_seen_at < s.created_at - interval '1 minute') as "isNewDevice",
      coalesce(changed.at > m.created_at + interval '1 day'
        and changed.at between s.created_at - interval '1 day' and s.created_at + interval '1 day', false)
        as "isAfterChange",
      s.member_id in (select id from sharers) as "isSharedDevice",
      array(
        select distinct host(former.address) from (
          select o.address from access.sessions o
          where o.member_id = s.member_id and o.created_at < s.created_at
            and o.last_seen_at > s.created_at - interval '30 days'
          union all
          select d.address from access.devices d
          where d.member_id = s.member_id and d.member_id <> 0
            and d.first_seen_at < s.created_at - interval '1 minute'
            and d.last_seen_at > s.created_at - interval '30 days') former
        limit ${FORMER_ADDRESSES_MAX}) as "formerAddresses"
    from access.sessions s
      join members.profiles m on m.id = s.member_id
      cross join now
      cross join lateral (select members.security_changed_at(s.member_id) as at) changed
    where s.member_id = any (${memberIds}::integer[])
      and access.is_live(s.created_at, s.last_seen_at, m.role, now.at)`);

export type ScoredSession = { id: string; score: number; reasons: unknown };

/** Stores scores. The rows are locked in one order, because two nodes may do so at once. */
export const storeScores = (reader: Reader, scored: readonly ScoredSession[]) =>
  reader.rows(sql`
    update access.sessions s set risk_score = scored.score, risk_reasons = scored.reasons
    from (
      select l.id, n.score, n.reasons
      from access.sessions l
        join jsonb_to_recordset(${json(scored)}::jsonb) as n (id uuid, score smallint, reasons jsonb) on n.id = l.id
      order by l.id for no key update of l) scored
    where s.id = scored.id`);

const riskySessions = (scoreMin: number) => sql`
  from access.sessions s join members.profiles m on m.id = s.member_id
  where s.risk_score >= 50 and s.risk_score >= ${scoreMin}
    and access.is_live(s.created_at, s.last_seen_at, m.role, platform.business_now())`;

export const countRisky = (reader: Reader, scoreMin: number, limit: number) =>
  reader.one<{ sessions: number }>(sql`
    select count(*)::integer as sessions from (select ${riskySessions(scoreMin)} limit ${limit}) s`);

export type RiskySessionRow = {
  id: string;
  memberId: number;
  firstName: string;
  lastName: string | null;
  score: number;
  reasons: unknown;
  address: string;
  userAgent: string;
  createdAt: Date;
};

export const listRisky = (reader: Reader, scoreMin: number, limit: number) =>
  reader.rows<RiskySessionRow>(sql`
    select s.id, s.member_id as "memberId", m.first_name as "firstName", m.last_name as "lastName",
      s.risk_score::integer as score, s.risk_reasons as reasons, host(s.address) as address,
      s.user_agent as "userAgent", s.created_at as "createdAt"
    ${riskySessions(scoreMin)}
    order by s.risk_score desc, s.id limit ${limit}`);
