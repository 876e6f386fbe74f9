import type { ChatTheme, Currency } from '#contract/members-account.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of what a member does with their own account, one function per statement. */

export type SettingsRow = {
  /** Null until the member chose one. */
  language: 'en' | 'ko' | null;
  timezone: string | null;
  currency: Currency;
  email_notifications: boolean;
  /** What the device said that the member used last, as it said it. */
  device_timezone: string | null;
  site_timezone: string;
};

const settingsColumns = sql`case when m.is_language_chosen then m.language end as language, m.timezone, m.currency,
  m.email_notifications,
  (select left(d.fields->>'timezone', 64) from members.devices d where d.member_id = m.id
   order by d.last_seen_at desc limit 1) as device_timezone,
  (select c.site_timezone from platform.clock c) as site_timezone`;

export const findSettings = (reader: Reader, memberId: number) =>
  reader.one<SettingsRow>(sql`select ${settingsColumns} from members.members m where m.id = ${memberId}`);

export type SettingsChange = {
  language: 'en' | 'ko' | null;
  timezone: string | null;
  currency: Currency | null;
  emailNotifications: boolean | null;
};

/** Null leaves a setting as it is. */
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

export type OwnCredentials = {
  email: string;
  password_hash: string | null;
  role: 'user' | 'admin' | 'banned';
};

export const findOwnCredentials = (reader: Reader, memberId: number) =>
  reader.row<OwnCredentials>(sql`
    select email, password_hash, role from members.members where id = ${memberId} and deleted_at is null`);

/** Replaces the password if it is still the one that was checked; of many at once one finds it so. */
export const replacePassword = (tx: Tx, memberId: number, checkedHash: string, newHash: string) =>
  tx.row<{ id: number }>(sql`
    update members.members set password_hash = ${newHash}
    where id = ${memberId} and password_hash = ${checkedHash} returning id`);

export const deleteOtherSessions = (reader: Reader, memberId: number, keptSessionId: string) =>
  reader.rows<{ id: string }>(sql`
    delete from members.sessions where member_id = ${memberId} and id <> ${keptSessionId} returning id`);

export const deleteOwnSession = (reader: Reader, memberId: number, sessionId: string) =>
  reader.row<{ id: string }>(sql`
    delete from members.sessions where member_id = ${memberId} and id = ${sessionId} returning id`);

export type OwnSession = {
  id: string;
  created_at: Date;
  last_seen_at: Date;
  user_agent: string;
  address: string;
};

/** The sessions that still admit somebody, the latest seen first. */
export const readLiveSessions = (reader: Reader, memberId: number) =>
  reader.rows<OwnSession>(sql`
    select s.id, s.created_at, s.last_seen_at, s.user_agent, host(s.address) as address
    from members.sessions s join members.members m on m.id = s.member_id
    where s.member_id = ${memberId}
      and s.created_at > platform.business_now()
        - case when m.role = 'admin' then interval '12 hours' else interval '30 days' end
      and s.last_seen_at > platform.business_now() - interval '7 days'
    order by s.last_seen_at desc, s.created_at desc, s.id limit 200`);

export const saveChatTheme = (reader: Reader, memberId: number, theme: ChatTheme) =>
  reader.rows(sql`
    update members.members set chat_theme = ${theme.chatTheme}, chat_bubble_color = ${theme.chatBubbleColor},
      chat_text_color = ${theme.chatTextColor}
    where id = ${memberId}`);

/** Marks the account as deleted, if nobody did before. A deleted account has no password and no operator's role. */
export const markDeleted = (tx: Tx, memberId: number) =>
  tx.row<{ email: string }>(sql`
    update members.members set deleted_at = platform.business_now(), password_hash = null
    where id = ${memberId} and deleted_at is null and role <> 'admin'
    returning email`);

/** Every way in besides the password: identities at other sign-ins, and links that were mailed. */
export const deleteWaysIn = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    with identities as (delete from members.identities where member_id = ${memberId})
    delete from members.mail_tokens where member_id = ${memberId}`);

/** Accounts whose seven days are over, the longest waiting first. */
export const readDueForAnonymising = (reader: Reader, limit: number) =>
  reader.rows<{ id: number }>(sql`
    select id from members.members
    where deleted_at <= platform.business_now() - interval '7 days' and anonymised_at is null
    order by deleted_at limit ${limit}`);

export const anonymise = (reader: Reader, memberId: number) =>
  reader.one<{ is_done: boolean }>(sql`select members.anonymise(${memberId}) as is_done`);

export type DisplayRateRow = { currency: Currency; per_usd: string; fetched_at: Date };

export const readFreshDisplayRates = (reader: Reader, maxAgeHours: number) =>
  reader.rows<DisplayRateRow>(sql`
    select currency, trim_scale(per_usd)::text as per_usd, fetched_at from members.display_rates
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
  first_name: string;
  last_name: string | null;
  role: string;
  profile_image_url: string | null;
  created_at: Date;
  referral_code: string;
  referred_by_code: string | null;
  chat_theme: string;
  chat_bubble_color: string;
  chat_text_color: string;
  phone_number: string | null;
  phone_verified_at: Date | null;
  terms_version: string;
  registered_from: string | null;
  last_sign_in_at: Date | null;
  has_password: boolean;
};

export const readWholeProfile = (reader: Reader, memberId: number) =>
  reader.one<ProfileRow>(sql`
    select m.id, m.email, m.first_name, m.last_name, m.role, m.profile_image_url, m.created_at, m.referral_code,
      r.referral_code as referred_by_code, m.chat_theme, m.chat_bubble_color, m.chat_text_color, m.phone_number,
      m.phone_verified_at, m.terms_version, host(m.registered_from) as registered_from, m.last_sign_in_at,
      m.password_hash is not null as has_password
    from members.members m left join members.members r on r.id = m.referred_by
    where m.id = ${memberId}`);

export type DeviceRow = { address: string; fields: unknown; first_seen_at: Date; last_seen_at: Date };

export const readDevices = (reader: Reader, memberId: number) =>
  reader.rows<DeviceRow>(sql`
    select host(address) as address, fields, first_seen_at, last_seen_at from members.devices
    where member_id = ${memberId} order by first_seen_at limit 1000`);

export type SuspensionRow = {
  suspension_type: string;
  severity: string;
  reason: string;
  created_at: Date;
  expires_at: Date | null;
  lifted_at: Date | null;
  lift_reason: string | null;
};

export const readSuspensions = (reader: Reader, memberId: number) =>
  reader.rows<SuspensionRow>(sql`
    select suspension_type, severity, reason, created_at, expires_at, lifted_at, lift_reason
    from members.suspensions where member_id = ${memberId} order by id limit 1000`);

export const readIdentities = (reader: Reader, memberId: number) =>
  reader.rows<{ issuer: string; subject: string; linked_at: Date }>(sql`
    select issuer, subject, linked_at from members.identities where member_id = ${memberId} order by linked_at`);

export type BehaviourRow = { id: bigint; received_at: Date; address: string; entries: unknown };

export const readBehaviourAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<BehaviourRow>(sql`
    select id, received_at, host(address) as address, entries from members.behaviour
    where member_id = ${memberId} and id > ${afterId} order by id limit ${limit}`);
