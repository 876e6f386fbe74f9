import { type Reader, sql, type Tx } from '#platform/database.ts';
import type { MemberRow } from '../members/sign-in-queries.ts';

/** SQL of access: sessions, devices, registrations, mailed tokens, identities and behaviour. */

export const insertSession = (
  tx: Tx,
  session: {
    tokenHash: Buffer;
    id: string;
    memberId: number;
    userAgent: string;
    address: string;
    hasPassedGate: boolean;
  },
) =>
  tx.rows(sql`
    insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
      has_passed_gate)
    values (${session.tokenHash}, ${session.id}, ${session.memberId}, platform.business_now(),
      platform.business_now(), ${session.userAgent}, ${session.address}::inet, ${session.hasPassedGate})`);

/** Records that the session's member passed the operators' gate. */
export const markGatePassed = (reader: Reader, sessionId: string) =>
  reader.rows(sql`update access.sessions set has_passed_gate = true where id = ${sessionId}`);

export type SessionRow = MemberRow & {
  tokenHash: Buffer;
  sessionId: string;
  isSeenLately: boolean;
  isSuspended: boolean;
  hasPassedGate: boolean;
};

/** Finds the live sessions of these tokens, with their members. */
export const findSessions = (reader: Reader, tokenHashes: readonly Buffer[]) =>
  reader.rows<SessionRow>(sql`
    select token_hash as "tokenHash", session_id as "sessionId", is_seen_lately as "isSeenLately",
      is_suspended as "isSuspended", has_passed_gate as "hasPassedGate", id, email,
      first_name as "firstName", last_name as "lastName", role,
      profile_image_url as "profileImageUrl", created_at as "createdAt", referral_code as "referralCode",
      chat_theme as "chatTheme", chat_bubble_color as "chatBubbleColor", chat_text_color as "chatTextColor",
      phone_verified_at as "phoneVerifiedAt", phone_number as "phoneNumber"
    from access.find_sessions(${tokenHashes}::bytea[])`);

export const touchSession = (reader: Reader, tokenHash: Buffer) =>
  reader.rows(
    sql`update access.sessions set last_seen_at = platform.business_now() where token_hash = ${tokenHash}`,
  );

export const deleteSession = (reader: Reader, tokenHash: Buffer) =>
  reader.row<{ memberId: number }>(
    sql`delete from access.sessions where token_hash = ${tokenHash} returning member_id as "memberId"`,
  );

export const deleteSessionsOf = (tx: Tx, memberId: number) =>
  tx.rows<{ id: string }>(sql`delete from access.sessions where member_id = ${memberId} returning id`);

/** Ends every session that is still valid for somebody and began up to a time; null for all. Returns how many. */
export const deleteLiveSessions = async (tx: Tx, until: string | null): Promise<bigint> => {
  const { count } = await tx.one<{ count: bigint }>(sql`
    with ended as (
      delete from access.sessions s
      where access.is_live(s.created_at, s.last_seen_at, 'user', platform.business_now())
        and (${until}::timestamptz is null or s.created_at <= ${until}::timestamptz) returning s.id)
    select count(*) as count from ended`);
  return count;
};

/** When the newest session began, as text; null if there is none. */
export const readNewestSessionTime = async (reader: Reader): Promise<string | null> =>
  (await reader.one<{ at: string | null }>(sql`select max(created_at)::text as at from access.sessions`)).at;

/** Ends the oldest sessions of a member beyond `sessionsMax`. */
export const deleteOldestSessions = (reader: Reader, memberId: number, sessionsMax: number) =>
  reader.rows<{ id: string }>(sql`
    delete from access.sessions where token_hash in (
      select token_hash from access.sessions where member_id = ${memberId}
      order by created_at desc, id offset ${sessionsMax})
    returning id`);

export const deleteOtherSessions = (reader: Reader, memberId: number, keptSessionId: string) =>
  reader.rows<{ id: string }>(sql`
    delete from access.sessions where member_id = ${memberId} and id <> ${keptSessionId} returning id`);

export const deleteOwnSession = (reader: Reader, memberId: number, sessionId: string) =>
  reader.row<{ id: string }>(sql`
    delete from access.sessions where member_id = ${memberId} and id = ${sessionId} returning id`);

export type OwnSession = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string;
  address: string;
};

/** Reads a member's live sessions, the last seen first. */
export const readLiveSessions = (reader: Reader, memberId: number) =>
  reader.rows<OwnSession>(sql`
    select s.id, s.created_at as "createdAt", s.last_seen_at as "lastSeenAt", s.user_agent as "userAgent",
      host(s.address) as address
    from access.sessions s join members.profiles m on m.id = s.member_id
    where s.member_id = ${memberId}
      and access.is_live(s.created_at, s.last_seen_at, m.role, platform.business_now())
    order by s.last_seen_at desc, s.created_at desc, s.id limit 200`);

/** The addresses of operators' live sessions. */
export const listOperatorAddresses = (reader: Reader, limit: number) =>
  reader.rows<{ address: string }>(sql`
    select distinct host(s.address) as address
    from members.profiles m join access.sessions s on s.member_id = m.id
    where m.role = 'admin' and access.is_live(s.created_at, s.last_seen_at, m.role, platform.business_now())
    limit ${limit}`);

export const hasSession = async (tx: Tx, { id, sessionId }: { id: number; sessionId: string }) =>
  (await tx.rows(sql`select from access.sessions where member_id = ${id} and id = ${sessionId}`)).length > 0;

/** Stores a device. Of a member's devices it keeps the first and the last seen. `memberId` is 0 without a session. */
export const upsertDevice = (
  reader: Reader,
  device: {
    fingerprintHash: Buffer;
    memberId: number;
    address: string;
    fields: unknown;
    perMemberMax: number;
  },
) =>
  reader.rows(sql`
    with own as (
      select fingerprint_hash, last_seen_at, row_number() over (order by first_seen_at) as place
      from access.devices where member_id = ${device.memberId} and member_id <> 0
    ), dropped as (
      delete from access.devices where member_id = ${device.memberId} and fingerprint_hash in (
        select fingerprint_hash from own where place > 1 and fingerprint_hash <> ${device.fingerprintHash}
        order by last_seen_at desc offset ${device.perMemberMax - 2}))
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    values (${device.fingerprintHash}, ${device.memberId}, ${device.address}::inet,
      ${JSON.stringify(device.fields)}::jsonb, platform.business_now(), platform.business_now())
    on conflict (fingerprint_hash, member_id)
    do update set address = excluded.address, last_seen_at = excluded.last_seen_at`);

/** Copies a device that was recorded without a member to its member. */
export const adoptDevice = (tx: Tx, device: { fingerprintHash: Buffer; memberId: number; address: string }) =>
  tx.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select fingerprint_hash, ${device.memberId}, ${device.address}::inet, fields, platform.business_now(),
      platform.business_now()
    from access.devices where fingerprint_hash = ${device.fingerprintHash} and member_id = 0
    on conflict do nothing`);

/** Deletes the oldest devices without a member, not seen for `hours`. Returns how many, at most `rowsMax`. */
export const deleteUnknownDevices = async (
  reader: Reader,
  { hours, rowsMax }: { hours: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from access.devices where member_id = 0 and fingerprint_hash in (
      select fingerprint_hash from access.devices
      where member_id = 0 and last_seen_at < platform.business_now() - make_interval(hours => ${hours})
      order by last_seen_at limit ${rowsMax})
    returning fingerprint_hash`);
  return dropped.length;
};

export type DeviceRow = { address: string; fields: unknown; firstSeenAt: Date; lastSeenAt: Date };

export const readDevices = (reader: Reader, memberId: number) =>
  reader.rows<DeviceRow>(sql`
    select host(address) as address, fields, first_seen_at as "firstSeenAt",
      last_seen_at as "lastSeenAt" from access.devices
    where member_id = ${memberId} order by first_seen_at limit 1000`);

/** Finds the time zone that the member's latest device reported, unchecked. */
export const findDeviceTimezone = (reader: Reader, memberId: number) =>
  reader.row<{ timezone: string | null }>(sql`
    select left(fields->>'timezone', 64) as timezone from access.devices
    where member_id = ${memberId} order by last_seen_at desc limit 1`);

export type RegistrationFacts = {
  bannedMailbox: boolean;
  isDomainBlocked: boolean;
  bannedOnDeviceAndAddress: number;
  membersOnDeviceAndAddress: number;
  /** Those on the device and address, at most 20: operators first, then last seen first. */
  memberIds: number[];
  reviewStatus: 'open' | 'allowed' | 'refused' | null;
};

/**
 * Reads the facts for the security check of a registration. A device counts for 30 days, and only together with the
 * same address, because neither identifies a person.
 */
export const readRegistrationFacts = (
  reader: Reader,
  facts: {
    email: string;
    emailCanonical: string;
    fingerprintHash: Buffer | null;
    publicAddress: string | null;
  },
) =>
  reader.one<RegistrationFacts>(sql`
    with neighbours as (
      select m.id, m.role, d.last_seen_at from access.devices d join members.profiles m on m.id = d.member_id
      where d.fingerprint_hash = ${facts.fingerprintHash} and d.address = ${facts.publicAddress}::inet
        and d.last_seen_at > platform.business_now() - interval '30 days')
    select
      exists (select from members.profiles where email_canonical = ${facts.emailCanonical} and role = 'banned')
        as "bannedMailbox",
      risk.is_domain_blocked(${facts.email}) as "isDomainBlocked",
      (select count(*)::integer from neighbours where role = 'banned') as "bannedOnDeviceAndAddress",
      (select count(*)::integer from neighbours) as "membersOnDeviceAndAddress",
      array(select id from neighbours order by role = 'admin' desc, last_seen_at desc, id limit 20) as "memberIds",
      (select status from access.registration_reviews where email = ${facts.email}) as "reviewStatus"`);

export type MailPurpose = 'reset-password' | 'verify-email';

/** Stores a token's hash. It replaces the member's former token for the same purpose. */
export const upsertMailToken = (
  tx: Tx,
  token: { hash: Buffer; memberId: number; purpose: MailPurpose; minutes: number },
) =>
  tx.rows(sql`
    insert into access.mail_tokens (token_hash, member_id, purpose, expires_at)
    values (${token.hash}, ${token.memberId}, ${token.purpose},
      platform.business_now() + make_interval(mins => ${token.minutes}))
    on conflict (member_id, purpose)
    do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`);

type TokenState = { memberId: number; isFresh: boolean };

export const findMailToken = (reader: Reader, hash: Buffer, purpose: MailPurpose) =>
  reader.row<TokenState>(sql`
    select member_id as "memberId", expires_at > platform.business_now() as "isFresh" from access.mail_tokens
    where token_hash = ${hash} and purpose = ${purpose}`);

/** Deletes the token, so that only one of several concurrent uses finds it. */
export const takeMailToken = (tx: Tx, hash: Buffer, purpose: MailPurpose) =>
  tx.row<TokenState>(sql`
    delete from access.mail_tokens where token_hash = ${hash} and purpose = ${purpose}
    returning member_id as "memberId", expires_at > platform.business_now() as "isFresh"`);

export const deleteMailTokens = (tx: Tx, memberId: number) =>
  tx.rows(sql`delete from access.mail_tokens where member_id = ${memberId}`);

/** Deletes linked identities and mailed tokens. */
export const deleteIdentitiesAndTokens = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    with identities as (delete from access.identities where member_id = ${memberId})
    delete from access.mail_tokens where member_id = ${memberId}`);

/**
 * Counts a report and stores it if the member's day is not full. It is one statement, so that concurrent reports can't
 * exceed the limit.
 */
export const insertBehaviour = (
  reader: Reader,
  report: { memberId: number; address: string; entries: readonly unknown[]; entriesPerDayMax: number },
) =>
  reader.rows(sql`
    with today as (
      insert into access.behaviour_days (member_id, day, entries_count)
      values (${report.memberId}, platform.site_day(platform.business_now()), ${report.entries.length})
      on conflict (member_id, day)
      do update set entries_count = behaviour_days.entries_count + excluded.entries_count
      returning entries_count)
    insert into access.behaviour (member_id, received_at, address, entries)
    select ${report.memberId}, platform.business_now(), ${report.address}::inet,
      ${JSON.stringify(report.entries)}::jsonb
    from today where entries_count <= ${report.entriesPerDayMax}`);

/** Deletes the oldest reports, received before `years` years. Returns how many, at most `rowsMax`. */
export const deleteOldBehaviour = async (
  reader: Reader,
  { years, rowsMax }: { years: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from access.behaviour where id in (
      select id from access.behaviour where received_at < platform.business_now() - make_interval(years => ${years})
      order by received_at limit ${rowsMax})
    returning id`);
  return dropped.length;
};

export const deleteOldBehaviourDays = async (
  reader: Reader,
  { days, rowsMax }: { days: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from access.behaviour_days where (member_id, day) in (
      select member_id, day from access.behaviour_days
      where day < platform.site_day(platform.business_now()) - ${days}::integer
      order by day limit ${rowsMax})
    returning member_id`);
  return dropped.length;
};

export type BehaviourRow = { id: bigint; receivedAt: Date; address: string; entries: unknown };

export const readBehaviourAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<BehaviourRow>(sql`
    select id, received_at as "receivedAt", host(address) as address, entries from access.behaviour
    where member_id = ${memberId} and id > ${afterId} order by id limit ${limit}`);

export const forget = (tx: Tx, memberId: number) => tx.rows(sql`select access.forget(${memberId})`);

/**
 * Deletes the oldest sessions and devices, used before `years` years, and registrations that waited, made three years
 * ago. Returns how many of one, at most `rowsMax`.
 */
export const deleteOldSignIns = async (
  reader: Reader,
  { years, rowsMax }: { years: number; rowsMax: number },
): Promise<number> => {
  const sessions = await reader.rows(sql`
    delete from access.sessions where token_hash in (
      select token_hash from access.sessions
      where created_at < platform.business_now() - make_interval(years => ${years})
      order by created_at limit ${rowsMax})
    returning id`);
  const devices = await reader.rows(sql`
    delete from access.devices where (fingerprint_hash, member_id) in (
      select fingerprint_hash, member_id from access.devices
      where member_id <> 0 and last_seen_at < platform.business_now() - make_interval(years => ${years})
      order by last_seen_at limit ${rowsMax})
    returning member_id`);
  const { reviews } = await reader.one<{ reviews: number }>(
    sql`select access.remove_old_reviews(${rowsMax}) as reviews`,
  );
  return Math.max(sessions.length, devices.length, reviews);
};
