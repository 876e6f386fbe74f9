import type { ListedSuspension } from '#contract/members-suspensions.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of suspensions for operators. `members.restrictions` says what each blocks. */

type Kind = Pick<ListedSuspension, 'severity' | 'suspensionType'>;

export type ListedRow = Kind & {
  id: bigint;
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  reason: string;
  expiresAt: Date | null;
  isActive: boolean;
  createdAt: Date;
  liftedAt: Date | null;
  liftReason: string | null;
  operatorEmail: string | null;
  isOwnWord: boolean;
  liftedByEmail: string | null;
};

export const isActive = sql`members.is_in_force(s.lifted_at, s.expires_at)`;

export const listedColumns = sql`s.id, s.member_id as "memberId", m.first_name as "firstName",
  m.last_name as "lastName", m.email, s.reason, s.severity, s.suspension_type as "suspensionType",
  s.expires_at as "expiresAt", ${isActive} as "isActive", s.created_at as "createdAt", s.lifted_at as "liftedAt",
  s.lift_reason as "liftReason", o.email as "operatorEmail", s.ends_with_reset as "isOwnWord",
  l.email as "liftedByEmail"`;
export const listedJoins = sql`
  join members.members m on m.id = s.member_id
  left join members.members o on o.id = s.created_by
  left join members.members l on l.id = s.lifted_by`;

export const findListed = (reader: Reader, id: bigint) =>
  reader.row<ListedRow>(
    sql`select ${listedColumns} from members.suspensions s ${listedJoins} where s.id = ${id}`,
  );

export type NewSuspension = Kind & {
  memberId: number;
  reason: string;
  expiresAt: string | null;
  operatorId: number | null;
};

/**
 * Adds a suspension, unless an operator's of this type is active; undefined then. The caller holds the lock on the
 * member's wallet.
 */
export const insertSuspension = (tx: Tx, suspension: NewSuspension) =>
  tx.row<{ id: bigint }>(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, expires_at, created_by, created_at)
    select ${suspension.memberId}, ${suspension.reason}, ${suspension.severity}, ${suspension.suspensionType},
      ${suspension.expiresAt}::timestamptz, ${suspension.operatorId}, platform.business_now()
    where not exists (
      select from members.suspensions s
      where s.member_id = ${suspension.memberId} and s.suspension_type = ${suspension.suspensionType}
        and not s.ends_with_reset and ${isActive})
    returning id`);

/** Lifts a suspension that is active; undefined if it ended before. */
export const endSuspension = (tx: Tx, id: bigint, operatorId: number | null, reason: string) =>
  tx.row<{ id: bigint }>(sql`
    update members.suspensions s
    set lifted_at = platform.business_now(), lift_reason = ${reason}, lifted_by = ${operatorId}
    where s.id = ${id} and ${isActive}
    returning s.id`);

/** Gives a member the role that suspensions cause: banned by one that is permanent and full, else a user's. */
export const setSuspendedRole = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members m
    set role = case when exists (
      select from members.suspensions s
      where s.member_id = m.id and s.severity = 'permanent' and s.suspension_type = 'full_suspension' and ${isActive})
      then 'banned' else 'user' end
    where m.id = ${memberId} and m.role <> 'admin'`);

export const findRoleAndTime = (tx: Tx, memberId: number, time: string | null) =>
  tx.one<{ role: 'user' | 'admin' | 'banned'; isDeleted: boolean; isLater: boolean }>(sql`
    select m.role, m.deleted_at is not null as "isDeleted",
      coalesce(${time}::timestamptz > platform.business_now(), true) as "isLater"
    from members.members m where m.id = ${memberId}`);
