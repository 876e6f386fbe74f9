import { type Database, sql } from '#platform/database.ts';

/** Adds a row for each operators’ call about one thing that no act of a test makes. Returns the ids of two of them. */
export async function addRowsToRead(
  owner: Database,
  memberId: string,
  messageId: bigint,
): Promise<[auditId: string, bulkId: string]> {
  await owner.rows(sql`
    insert into earning.quarantine (at, provider, kind, transaction_id, credit_transaction_id, member_ref, subject,
      is_screen_out, reason)
    values (now(), 'cpx', 'reversal', 'secrets-1', 'secrets-0', ${memberId}, '', false, 'unknown-credit')`);
  await owner.rows(sql`
    insert into access.registration_reviews (email, facts, created_at) values ('secrets@example.com', '{}', now())`);
  await owner.rows(sql`
    insert into claims.claims (member_id, opening_id, provider, opened_at, text, filed_at, due_at)
    values (${Number(memberId)}, 1, 'cpx', now(), 'Nothing came', now(), now())`);
  await owner.rows(sql`
    insert into chat.cases (message_id, reporters, reason, reported_at)
    values (${messageId}, 1, 'begging', platform.business_now())`);
  const { auditId } = await owner.one<{ auditId: string }>(sql`
    insert into ledger.audits (cause, due_at, started_at, finished_at)
    values ('operator', platform.business_now(), platform.business_now(), platform.business_now())
    returning id::text as "auditId"`);
  await owner.rows(sql`
    insert into broadcasts.broadcasts (id, kind, subject, content, created_at, changed_at) overriding system value
    select ${auditId}::bigint, 'news', 'A short pause', 'On Monday', n.now, n.now
    from (select platform.business_now() as now) n`);
  await owner.rows(sql`
    insert into risk.detections (id, method, shared_identifier, size, primary_member_id, related_member_ids, kinds,
      risk_score, confidence, created_at) overriding system value
    select ${auditId}::bigint, 'same-mailbox', 'secrets', 2, ${Number(memberId)}, '{}', '{mailbox}', 60, 'medium',
      platform.business_now()`);
  const { bulkId } = await owner.one<{ bulkId: string }>(sql`
    insert into withdrawals.bulk_acts (operator_id, decision, is_with_flagged, row_count, points, finished_at)
    select id, 'approve', false, 0, 0, platform.business_now() from members.members where role = 'admin' limit 1
    returning id::text as "bulkId"`);
  return [auditId, bulkId];
}
