import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the ways in besides the password, and nothing else. */

export type MailPurpose = 'reset-password' | 'verify-email';
export type MailableMember = {
  id: number;
  email: string;
  language: 'en' | 'ko';
  email_verified_at: Date | null;
};

const mailable = sql`m.id, m.email, m.language, m.email_verified_at`;

/** Somebody who can still be written to: a deleted account gets no mail. */
export const findMailable = (reader: Reader, memberId: number) =>
  reader.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.id = ${memberId} and m.deleted_at is null`,
  );

/** The same, held until the transaction ends, so that the account is not deleted in between. */
export const lockMailable = (tx: Tx, memberId: number) =>
  tx.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.id = ${memberId} and m.deleted_at is null for update`,
  );

export const findMailableByEmail = (reader: Reader, email: string) =>
  reader.row<MailableMember>(
    sql`select ${mailable} from members.members m where m.email = ${email} and m.deleted_at is null`,
  );

/** Keeps a token's hash; the one that the member had for the same purpose is void from now on. */
export const upsertMailToken = (
  tx: Tx,
  token: { hash: Buffer; memberId: number; purpose: MailPurpose; minutes: number },
) =>
  tx.rows(sql`
    insert into members.mail_tokens (token_hash, member_id, purpose, expires_at)
    values (${token.hash}, ${token.memberId}, ${token.purpose},
      platform.business_now() + make_interval(mins => ${token.minutes}))
    on conflict (member_id, purpose)
    do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at`);

type TokenState = { member_id: number; is_fresh: boolean };

export const findMailToken = (reader: Reader, hash: Buffer, purpose: MailPurpose) =>
  reader.row<TokenState>(sql`
    select member_id, expires_at > platform.business_now() as is_fresh from members.mail_tokens
    where token_hash = ${hash} and purpose = ${purpose}`);

/** Takes the token away, so that of many uses at once one alone finds it. */
export const takeMailToken = (tx: Tx, hash: Buffer, purpose: MailPurpose) =>
  tx.row<TokenState>(sql`
    delete from members.mail_tokens where token_hash = ${hash} and purpose = ${purpose}
    returning member_id, expires_at > platform.business_now() as is_fresh`);

export const deleteMailTokens = (tx: Tx, memberId: number) =>
  tx.rows(sql`delete from members.mail_tokens where member_id = ${memberId}`);

/** The first proof counts: later ones change nothing. */
export const setEmailVerified = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update members.members set email_verified_at = platform.business_now()
    where id = ${memberId} and email_verified_at is null`);

export const hasSession = async (tx: Tx, { id, sessionId }: { id: number; sessionId: string }) =>
  (await tx.rows(sql`select from members.sessions where member_id = ${id} and id = ${sessionId}`)).length > 0;

/** Sets a password where there is none; no row where there is one. */
export const setFirstPasswordHash = (tx: Tx, memberId: number, passwordHash: string) =>
  tx.row<MailableMember>(sql`
    update members.members m set password_hash = ${passwordHash}
    where m.id = ${memberId} and m.password_hash is null and m.deleted_at is null returning ${mailable}`);

/** Takes away what somebody may have chosen who never proved that the mailbox is theirs. */
export const clearPasswordHash = (tx: Tx, memberId: number) =>
  tx.rows(sql`update members.members set password_hash = null where id = ${memberId}`);

export type LinkableMember = MailableMember & { role: 'user' | 'admin' | 'banned'; is_deleted: boolean };

const linkable = sql`${mailable}, m.role, m.deleted_at is not null as is_deleted`;

export const findByIdentity = (reader: Reader, identity: { issuer: string; subject: string }) =>
  reader.row<LinkableMember>(sql`
    select ${linkable} from members.identities i join members.members m on m.id = i.member_id
    where i.issuer = ${identity.issuer} and i.subject = ${identity.subject}`);

/** The account of an address, held until the transaction ends, so that nothing about it changes in between. */
export const lockByEmail = (tx: Tx, email: string) =>
  tx.row<LinkableMember>(sql`select ${linkable} from members.members m where m.email = ${email} for update`);

/** Whether the account has an identity of this issuer, which is then the only one that opens it. */
export const hasIdentityAt = async (reader: Reader, memberId: number, issuer: string): Promise<boolean> =>
  (
    await reader.rows(
      sql`select from members.identities where member_id = ${memberId} and issuer = ${issuer}`,
    )
  ).length > 0;

/** No row where this identity is linked already. */
export const insertIdentity = (tx: Tx, identity: { issuer: string; subject: string; memberId: number }) =>
  tx.row<{ member_id: number }>(sql`
    insert into members.identities (issuer, subject, member_id, linked_at)
    values (${identity.issuer}, ${identity.subject}, ${identity.memberId}, platform.business_now())
    on conflict do nothing returning member_id`);

/** What was recorded of a device before its person was known is theirs from now on, too. */
export const adoptDevice = (tx: Tx, device: { fingerprintHash: Buffer; memberId: number; address: string }) =>
  tx.rows(sql`
    insert into members.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select fingerprint_hash, ${device.memberId}, ${device.address}::inet, fields, platform.business_now(),
      platform.business_now()
    from members.devices where fingerprint_hash = ${device.fingerprintHash} and member_id = 0
    on conflict do nothing`);

/** Drops the oldest devices that nobody signed in with for so long; answers how many, at most `rowsMax`. */
export const deleteUnknownDevices = async (
  reader: Reader,
  { hours, rowsMax }: { hours: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from members.devices where member_id = 0 and fingerprint_hash in (
      select fingerprint_hash from members.devices
      where member_id = 0 and last_seen_at < platform.business_now() - make_interval(hours => ${hours})
      order by last_seen_at limit ${rowsMax})
    returning fingerprint_hash`);
  return dropped.length;
};

/**
 * Keeps a report while the member's day has room for it, and counts it in any case. One statement, so that reports
 * that come at once can't all find the last place free.
 */
export const insertBehaviour = (
  reader: Reader,
  report: { memberId: number; address: string; entries: readonly unknown[]; entriesPerDayMax: number },
) =>
  reader.rows(sql`
    with today as (
      insert into members.behaviour_days (member_id, day, entries_count)
      values (${report.memberId}, platform.site_day(platform.business_now()), ${report.entries.length})
      on conflict (member_id, day)
      do update set entries_count = behaviour_days.entries_count + excluded.entries_count
      returning entries_count)
    insert into members.behaviour (member_id, received_at, address, entries)
    select ${report.memberId}, platform.business_now(), ${report.address}::inet,
      ${JSON.stringify(report.entries)}::jsonb
    from today where entries_count <= ${report.entriesPerDayMax}`);

/** Drops the oldest reports that are past their time; answers how many, at most `rowsMax`. */
export const deleteOldBehaviour = async (
  reader: Reader,
  { days, rowsMax }: { days: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from members.behaviour where id in (
      select id from members.behaviour where received_at < platform.business_now() - make_interval(days => ${days})
      order by received_at limit ${rowsMax})
    returning id`);
  return dropped.length;
};

export const deleteOldBehaviourDays = async (
  reader: Reader,
  { days, rowsMax }: { days: number; rowsMax: number },
): Promise<number> => {
  const dropped = await reader.rows(sql`
    delete from members.behaviour_days where (member_id, day) in (
      select member_id, day from members.behaviour_days
      where day < platform.site_day(platform.business_now()) - ${days}::integer
      order by day limit ${rowsMax})
    returning member_id`);
  return dropped.length;
};
