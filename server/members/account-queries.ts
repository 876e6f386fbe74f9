import type { Account } from '#contract/members-accounts.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of what operators see of accounts. */

export type AccountRow = {
  id: number;
  email: string;
  firstName: string;
  lastName: string | null;
  role: Account['role'];
  balance: bigint;
  totalEarned: bigint;
  createdAt: Date;
  lastSignInAt: Date | null;
  isBlocked: boolean;
  profileImageUrl: string | null;
  deletedAt: Date | null;
};

export const accountColumns = sql`m.id, m.email, m.first_name as "firstName", m.last_name as "lastName", m.role,
  w.balance, w.earned_total as "totalEarned", m.created_at as "createdAt", m.last_sign_in_at as "lastSignInAt",
  r.are_earnings_blocked or r.are_withdrawals_blocked as "isBlocked", m.profile_image_url as "profileImageUrl",
  m.deleted_at as "deletedAt"`;
export const accountJoins = sql`
  join ledger.wallet_totals w on w.member_id = m.id cross join lateral members.restrictions(m.id) r`;

export type Counts = {
  /** With deleted accounts. */
  memberCount: bigint;
  deletedCount: bigint;
  activeCount: bigint;
  joinedTodayCount: bigint;
};

export const readCounts = (reader: Reader) =>
  reader.one<Counts>(sql`
    select member_count as "memberCount", deleted_count as "deletedCount", active_count as "activeCount",
      joined_today_count as "joinedTodayCount"
    from members.read_counts()`);

/** Counts the members again, unless that was done less than `pauseS` seconds ago. */
export const countMembers = (reader: Reader, pauseS: number) =>
  reader.one<{ isDone: boolean }>(sql`select members.count_members(${pauseS}) as "isDone"`);

export const findDeletion = (tx: Tx, memberId: number) =>
  tx.row<{ role: Account['role']; deletedAt: Date | null }>(
    sql`select role, deleted_at as "deletedAt" from members.members where id = ${memberId}`,
  );

export type SuspensionRow = {
  id: bigint;
  suspensionType: 'earnings_blocked' | 'withdrawal_blocked' | 'full_suspension';
  severity: 'warning' | 'temporary' | 'permanent';
  reason: string;
  createdAt: Date;
  createdBy: number | null;
  isOwnWord: boolean;
  expiresAt: Date | null;
  liftedAt: Date | null;
  liftReason: string | null;
  liftedBy: number | null;
  isActive: boolean;
};

const SUSPENSIONS_MAX = 200;

/** Lists a member's suspensions, newest first. */
export const listSuspensions = (reader: Reader, memberId: number) =>
  reader.rows<SuspensionRow>(sql`
    select id, suspension_type as "suspensionType", severity, reason, created_at as "createdAt",
      created_by as "createdBy", ends_with_reset as "isOwnWord",
      expires_at as "expiresAt", lifted_at as "liftedAt", lift_reason as "liftReason",
      lifted_by as "liftedBy", members.is_in_force(lifted_at, expires_at) as "isActive"
    from members.suspensions where member_id = ${memberId} order by id desc limit ${SUSPENSIONS_MAX}`);

export type AccountTimes = { createdAt: Date; deletedAt: Date | null; registeredFrom: string | null };

export const findAccountTimes = (reader: Reader, memberId: number) =>
  reader.row<AccountTimes>(sql`
    select created_at as "createdAt", deleted_at as "deletedAt", host(registered_from) as "registeredFrom"
    from members.members where id = ${memberId}`);

export const listEmails = (reader: Reader, ids: readonly number[]) =>
  reader.rows<{ id: number; email: string }>(
    sql`select id, email from members.members where id = any (${ids}::integer[])`,
  );

export type RecordRow = AccountRow & {
  emailCanonical: string;
  emailVerifiedAt: Date | null;
  phoneNumber: string | null;
  phoneVerifiedAt: Date | null;
  hasPassword: boolean;
  language: 'en' | 'ko';
  timezone: string | null;
  termsVersion: string;
  referrerId: number | null;
  securityChangedAt: Date | null;
  anonymisedAt: Date | null;
};

export const findRecord = (reader: Reader, memberId: number) =>
  reader.row<RecordRow>(sql`
    select ${accountColumns}, m.email_canonical as "emailCanonical", m.email_verified_at as "emailVerifiedAt",
      m.phone_number as "phoneNumber", m.phone_verified_at as "phoneVerifiedAt",
      m.password_hash is not null as "hasPassword", m.language, m.timezone, m.terms_version as "termsVersion",
      m.referred_by as "referrerId", m.security_changed_at as "securityChangedAt", m.anonymised_at as "anonymisedAt"
    from members.members m ${accountJoins} where m.id = ${memberId}`);

export type Person = { id: number; firstName: string; lastName: string | null; email: string };

export const listPeople = (reader: Reader, ids: readonly number[]) =>
  reader.rows<Person>(sql`
    select id, first_name as "firstName", last_name as "lastName", email from members.members
    where id = any (${ids}::integer[]) order by id`);

/** Finds other members of the same mailbox. */
export const findMailboxSharers = (
  reader: Reader,
  record: { id: number; emailCanonical: string },
  limit: number,
) =>
  reader.rows<{ id: number }>(sql`
    select id from members.members
    where email_canonical = ${record.emailCanonical} and id <> ${record.id} limit ${limit}`);
