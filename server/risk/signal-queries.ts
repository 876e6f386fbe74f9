import type { Activity, Detection, DetectionStatus } from '#contract/risk-signals.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of what rules look at and found. */

/** The next members after this one, who are not deleted. */
export const listMembersAfter = (reader: Reader, after: number, limit: number) =>
  reader.rows<{ id: number }>(sql`
    select id from members.profiles where id > ${after} and deleted_at is null order by id limit ${limit}`);

/** Of these members, those whose account is not deleted, with who invited them. */
export const listReferrers = (reader: Reader, memberIds: readonly number[]) =>
  reader.rows<{ id: number; referrerId: number | null }>(sql`
    select id, referred_by as "referrerId" from members.profiles
    where id = any (${memberIds}::integer[]) and deleted_at is null`);

/**
 * Mailboxes that several members have and confirmed: anybody can register with somebody else's. The address is not
 * stored, so that it goes with the account.
 */
export const listSharedMailboxes = (reader: Reader, memberIds: readonly number[], membersMax: number) =>
  reader.rows<{ identifier: string; memberIds: number[] }>(sql`
    select left(encode(sha256(convert_to(own.email_canonical, 'UTF8')), 'hex'), 16) as identifier,
      o.ids as "memberIds"
    from (
      select distinct email_canonical from members.profiles
      where id = any (${memberIds}::integer[]) and email_verified_at is not null) own
      cross join lateral (
        select array_agg(sharer.id order by sharer.id) as ids from (
          select id from members.profiles m
          where m.email_canonical = own.email_canonical and m.email_verified_at is not null
            and m.deleted_at is null limit ${membersMax}) sharer) o
    where cardinality(o.ids) > 1`);

export type FoundRow = {
  rule: string;
  ruleVersion: number;
  subject: string;
  size: number;
  level: string;
  memberIds: readonly number[];
  kinds: readonly string[];
  count: number | null;
  total: number | null;
  address: string | null;
  score: number | null;
  confidence: string;
  isShadow: boolean;
};

const now = sql`date_trunc('milliseconds', platform.business_now())`;

/** Records an activity, or again one that grew or was known in shadow alone; undefined if it is known. */
export const recordActivity = (tx: Tx, found: FoundRow) =>
  tx.row(sql`
    insert into risk.activities as a
      (rule, subject, size, level, member_id, member_ids, kinds, count, total, address,
        created_at, is_shadow, rule_version)
    values (${found.rule}, ${found.subject}, ${found.size}, ${found.level}, ${found.memberIds[0] ?? null},
      ${found.memberIds}::integer[], ${found.kinds}::text[], ${found.count}, ${found.total},
      ${found.address}::inet, ${now}, ${found.isShadow}, ${found.ruleVersion})
    on conflict (rule, subject) do update
    set size = excluded.size, level = excluded.level, member_ids = excluded.member_ids, kinds = excluded.kinds,
      count = excluded.count, total = excluded.total, address = excluded.address, created_at = excluded.created_at,
      is_shadow = excluded.is_shadow, rule_version = excluded.rule_version
    where excluded.size > a.size or (a.is_shadow and not excluded.is_shadow)
    returning a.id`);

/** Records a detection. One that grew is open again, because somebody new is in it. */
export const recordDetection = (tx: Tx, found: FoundRow) =>
  tx.rows(sql`
    insert into risk.detections as d (method, shared_identifier, size, primary_member_id, related_member_ids, kinds,
      risk_score, confidence, created_at, rule_version)
    values (${found.rule}, ${found.subject}, ${found.size}, ${found.memberIds[0] ?? 0},
      ${found.memberIds.slice(1)}::integer[], ${found.kinds}::text[], ${found.score}, ${found.confidence}, ${now},
      ${found.ruleVersion})
    on conflict (method, shared_identifier) do update
    set size = excluded.size, related_member_ids = excluded.related_member_ids, kinds = excluded.kinds,
      primary_member_id = excluded.primary_member_id, risk_score = excluded.risk_score,
      confidence = excluded.confidence, rule_version = excluded.rule_version, status = 'open', decided_at = null,
      decided_by = null
    where excluded.size > d.size`);

type Named = { id: string; name: string };

export type ActivityRow = {
  id: bigint;
  memberId: number | null;
  level: Activity['riskLevel'];
  rule: Activity['activityType'];
  ruleVersion: number;
  isShadow: boolean;
  subject: string;
  kinds: Activity['evidence']['kinds'];
  members: Named[];
  memberCount: number;
  count: number | null;
  total: number | null;
  address: string | null;
  createdAt: Date;
};

/** The named members of an array, at most so many. */
const MEMBERS_SHOWN = 10;
const namesOf = (ids: ReturnType<typeof sql>) => sql`coalesce((
  select jsonb_agg(jsonb_build_object('id', m.id::text, 'name', concat_ws(' ', m.first_name, m.last_name))
    order by m.id)
  from members.profiles m where m.id = any ((${ids})[1:${MEMBERS_SHOWN}])), '[]')`;

export const activityColumns = sql`a.id, a.member_id as "memberId", a.level, a.rule, a.subject, a.kinds,
  ${namesOf(sql`a.member_ids`)} as members, cardinality(a.member_ids) as "memberCount", a.count, a.total,
  host(a.address) as address, a.created_at as "createdAt", a.is_shadow as "isShadow",
  a.rule_version as "ruleVersion"`;

export type DetectionRow = Pick<
  Detection,
  | 'riskScore'
  | 'confidence'
  | 'status'
  | 'kinds'
  | 'sharedIdentifier'
  | 'detectionMethod'
  | 'isHousehold'
  | 'ruleVersion'
> & {
  id: bigint;
  primaryId: number;
  relatedIds: number[];
  primaryFirstName: string;
  primaryLastName: string | null;
  members: Named[];
  createdAt: Date;
  decidedAt: Date | null;
  operatorFirstName: string | null;
  operatorLastName: string | null;
};

const isHousehold = sql`risk.is_one_household(d.primary_member_id || d.related_member_ids, d.created_at)`;

/** A household shares what it shares: between its members alone nothing is more than of medium confidence. */
export const shownConfidence = sql`
  case when d.confidence = 'high' and ${isHousehold} then 'medium' else d.confidence end`;

export const detectionColumns = sql`d.id, d.primary_member_id as "primaryId", d.related_member_ids as "relatedIds",
  d.method as "detectionMethod", d.shared_identifier as "sharedIdentifier", d.risk_score as "riskScore",
  d.rule_version as "ruleVersion",
  ${shownConfidence} as confidence, ${isHousehold} as "isHousehold", d.status, d.kinds,
  d.created_at as "createdAt", d.decided_at as "decidedAt",
  p.first_name as "primaryFirstName", p.last_name as "primaryLastName",
  o.first_name as "operatorFirstName", o.last_name as "operatorLastName",
  ${namesOf(sql`d.related_member_ids`)} as members`;
export const detectionJoins = sql`
  join members.profiles p on p.id = d.primary_member_id
  left join members.profiles o on o.id = d.decided_by and o.deleted_at is null`;

export const findDetection = (reader: Reader, id: bigint) =>
  reader.row<DetectionRow>(
    sql`select ${detectionColumns} from risk.detections d ${detectionJoins} where d.id = ${id}`,
  );

/** Decides a detection that is open; undefined if it is not. */
export const decideDetection = (tx: Tx, id: bigint, status: DetectionStatus, operatorId: number) =>
  tx.row<{ id: bigint }>(sql`
    update risk.detections set status = ${status}, decided_at = platform.business_now(), decided_by = ${operatorId}
    where id = ${id} and status = 'open' returning id`);

export const COUNT_MAX = 10_000;

/** The figures that risk and members know, each counted up to 10,000. */
export const readStats = (reader: Reader) =>
  reader.one<Record<'activities' | 'blocked' | 'devices' | 'wallets', number>>(sql`
    select
      (select count(*)::integer from (
        select from risk.activities
        where created_at > platform.business_now() - interval '1 day' and not is_shadow
        limit ${COUNT_MAX}) a) as activities,
      (select count(*)::integer from (
        select from members.profiles where role = 'banned' and deleted_at is null limit ${COUNT_MAX}) m) as blocked,
      (select count(*)::integer from (
        select from risk.detections where status = 'open' and method = 'shared-device' limit ${COUNT_MAX}) d)
        as devices,
      (select count(*)::integer from (
        select from risk.detections where status = 'open' and method = 'shared-payout-address' limit ${COUNT_MAX}) d)
        as wallets`);

/** The highest score of the detections that name each of these members and were not dismissed. */
export const listDetectionScores = (reader: Reader, memberIds: readonly number[]) =>
  reader.rows<{ id: number; score: number }>(sql`
    select named.id, max(d.risk_score) as score
    from risk.detections d cross join lateral unnest(d.primary_member_id || d.related_member_ids) named (id)
    where d.status <> 'dismissed' and named.id = any (${memberIds}::integer[]) group by named.id`);

export const removeOld = async (reader: Reader, rowsMax: number): Promise<number> =>
  (await reader.one<{ removed: number }>(sql`select risk.remove_old(${rowsMax}) as removed`)).removed;

/** Takes a member's network addresses out of what was found. */
export const forgetAddresses = (tx: Tx, memberId: number) =>
  tx.rows(
    sql`update risk.activities set address = null where member_id = ${memberId} and address is not null`,
  );
