import type { auditCauses, Comparison } from '#contract/ledger-books.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import type { Difference } from './audit-queries.ts';

/** SQL of the audits: when they are due, and their results. */

export type AuditCause = (typeof auditCauses)[number];

export type AuditRow = {
  id: bigint;
  cause: AuditCause;
  dueAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  pieces: number;
  findings: number;
};

/** What a check did. `notChecked` is the reason if it could not be made, `isFailed` whether it failed by itself. */
export type CheckResult = {
  name: string;
  pieces: number;
  findings: number;
  notChecked: string | null;
  isFailed: boolean;
  compared: Comparison | null;
};

/** Audits of former releases lack `compared` or `isFailed`. */
export type StoredCheck = Omit<CheckResult, 'compared' | 'isFailed'> &
  Partial<Pick<CheckResult, 'compared' | 'isFailed'>>;

const columns = sql`id, cause, due_at as "dueAt", started_at as "startedAt", finished_at as "finishedAt",
  piece_count as pieces, finding_count as findings`;

/** Adds an audit that is due after a delay. Undefined if one of this cause has not ended. */
export const insertAudit = (reader: Reader, cause: AuditCause, delaySeconds: number) =>
  reader.row<AuditRow>(sql`
    insert into ledger.audits (cause, due_at)
    values (${cause}, platform.business_now() + ${delaySeconds} * interval '1 second')
    on conflict (cause) where finished_at is null do nothing
    returning ${columns}`);

export const findOpenAudit = (reader: Reader, cause: AuditCause) =>
  reader.row<AuditRow>(
    sql`select ${columns} from ledger.audits where cause = ${cause} and finished_at is null`,
  );

/**
 * Sets the audit of the coming night, at this hour of the site's day. An audit that a wrong clock put further ahead is
 * set back.
 */
export const setNightAudit = (reader: Reader, hour: number) =>
  reader.rows(sql`
    insert into ledger.audits (cause, due_at)
    select 'night', case when n.tonight > c.now then n.tonight else n.next_night end
    from (select platform.business_time(offset_seconds) as now, site_timezone as zone from platform.site_clock) c
      cross join lateral (
        select platform.day_in(c.zone, c.now)::timestamp + ${hour} * interval '1 hour' as hour_today) h
      cross join lateral (
        select h.hour_today at time zone c.zone as tonight,
          (h.hour_today + interval '1 day') at time zone c.zone as next_night) n
    on conflict (cause) where finished_at is null do update set due_at = excluded.due_at
    where audits.due_at > excluded.due_at and audits.started_at is null`);

/** The audit that is due first. */
export const findDueAudit = (reader: Reader) =>
  reader.row<{ id: bigint; cause: AuditCause }>(sql`
    select id, cause from ledger.audits where finished_at is null and due_at <= platform.business_now()
    order by due_at, id limit 1`);

/** Begins an audit, also one that ended with its process. */
export const beginAudit = (reader: Reader, lease: LeaseToken, id: bigint) =>
  reader.row(sql`
    update ledger.audits set started_at = platform.business_now()
    where id = ${id} and finished_at is null and ${holdsLease(lease)}
    returning id`);

export const finishAudit = async (
  tx: Tx,
  id: bigint,
  checks: readonly CheckResult[],
  differences: readonly Difference[],
) => {
  await tx.rows(sql`
    update ledger.audits
    set finished_at = platform.business_now(), checks = ${json(checks)}::jsonb,
      piece_count = ${checks.reduce((sum, { pieces }) => sum + pieces, 0)},
      finding_count = ${checks.reduce((sum, { findings }) => sum + findings, 0)}
    where id = ${id}`);
  await tx.rows(sql`
    insert into ledger.audit_findings (audit_id, place, check_name, subject, expected, actual)
    select ${id}, place, "check", subject, expected, actual
    from jsonb_to_recordset(${json(differences.map((difference, place) => ({ ...difference, place })))}::jsonb)
      as found (place integer, "check" text, subject text, expected text, actual text)`);
};

/** Deletes all finished audits but the newest. */
export const deleteOldAudits = (reader: Reader, kept: number) =>
  reader.rows(sql`
    delete from ledger.audits where finished_at is not null and id <= (
      select id from ledger.audits where finished_at is not null order by id desc offset ${kept} limit 1)`);

export const readAudits = (reader: Reader, limit: number) =>
  reader.rows<AuditRow>(sql`select ${columns} from ledger.audits order by id desc limit ${limit}`);

export const findLastAudit = (reader: Reader) =>
  reader.row<AuditRow & { checks: StoredCheck[] }>(sql`
    select ${columns}, checks from ledger.audits where finished_at is not null
    order by finished_at desc, id desc limit 1`);

export const findFinishedAudit = (reader: Reader, id: bigint) =>
  reader.row<AuditRow & { checks: StoredCheck[] }>(sql`
    select ${columns}, checks from ledger.audits where id = ${id} and finished_at is not null`);

/** The number of findings of the last audit, and its age in seconds. */
export const readLastResult = (reader: Reader) =>
  reader.row<{ findings: number; ageS: number }>(sql`
    select finding_count as findings,
      extract(epoch from platform.business_now() - finished_at)::double precision as "ageS"
    from ledger.audits where finished_at is not null order by finished_at desc, id desc limit 1`);

export const readFindings = (reader: Reader, id: bigint) =>
  reader.rows<Difference>(sql`
    select check_name as "check", subject, expected, actual from ledger.audit_findings
    where audit_id = ${id} order by place`);
