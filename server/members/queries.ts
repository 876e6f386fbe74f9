import type { User } from '#contract/members.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of members, and nothing else. Business time is the database's, by `platform.business_now()`. */

export type MemberRow = {
  id: number;
  email: string;
  first_name: string;
  last_name: string | null;
  role: User['role'];
  profile_image_url: string | null;
  created_at: Date;
  referral_code: string;
  chat_theme: string;
  chat_bubble_color: string;
  chat_text_color: string;
  phone_verified_at: Date | null;
  phone_number: string | null;
};

const memberColumns = sql`m.id, m.email, m.first_name, m.last_name, m.role, m.profile_image_url, m.created_at,
  m.referral_code, m.chat_theme, m.chat_bubble_color, m.chat_text_color, m.phone_verified_at, m.phone_number`;

export const findMember = (reader: Reader, memberId: number) =>
  reader.row<MemberRow>(sql`select ${memberColumns} from members.members m where m.id = ${memberId}`);

export const findCredentials = (reader: Reader, email: string) =>
  reader.row<{ id: number; password_hash: string | null; role: User['role'] }>(
    sql`select id, password_hash, role from members.members where email = ${email}`,
  );

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
  /** In which mails are written until the member chooses one. */
  language: 'en' | 'ko';
  /** Somebody who is believed vouches that the mailbox is theirs. */
  isEmailVerified: boolean;
};

/** Inserts a member and opens the wallet; undefined where the e-mail address is taken. */
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

export const setPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.rows(sql`update members.members set password_hash = ${passwordHash} where id = ${memberId}`);

/**
 * Opens a session; undefined where the account is deleted, or its password is no longer the one that was checked (null:
 * none was), also by somebody who did so a moment ago.
 */
export const insertSession = (
  tx: Tx,
  session: {
    tokenHash: Buffer;
    id: string;
    memberId: number;
    userAgent: string;
    address: string;
    checkedHash: string | null;
  },
) =>
  tx.row<{ id: string }>(sql`
    with signed_in as (
      update members.members set last_sign_in_at = platform.business_now()
      where id = ${session.memberId} and deleted_at is null
        and (${session.checkedHash}::text is null or password_hash = ${session.checkedHash})
      returning id)
    insert into members.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address)
    select ${session.tokenHash}::bytea, ${session.id}::uuid, signed_in.id, platform.business_now(),
      platform.business_now(), ${session.userAgent}, ${session.address}::inet
    from signed_in returning id`);

export type SessionRow = MemberRow & {
  token_hash: Buffer;
  session_id: string;
  is_seen_lately: boolean;
  is_suspended: boolean;
};

/** The members behind those of the sessions that are not over. */
export const findSessions = (reader: Reader, tokenHashes: readonly Buffer[]) =>
  reader.rows<SessionRow>(sql`select * from members.find_sessions(${tokenHashes}::bytea[])`);

export const touchSession = (reader: Reader, tokenHash: Buffer) =>
  reader.rows(
    sql`update members.sessions set last_seen_at = platform.business_now() where token_hash = ${tokenHash}`,
  );

export const deleteSession = (reader: Reader, tokenHash: Buffer) =>
  reader.row<{ member_id: number }>(
    sql`delete from members.sessions where token_hash = ${tokenHash} returning member_id`,
  );

export const deleteSessionsOf = (tx: Tx, memberId: number) =>
  tx.rows(sql`delete from members.sessions where member_id = ${memberId}`);

/** Keeps a device and, of a member, the first and those seen last. `memberId` is 0 where nobody is signed in. */
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
      from members.devices where member_id = ${device.memberId} and member_id <> 0
    ), dropped as (
      delete from members.devices where member_id = ${device.memberId} and fingerprint_hash in (
        select fingerprint_hash from own where place > 1 and fingerprint_hash <> ${device.fingerprintHash}
        order by last_seen_at desc offset ${device.perMemberMax - 2}))
    insert into members.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    values (${device.fingerprintHash}, ${device.memberId}, ${device.address}::inet,
      ${JSON.stringify(device.fields)}::jsonb, platform.business_now(), platform.business_now())
    on conflict (fingerprint_hash, member_id)
    do update set address = excluded.address, last_seen_at = excluded.last_seen_at`);

export type RegistrationFacts = {
  banned_mailbox: boolean;
  banned_on_device_and_address: number;
  members_on_device_and_address: number;
  review_status: 'open' | 'allowed' | 'refused' | null;
};

/**
 * What speaks against a registration. A device counts as seen before for 30 days, and only together with the same
 * address, because neither alone tells one person from another.
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
      select m.role from members.devices d join members.members m on m.id = d.member_id
      where d.fingerprint_hash = ${facts.fingerprintHash} and d.address = ${facts.publicAddress}::inet
        and d.last_seen_at > platform.business_now() - interval '30 days')
    select
      exists (select from members.members where email_canonical = ${facts.emailCanonical} and role = 'banned')
        as banned_mailbox,
      (select count(*)::integer from neighbours where role = 'banned') as banned_on_device_and_address,
      (select count(*)::integer from neighbours) as members_on_device_and_address,
      (select status from members.registration_reviews where email = ${facts.email}) as review_status`);

export const insertReview = (reader: Reader, email: string, facts: unknown) =>
  reader.rows(sql`
    insert into members.registration_reviews (email, facts, created_at)
    values (${email}, ${JSON.stringify(facts)}::jsonb, platform.business_now())
    on conflict (email) do nothing`);

export const phoneOwner = (reader: Reader, phoneNumber: string) =>
  reader.row<{ id: number }>(sql`select id from members.members where phone_number = ${phoneNumber}`);

export const saveVerification = (
  reader: Reader,
  verification: {
    memberId: number;
    phoneNumber: string;
    verificationId: string;
    minutes: number;
    tries: number;
  },
) =>
  reader.one<{ expires_at: Date }>(sql`
    insert into members.phone_verifications (member_id, phone_number, verification_id, expires_at, tries_left)
    values (${verification.memberId}, ${verification.phoneNumber}, ${verification.verificationId},
      platform.business_now() + make_interval(mins => ${verification.minutes}), ${verification.tries})
    on conflict (member_id) do update set phone_number = excluded.phone_number,
      verification_id = excluded.verification_id, expires_at = excluded.expires_at, tries_left = excluded.tries_left
    returning expires_at`);

export const findVerification = (reader: Reader, memberId: number) =>
  reader.row<{ verification_id: string }>(
    sql`select verification_id from members.phone_verifications where member_id = ${memberId}`,
  );

/** Takes one try; undefined where there is none left, the code has expired or none was sent to this number. */
export const takeTry = (reader: Reader, memberId: number, phoneNumber: string) =>
  reader.row<{ verification_id: string }>(sql`
    update members.phone_verifications set tries_left = tries_left - 1
    where member_id = ${memberId} and phone_number = ${phoneNumber} and tries_left > 0
      and expires_at > platform.business_now()
    returning verification_id`);

/** Sets the verified number, if the verification is still the one that was checked and nobody else has the number. */
export const setVerifiedPhone = (tx: Tx, memberId: number, verificationId: string) =>
  tx.row<MemberRow>(sql`
    with used as (
      delete from members.phone_verifications
      where member_id = ${memberId} and verification_id = ${verificationId} returning phone_number)
    update members.members m set phone_number = used.phone_number, phone_verified_at = platform.business_now()
    from used where m.id = ${memberId}
    returning ${memberColumns}`);

export const readActiveSuspensions = (reader: Reader, memberId: number) =>
  reader.rows<{ suspension_type: 'earnings_blocked' | 'withdrawal_blocked' | 'full_suspension' }>(sql`
    select suspension_type from members.suspensions
    where member_id = ${memberId} and lifted_at is null
      and (expires_at is null or expires_at > platform.business_now())`);

/** Both by their index: a provider's calls ask this too. */
export const findByIdOrEmail = (reader: Reader, who: string) =>
  reader.row<{ id: number; email: string }>(sql`
    select id, email from members.members
    where email = ${who} or id = ${/^[1-9]\d{8}$/.test(who) ? Number(who) : 0}`);
