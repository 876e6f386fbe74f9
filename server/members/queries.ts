import { MEMBER_ID } from '#contract/fields.ts';
import type { ChatTheme, Currency } from '#contract/members.ts';
import type { User } from '#contract/user.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';
import { type MemberRow, memberColumns } from './sign-in-queries.ts';

/** SQL of members, their suspensions, and the display rates. */

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

export const setRole = (tx: Tx, memberId: number, role: User['role']) =>
  tx.rows(sql`
    update members.members
    set role = ${role}, operator_since = case when ${role} = 'admin' then platform.business_now() end
    where id = ${memberId}`);

export const readIsOperatorSince = async (reader: Reader, memberId: number, moment: Date): Promise<boolean> =>
  (
    await reader.one<{ isOperator: boolean }>(sql`
      select members.is_operator_since(${memberId}, ${moment}) as "isOperator"`)
  ).isOperator;

/** Whether one of these accounts is the operator's own. See `members.is_own`. */
export const readIsOwn = async (reader: Reader, operatorId: number, memberIds: readonly number[]) =>
  (
    await reader.one<{ isOwn: boolean }>(sql`
      select coalesce(bool_or(members.is_own(${operatorId}, m)), false) as "isOwn"
      from unnest(${memberIds}::integer[]) m`)
  ).isOwn;

/** Reads role and state of an account, and locks it. */
export const lockRole = (tx: Tx, memberId: number) =>
  tx.one<{ role: User['role'] | 'banned'; isDeleted: boolean }>(sql`
    select role, deleted_at is not null as "isDeleted" from members.members where id = ${memberId}
    for no key update`);

/** Reads the ids of all operators, and locks them. Of two calls the second waits, and reads what the first one left. */
export const lockOperators = (tx: Tx) =>
  tx.rows<{ id: number }>(sql`
    select id from members.members where role = 'admin' and deleted_at is null order by id for no key update`);

/** Finds a member by either unique index. Postbacks use it too. */
export const findByIdOrEmail = (reader: Reader, who: string) =>
  reader.row<{ id: number; email: string }>(sql`
    select id, email from members.members
    where email = ${who} or id = ${MEMBER_ID.test(who) ? Number(who) : 0}`);

export type SearchedMember = { id: number; email: string; firstName: string; lastName: string | null };

/** Finds members by id, e-mail address in lower case, or phone number. Each has a unique index. */
export const findByTerms = (
  reader: Reader,
  { ids, emails, phones }: { ids: readonly number[]; emails: readonly string[]; phones: readonly string[] },
) =>
  reader.rows<SearchedMember>(sql`
    select m.id, m.email, m.first_name as "firstName", m.last_name as "lastName"
    from (
      select unnest(${ids}::integer[]) as id
      union
      select m.id from unnest(${emails}::text[]) given (email)
        cross join lateral (select id from members.members where email = given.email limit 1) m
      union
      select m.id from unnest(${phones}::text[]) given (phone)
        cross join lateral (select id from members.members where phone_number = given.phone limit 1) m
    ) found
      cross join lateral (select * from members.members where id = found.id limit 1) m
    order by m.id`);

/** A name is looked for among so many members that have it. */
const NAMED_MAX = 1_000;

/** Finds members by name, for `members.named`. Those who signed in last come first. */
export const findNamed = (reader: Reader, name: string | null, limit: number) =>
  reader.rows<SearchedMember>(sql`
    select m.id, m.email, m.first_name as "firstName", m.last_name as "lastName"
    from (select id from members.named(${name}) limit ${NAMED_MAX}) found
      cross join lateral (select * from members.members where id = found.id limit 1) m
    order by m.last_sign_in_at desc nulls last, m.id limit ${limit}`);

/** Reads the operators, at most 1,000, by a small index of their own. */
export const readOperators = (reader: Reader) =>
  reader.rows<{ id: number; firstName: string; lastName: string | null; email: string }>(sql`
    select id, first_name as "firstName", last_name as "lastName", email from members.members
    where role = 'admin' and deleted_at is null order by created_at, id limit 1000`);

export type Refusals = {
  earning: 'account-suspended' | 'earnings-suspended' | null;
  withdrawal: 'account-suspended' | 'withdrawals-suspended' | null;
};

/** Reads the refusals that a member's suspensions cause now. */
export const readRefusals = (reader: Reader, memberId: number) =>
  reader.one<Refusals>(sql`select earning, withdrawal from members.refusals(${memberId})`);

/** What stops withdrawals: `until` is null if it does not end by itself; `isDenial` if the member asked for it. */
export type WithdrawalStop = { reason: string; until: Date | null; isDenial: boolean };

export const readWithdrawalStop = (reader: Reader, memberId: number) =>
  reader.row<WithdrawalStop>(sql`
    select reason, expires_at as until, ends_with_reset as "isDenial" from members.open_suspensions
    where member_id = ${memberId} and blocks_withdrawals
    order by expires_at desc nulls first, ends_with_reset, reason limit 1`);

/**
 * Does nothing while such a block is open without an end, and returns undefined. The caller holds the member's row
 * lock.
 */
export const insertBlockUntilReset = (tx: Tx, memberId: number, reason: string) =>
  tx.row<{ id: bigint }>(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, ends_with_reset)
    select ${memberId}, ${reason}, 'temporary', 'withdrawal_blocked', platform.business_now(), true
    where not exists (
      select from members.suspensions
      where member_id = ${memberId} and ends_with_reset and lifted_at is null and expires_at is null)
    returning id`);

export const setBlockEnd = (tx: Tx, memberId: number, hours: number) =>
  tx.rows(sql`
    update members.suspensions set expires_at = platform.business_now() + make_interval(hours => ${hours})
    where member_id = ${memberId} and ends_with_reset and lifted_at is null and expires_at is null`);

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
  unmailedNotices: string[];
  siteTimezone: string;
};

const settingsColumns = sql`case when m.is_language_chosen then m.language end as language, m.timezone, m.currency,
  m.email_notifications as "emailNotifications", m.unmailed_notices as "unmailedNotices",
    (select c.site_timezone from platform.site_clock c) as "siteTimezone"`;

export const findSettings = (reader: Reader, memberId: number) =>
  reader.one<SettingsRow>(sql`select ${settingsColumns} from members.members m where m.id = ${memberId}`);

export type SettingsChange = {
  language: 'en' | 'ko' | null;
  timezone: string | null;
  currency: Currency | null;
  emailNotifications: boolean | null;
  /** Kinds of notices; those that are in neither list keep their choice. */
  mailedNotices: readonly string[];
  unmailedNotices: readonly string[];
};

/** Changes settings; null keeps one unchanged. */
export const saveSettings = (reader: Reader, memberId: number, change: SettingsChange) =>
  reader.one<SettingsRow>(sql`
    update members.members m
    set language = coalesce(${change.language}, m.language),
      is_language_chosen = m.is_language_chosen or ${change.language}::text is not null,
      timezone = coalesce(${change.timezone}, m.timezone),
      currency = coalesce(${change.currency}, m.currency),
      email_notifications = coalesce(${change.emailNotifications}, m.email_notifications),
      unmailed_notices = array(
        select distinct kind from unnest(m.unmailed_notices || ${change.unmailedNotices}::text[]) kind
        where kind <> all (${change.mailedNotices}::text[]) order by kind)
    where m.id = ${memberId}
    returning ${settingsColumns}`);

/** Switches the mails of news to a member on or off; nothing for a deleted account. */
export const saveNews = (reader: Reader, memberId: number, wanted: boolean) =>
  reader.rows(sql`
    update members.members set email_notifications = ${wanted}
    where id = ${memberId} and deleted_at is null and email_notifications <> ${wanted}`);

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
  reader.rows<{ id: number }>(sql`
    select id from members.members
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
