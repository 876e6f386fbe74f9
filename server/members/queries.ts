import { MEMBER_ID } from '#contract/fields.ts';
import type { ChatTheme, Currency } from '#contract/members.ts';
import type { User } from '#contract/user.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of members, their suspensions, and the display rates. */

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

const memberColumns = sql`m.id, m.email, m.first_name as "firstName", m.last_name as "lastName", m.role,
  m.profile_image_url as "profileImageUrl", m.created_at as "createdAt",
  m.referral_code as "referralCode", m.chat_theme as "chatTheme", m.chat_bubble_color as "chatBubbleColor",
    m.chat_text_color as "chatTextColor", m.phone_verified_at as "phoneVerifiedAt", m.phone_number as "phoneNumber"`;

export const findMember = (reader: Reader, memberId: number) =>
  reader.row<MemberRow>(sql`select ${memberColumns} from members.members m where m.id = ${memberId}`);

export type NewMember = {
  id: number;
  email: string;
  emailCanonical: string;
  passwordHash: string | null;
  firstName: string;
  lastName: string | null;
  role: User['role'];
  referralCode: string;
  referredBy: number | null;
  termsVersion: string;
  address: string | null;
  /** The language of mails until the member chooses one. */
  language: 'en' | 'ko';
  /** A trusted identity provider has verified the e-mail address. */
  isEmailVerified: boolean;
};

/** Inserts a member and opens the wallet; undefined if the e-mail address is taken. */
export async function insertMember(tx: Tx, member: NewMember): Promise<MemberRow | undefined> {
  const row = await tx.row<MemberRow>(sql`
    insert into members.members as m (id, email, email_canonical, password_hash, first_name, last_name, role,
      referral_code, referred_by, terms_version, registered_from, language, email_verified_at, created_at)
    values (${member.id}, ${member.email}, ${member.emailCanonical}, ${member.passwordHash}, ${member.firstName},
      ${member.lastName}, ${member.role}, ${member.referralCode}, ${member.referredBy}, ${member.termsVersion},
      ${member.address}::inet, ${member.language},
      case when ${member.isEmailVerified} then platform.business_now() end, platform.business_now())
    on conflict (email) do nothing
    returning ${memberColumns}`);
  if (row !== undefined) await tx.rows(sql`select ledger.open_wallet(${member.id})`);
  return row;
}

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

export const setRole = (tx: Tx, memberId: number, role: User['role']) =>
  tx.rows(sql`update members.members set role = ${role} where id = ${memberId}`);

/** Finds a member by either unique index. Postbacks use it too. */
export const findByIdOrEmail = (reader: Reader, who: string) =>
  reader.row<{ id: number; email: string }>(sql`
    select id, email from members.members
    where email = ${who} or id = ${MEMBER_ID.test(who) ? Number(who) : 0}`);

export const findCredentials = (reader: Reader, email: string) =>
  reader.row<{ id: number; passwordHash: string | null; role: User['role'] }>(
    sql`select id, password_hash as "passwordHash", role from members.members where email = ${email}`,
  );

export type OwnCredentials = {
  email: string;
  passwordHash: string | null;
  role: 'user' | 'admin' | 'banned';
};

export const findOwnCredentials = (reader: Reader, memberId: number) =>
  reader.row<OwnCredentials>(sql`
    select email, password_hash as "passwordHash",
      role from members.members where id = ${memberId} and deleted_at is null`);

/** Replaces the password if it is still the checked one, so that only one of several concurrent changes succeeds. */
export const replacePassword = (tx: Tx, memberId: number, checkedHash: string, newHash: string) =>
  tx.row<{ id: number }>(sql`
    update members.members set password_hash = ${newHash}
    where id = ${memberId} and password_hash = ${checkedHash} returning id`);

export const setPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.rows(sql`update members.members set password_hash = ${passwordHash} where id = ${memberId}`);

/**
 * Records a sign-in. Undefined if the account is deleted or its password is no longer the checked one (`checkedHash`;
 * null if none was checked).
 */
export const recordSignIn = (tx: Tx, memberId: number, checkedHash: string | null) =>
  tx.row<{ id: number }>(sql`
    update members.members set last_sign_in_at = platform.business_now()
    where id = ${memberId} and deleted_at is null
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
  tx.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.id = ${memberId} and m.deleted_at is null for update`,
  );

export const findMailableByEmail = (reader: Reader, email: string) =>
  reader.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.email = ${email} and m.deleted_at is null`,
  );

/** Marks the e-mail address as verified. A later verification keeps the first time. */
export const setEmailVerified = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members set email_verified_at = platform.business_now()
    where id = ${memberId} and email_verified_at is null`);

/** Sets the password of an account without one; undefined if it has one. */
export const setFirstPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.row<MailableMember>(sql`
    update members.members m set password_hash = ${passwordHash}
    where m.id = ${memberId} and m.password_hash is null and m.deleted_at is null returning ${mailable}`);

/** Removes the password of an account whose e-mail address was not verified when it was chosen. */
export const clearPasswordHash = (tx: Tx, memberId: number) =>
  tx.rows(sql`update members.members set password_hash = null where id = ${memberId}`);

export type LinkableMember = MailableMember & { role: 'user' | 'admin' | 'banned'; isDeleted: boolean };

const linkable = sql`${mailable}, m.role, m.deleted_at is not null as "isDeleted"`;

export const findLinkable = (reader: Reader, memberId: number) =>
  reader.row<LinkableMember>(sql`select ${linkable} from members.members m where m.id = ${memberId}`);

/** Finds the account of an address and locks its row until the end of the transaction. */
export const lockByEmail = (tx: Tx, email: string) =>
  tx.row<LinkableMember>(sql`select ${linkable} from members.members m where m.email = ${email} for update`);

export const phoneOwner = (reader: Reader, phoneNumber: string) =>
  reader.row<{ id: number }>(sql`select id from members.members where phone_number = ${phoneNumber}`);

/** @throws the unique violation `members_phone_number_key` if another member has the number */
export const setVerifiedPhone = (tx: Tx, memberId: number, phoneNumber: string) =>
  tx.row<MemberRow>(sql`
    update members.members m set phone_number = ${phoneNumber}, phone_verified_at = platform.business_now()
    where m.id = ${memberId}
    returning ${memberColumns}`);

export type Refusals = {
  earning: 'account-suspended' | 'earnings-suspended' | null;
  withdrawal: 'account-suspended' | 'withdrawals-suspended' | null;
};

/** Reads the refusals that a member's suspensions cause now. */
export const readRefusals = (reader: Reader, memberId: number) =>
  reader.one<Refusals>(sql`select earning, withdrawal from members.refusals(${memberId})`);

export type SuspensionRow = {
  suspensionType: string;
  severity: string;
  reason: string;
  createdAt: Date;
  expiresAt: Date | null;
  liftedAt: Date | null;
  liftReason: string | null;
};

export const readSuspensions = (reader: Reader, memberId: number) =>
  reader.rows<SuspensionRow>(sql`
    select suspension_type as "suspensionType", severity, reason, created_at as "createdAt",
      expires_at as "expiresAt", lifted_at as "liftedAt", lift_reason as "liftReason"
    from members.suspensions where member_id = ${memberId} order by id limit 1000`);

export type SettingsRow = {
  /** Null until the member chose one. */
  language: 'en' | 'ko' | null;
  timezone: string | null;
  currency: Currency;
  emailNotifications: boolean;
  siteTimezone: string;
};

const settingsColumns = sql`case when m.is_language_chosen then m.language end as language, m.timezone, m.currency,
  m.email_notifications as "emailNotifications",
    (select c.site_timezone from platform.site_clock c) as "siteTimezone"`;

export const findSettings = (reader: Reader, memberId: number) =>
  reader.one<SettingsRow>(sql`select ${settingsColumns} from members.members m where m.id = ${memberId}`);

export type SettingsChange = {
  language: 'en' | 'ko' | null;
  timezone: string | null;
  currency: Currency | null;
  emailNotifications: boolean | null;
};

/** Changes settings; null keeps one unchanged. */
export const saveSettings = (reader: Reader, memberId: number, change: SettingsChange) =>
  reader.one<SettingsRow>(sql`
    update members.members m
    set language = coalesce(${change.language}, m.language),
      is_language_chosen = m.is_language_chosen or ${change.language}::text is not null,
      timezone = coalesce(${change.timezone}, m.timezone),
      currency = coalesce(${change.currency}, m.currency),
      email_notifications = coalesce(${change.emailNotifications}, m.email_notifications)
    where m.id = ${memberId}
    returning ${settingsColumns}`);

export const saveChatTheme = (reader: Reader, memberId: number, theme: ChatTheme) =>
  reader.rows(sql`
    update members.members set chat_theme = ${theme.chatTheme}, chat_bubble_color = ${theme.chatBubbleColor},
      chat_text_color = ${theme.chatTextColor}
    where id = ${memberId}`);

/** Marks an account as deleted and removes its password; undefined if it was deleted before or is an operator's. */
export const markDeleted = (tx: Tx, memberId: number) =>
  tx.row<{ email: string }>(sql`
    update members.members set deleted_at = platform.business_now(), password_hash = null
    where id = ${memberId} and deleted_at is null and role <> 'admin'
    returning email`);

/** Reads accounts that are due for anonymising, oldest first. */
export const readDueForAnonymising = (reader: Reader, limit: number) =>
  reader.rows<{ id: number; email: string }>(sql`
    select id, email from members.members
    where deleted_at <= members.anonymise_until() and anonymised_at is null
    order by deleted_at limit ${limit}`);

export const anonymise = (reader: Reader, memberId: number) =>
  reader.one<{ isDone: boolean }>(sql`select members.anonymise(${memberId}) as "isDone"`);

export type DisplayRateRow = { currency: Currency; perUsd: string; fetchedAt: Date };

export const readFreshDisplayRates = (reader: Reader, maxAgeHours: number) =>
  reader.rows<DisplayRateRow>(sql`
    select currency, trim_scale(per_usd)::text as "perUsd", fetched_at as "fetchedAt" from members.display_rates
    where fetched_at > platform.business_now() - make_interval(hours => ${maxAgeHours})
    order by currency`);

export const saveDisplayRate = (reader: Reader, currency: Currency, perUsd: string) =>
  reader.rows(sql`
    insert into members.display_rates (currency, per_usd, fetched_at)
    values (${currency}, ${perUsd}::numeric, platform.business_now())
    on conflict (currency) do update set per_usd = excluded.per_usd, fetched_at = excluded.fetched_at`);

export type ProfileRow = {
  id: number;
  email: string;
  firstName: string;
  lastName: string | null;
  role: string;
  profileImageUrl: string | null;
  createdAt: Date;
  referralCode: string;
  referredByCode: string | null;
  chatTheme: string;
  chatBubbleColor: string;
  chatTextColor: string;
  phoneNumber: string | null;
  phoneVerifiedAt: Date | null;
  termsVersion: string;
  registeredFrom: string | null;
  lastSignInAt: Date | null;
  hasPassword: boolean;
};

export const readWholeProfile = (reader: Reader, memberId: number) =>
  reader.one<ProfileRow>(sql`
    select m.id, m.email, m.first_name as "firstName", m.last_name as "lastName", m.role,
      m.profile_image_url as "profileImageUrl", m.created_at as "createdAt", m.referral_code as "referralCode",
      r.referral_code as "referredByCode", m.chat_theme as "chatTheme", m.chat_bubble_color as "chatBubbleColor",
        m.chat_text_color as "chatTextColor", m.phone_number as "phoneNumber",
      m.phone_verified_at as "phoneVerifiedAt", m.terms_version as "termsVersion",
        host(m.registered_from) as "registeredFrom", m.last_sign_in_at as "lastSignInAt",
      m.password_hash is not null as "hasPassword"
    from members.members m left join members.members r on r.id = m.referred_by
    where m.id = ${memberId}`);
