import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of members who are away. */

/** Members who are away at a time and were not told, at most `limit`. */
export const readUntold = async (reader: Reader, at: Date, zone: string, limit: number): Promise<number[]> =>
  (
    await reader.rows<{ id: number }>(sql`
      select id from decisions.untold(${at}, ${zone}, ${limit}) as id`)
  ).map(({ id }) => id);

/** Notes an absence; undefined if it is noted already, or the member is not away any more. */
export const insertAbsence = (tx: Tx, memberId: number, at: Date, zone: string) =>
  tx.row<{ seenAt: Date }>(sql`
    insert into decisions.absences as a (member_id, seen_at, notified_at)
    select m.id, m.last_sign_in_at, ${at} from members.sign_ins m
    where m.id = ${memberId} and m.deleted_at is null and decisions.is_absent(m.last_sign_in_at, ${at}, ${zone})
    on conflict (member_id) do update set seen_at = excluded.seen_at, notified_at = excluded.notified_at
    where a.seen_at <> excluded.seen_at
    returning seen_at as "seenAt"`);

export type AbsenceRow = {
  id: number;
  firstName: string;
  lastName: string | null;
  email: string;
  balance: bigint;
  seenAt: Date;
  notifiedAt: Date;
};

export const absenceColumns = sql`a.member_id as id, m.first_name as "firstName", m.last_name as "lastName", m.email,
  w.balance, a.seen_at as "seenAt", a.notified_at as "notifiedAt"`;
export const absenceJoins = sql`
  join members.profiles m on m.id = a.member_id
  join ledger.wallet_totals w on w.member_id = a.member_id`;
/** Another sign-in ended the absence. */
export const isAway = sql`exists (
  select from members.sign_ins s
  where s.id = a.member_id and s.last_sign_in_at = a.seen_at and s.deleted_at is null)`;
export const hasPoints = sql`exists (
  select from ledger.wallet_totals t where t.member_id = a.member_id and t.balance > 0)`;
