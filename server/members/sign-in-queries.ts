import type { User } from '#contract/user.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/**
 * SQL of members for access alone: the owners of addresses, phone numbers and referral codes, and the columns of
 * signing in. Access decides who may change them; no other feature may import this file.
 */

export type MemberRow = {
  id: number;
  email: string;
  firstName: string;
  lastName: string | null;
  role: User['role'];
  profileImageUrl: string | null;
  createdAt: Date;
  referralCode: string;
  chatTheme: string;
  chatBubbleColor: string;
  chatTextColor: string;
  phoneVerifiedAt: Date | null;
  phoneNumber: string | null;
};

export const memberColumns = sql`m.id, m.email, m.first_name as "firstName", m.last_name as "lastName", m.role,
  m.profile_image_url as "profileImageUrl", m.created_at as "createdAt",
  m.referral_code as "referralCode", m.chat_theme as "chatTheme", m.chat_bubble_color as "chatBubbleColor",
    m.chat_text_color as "chatTextColor", m.phone_verified_at as "phoneVerifiedAt", m.phone_number as "phoneNumber"`;

export const findMember = (reader: Reader, memberId: number) =>
  reader.row<MemberRow>(sql`select ${memberColumns} from members.members m where m.id = ${memberId}`);

export const findReferrer = (reader: Reader, referralCode: string) =>
  reader.row<{ id: number }>(
    sql`select id from members.members
      where referral_code = ${referralCode} and role <> 'banned' and deleted_at is null`,
  );

export const readRole = (reader: Reader, email: string) =>
  reader.row<{ id: number; role: User['role'] }>(
    sql`select id, role from members.members where email = ${email}`,
  );

export const hasOperator = async (reader: Reader): Promise<boolean> =>
  (await reader.row(sql`select from members.members where role = 'admin' and deleted_at is null limit 1`)) !==
  undefined;

export const findCredentials = (reader: Reader, email: string) =>
  reader.row<{
    id: number;
    passwordHash: string | null;
    role: User['role'];
    hasSignedIn: boolean;
    awaitsReset: boolean;
  }>(sql`
    select id, password_hash as "passwordHash", role, last_sign_in_at is not null as "hasSignedIn",
      awaits_reset as "awaitsReset"
    from members.members where email = ${email}`);

export type OwnCredentials = {
  email: string;
  passwordHash: string | null;
  role: 'user' | 'admin' | 'banned';
  /**
   * Whether the password proves more than a session: nobody set it with a session alone in the last 24 hours, in which
   * the owner may read the mail about it.
   */
  isProven: boolean;
};

export const findOwnCredentials = (reader: Reader, memberId: number) =>
  reader.row<OwnCredentials>(sql`
    select email, password_hash as "passwordHash", role,
      coalesce(unproven_password_at <= platform.business_now() - interval '24 hours', true) as "isProven"
    from members.members where id = ${memberId} and deleted_at is null`);

/** Replaces the password if it is still the checked one, so that only one of several concurrent changes succeeds. */
export const replacePassword = (tx: Tx, memberId: number, checkedHash: string, newHash: string) =>
  tx.row<{ id: number }>(sql`
    update members.members set password_hash = ${newHash}
    where id = ${memberId} and password_hash = ${checkedHash} returning id`);

export const setPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.rows(sql`update members.members set password_hash = ${passwordHash} where id = ${memberId}`);

/** Sets a password that a mailed link allowed. Sign-ins are open again. */
export const resetPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.rows(sql`
    update members.members
    set password_hash = ${passwordHash}, awaits_reset = false, unproven_password_at = null
    where id = ${memberId}`);

/** Refuses all sign-ins until a reset of the password. */
export const awaitReset = (tx: Tx, memberId: number) =>
  tx.rows(sql`update members.members set awaits_reset = true where id = ${memberId}`);

/** Notes a change of what protects the account that is in no column of its own. */
export const noteSecurityChange = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members set security_changed_at = platform.business_now() where id = ${memberId}`);

/** The time of the last change of security, as text, because a `Date` has no microseconds. Locks the row. */
export const lockSecurityTime = (tx: Tx, memberId: number) =>
  tx.one<{ changedAt: string | null }>(sql`
    select security_changed_at::text as "changedAt" from members.members where id = ${memberId} for update`);

export const restoreSecurityTime = (tx: Tx, memberId: number, changedAt: string | null) =>
  tx.rows(sql`
    update members.members set security_changed_at = ${changedAt}::timestamptz where id = ${memberId}`);

export const noteNewDevice = (tx: Tx, memberId: number) =>
  tx.rows(sql`update members.members set new_device_at = platform.business_now() where id = ${memberId}`);

/**
 * Records a sign-in. Undefined if the account is deleted or waits for a reset of the password, or its password is no
 * longer the checked one (`checkedHash`; null if none was checked).
 */
export const recordSignIn = (tx: Tx, memberId: number, checkedHash: string | null) =>
  tx.row<{ id: number }>(sql`
    update members.members set last_sign_in_at = platform.business_now()
    where id = ${memberId} and deleted_at is null and not awaits_reset
      and (${checkedHash}::text is null or password_hash = ${checkedHash})
    returning id`);

export type MailableMember = {
  id: number;
  email: string;
  language: 'en' | 'ko';
  emailVerifiedAt: Date | null;
};

const mailable = sql`m.id, m.email, m.language, m.email_verified_at as "emailVerifiedAt"`;

/** Finds a member to send mail to. A deleted account gets no mail. */
export const findMailable = (reader: Reader, memberId: number) =>
  reader.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.id = ${memberId} and m.deleted_at is null`,
  );

/** The same, with the row locked until the end of the transaction, so that the account is not deleted meanwhile. */
export const lockMailable = (tx: Tx, memberId: number) =>
  tx.row<MailableMember & { awaitsReset: boolean }>(sql`
    select ${mailable}, m.awaits_reset as "awaitsReset"
    from members.members m where m.id = ${memberId} and m.deleted_at is null for update`);

export const findMailableByEmail = (reader: Reader, email: string) =>
  reader.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.email = ${email} and m.deleted_at is null`,
  );

/** Marks the e-mail address as verified. A later verification keeps the first time. */
export const setEmailVerified = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members set email_verified_at = platform.business_now()
    where id = ${memberId} and email_verified_at is null`);

/** Sets the password of an account without one, for somebody with a session; undefined if it has one. */
export const setFirstPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.row<MailableMember>(sql`
    update members.members m set password_hash = ${passwordHash}, unproven_password_at = platform.business_now()
    where m.id = ${memberId} and m.password_hash is null and m.deleted_at is null returning ${mailable}`);

/** Removes the password of an account whose e-mail address was not verified when it was chosen. */
export const clearPasswordHash = (tx: Tx, memberId: number) =>
  tx.rows(sql`update members.members set password_hash = null where id = ${memberId}`);

export type LinkableMember = MailableMember & {
  role: 'user' | 'admin' | 'banned';
  isDeleted: boolean;
  awaitsReset: boolean;
};

const linkable = sql`${mailable}, m.role, m.deleted_at is not null as "isDeleted", m.awaits_reset as "awaitsReset"`;

export const findLinkable = (reader: Reader, memberId: number) =>
  reader.row<LinkableMember>(sql`select ${linkable} from members.members m where m.id = ${memberId}`);

/** Finds the account of an address and locks its row until the end of the transaction. */
export const lockByEmail = (tx: Tx, email: string) =>
  tx.row<LinkableMember>(sql`select ${linkable} from members.members m where m.email = ${email} for update`);

export const phoneOwner = (reader: Reader, phoneNumber: string) =>
  reader.row<{ id: number }>(sql`select id from members.members where phone_number = ${phoneNumber}`);

/** The numbers that fit a pattern, with their members. */
export const findPhonesLike = (reader: Reader, pattern: string) =>
  reader.rows<{ id: number; phoneNumber: string }>(sql`
    select id, phone_number as "phoneNumber" from members.members
    where phone_number ~ ${pattern} order by id`);

/**
 * The other member who has the number `to`, and whether that one verified it before this member, who has `from`; locks
 * both rows. Undefined also if this member's number has changed.
 */
export const readPhoneHolder = (tx: Tx, memberId: number, { from, to }: { from: string; to: string }) =>
  tx.row<{ id: number; isEarlier: boolean }>(sql`
    select o.id, (o.phone_verified_at, o.id) < (m.phone_verified_at, m.id) as "isEarlier"
    from members.members o join members.members m on m.id = ${memberId}
    where o.id <> m.id and o.phone_number = ${to} and m.phone_number = ${from} for update`);

export const freePhone = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members set phone_number = null, phone_verified_at = null where id = ${memberId}`);

/** Gives a member's number another text of the same number. */
export const movePhone = (tx: Tx, memberId: number, { from, to }: { from: string; to: string }) =>
  tx.rows(sql`
    update members.members set phone_number = ${to} where id = ${memberId} and phone_number = ${from}`);

/**
 * Sets the verified number. Within 24 hours of a sign-in with a new browser, also the first one is a change of
 * security, because that browser may be a thief's. Undefined if the verified number is no longer the former one.
 * @throws the unique violation `members_phone_number_key` if another member has the number
 */
export const setVerifiedPhone = (
  tx: Tx,
  memberId: number,
  { phoneNumber, formerNumber }: { phoneNumber: string; formerNumber: string | null },
) =>
  tx.row<MemberRow>(sql`
    update members.members m set phone_number = ${phoneNumber}, phone_verified_at = platform.business_now(),
      security_changed_at = case when m.new_device_at > platform.business_now() - interval '24 hours'
        then platform.business_now() else m.security_changed_at end
    where m.id = ${memberId}
      and case when m.phone_verified_at is not null then m.phone_number end is not distinct from ${formerNumber}::text
    returning ${memberColumns}`);
