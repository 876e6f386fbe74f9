import { type Reader, sql, type Tx } from '#platform/database.ts';
import { lockNumber } from '#platform/lock-number.ts';

/** SQL of codes to phone numbers. */

/** Lets one transaction at a time decide about the code to this number. */
export const lockCodes = (tx: Tx, phoneNumber: string) =>
  tx.rows(sql`select pg_advisory_xact_lock(${lockNumber(`phone codes ${phoneNumber}`)})`);

/** A member's newest code. The counts of sends and checks are those of the code, by all who share it. */
export type CodeRow = {
  memberId: number;
  memberSince: Date;
  phoneNumber: string;
  /** Null while it is being sent. */
  verificationId: string | null;
  isLive: boolean;
  triesLeft: number;
  sendsCount: number;
  checksCount: number;
  /** The member's codes to any number within the hour. */
  asksCount: number;
  secondsSinceStart: number;
  secondsSinceAsked: number;
  /** Whether another member may enter the same code. */
  isShared: boolean;
};

/** Reads the member's own code, and the codes to this number that the service may still keep. */
export const readCodes = (tx: Tx, memberId: number, phoneNumber: string) =>
  tx.rows<CodeRow>(sql`
    select v.member_id as "memberId", m.created_at as "memberSince", v.phone_number as "phoneNumber",
      v.verification_id as "verificationId", v.expires_at > platform.business_now() as "isLive",
      v.tries_left as "triesLeft", v.sends_count as "sendsCount", v.checks_count as "checksCount",
      case when v.asks_since > platform.business_now() - interval '1 hour' then v.asks_count else 0 end
        as "asksCount",
      extract(epoch from platform.business_now() - v.started_at)::integer as "secondsSinceStart",
      extract(epoch from platform.business_now() - v.asked_at)::integer as "secondsSinceAsked",
      exists (
        select from access.phone_verifications other
        where other.phone_number = v.phone_number and other.code_id = v.code_id
          and other.member_id <> v.member_id and other.expires_at > platform.business_now()) as "isShared"
    from access.phone_verifications v join members.profiles m on m.id = v.member_id
    where v.member_id = ${memberId}
      or (v.phone_number = ${phoneNumber} and v.expires_at > platform.business_now() - interval '1 minute')
    order by v.member_id`);

export type Ask = {
  memberId: number;
  phoneNumber: string;
  formerNumber: string | null;
  minutes: number;
  tries: number;
};

/** Ends the codes of other members to this number. */
export const endOtherCodes = (tx: Tx, { memberId, phoneNumber }: Ask) =>
  tx.rows(sql`
    update access.phone_verifications set expires_at = platform.business_now(), verification_id = null
    where phone_number = ${phoneNumber} and member_id <> ${memberId} and expires_at > platform.business_now()`);

type SavedAsk = { codeId: string; expiresAt: Date };

/** Saves that the member asked for a new code. */
export const saveNewCode = (tx: Tx, ask: Ask) =>
  tx.one<SavedAsk>(sql`
    insert into access.phone_verifications as own (member_id, phone_number, code_id, former_number, started_at,
      expires_at, asked_at, asks_since, asks_count, tries_left, sends_count, checks_count)
    values (${ask.memberId}, ${ask.phoneNumber}, gen_random_uuid(), ${ask.formerNumber}, platform.business_now(),
      platform.business_now() + make_interval(mins => ${ask.minutes}), platform.business_now(),
      platform.business_now(), 1, ${ask.tries}, 1, 0)
    on conflict (member_id) do update set phone_number = excluded.phone_number, code_id = excluded.code_id,
      verification_id = null, former_number = excluded.former_number, started_at = excluded.started_at,
      expires_at = excluded.expires_at, asked_at = excluded.asked_at, tries_left = excluded.tries_left,
      sends_count = 1, checks_count = 0, ${countedAsk}
    returning code_id as "codeId", expires_at as "expiresAt"`);

const countedAsk = sql`
  asks_count = case when own.asks_since > platform.business_now() - interval '1 hour'
    then own.asks_count + 1 else 1 end,
  asks_since = case when own.asks_since > platform.business_now() - interval '1 hour'
    then own.asks_since else platform.business_now() end`;

/** Saves that the member asked for the code that another member has. Who has it already keeps the tries left. */
export const saveSharedCode = (tx: Tx, ask: Ask) =>
  tx.one<SavedAsk>(sql`
    with shared as (
      update access.phone_verifications set sends_count = sends_count + 1
      where phone_number = ${ask.phoneNumber} and member_id <> ${ask.memberId}
        and expires_at > platform.business_now()
      returning code_id, verification_id, started_at, expires_at, sends_count, checks_count)
    insert into access.phone_verifications as own (member_id, phone_number, code_id, verification_id, former_number,
      started_at, expires_at, asked_at, asks_since, asks_count, tries_left, sends_count, checks_count)
    select ${ask.memberId}::integer, ${ask.phoneNumber}::text, code_id, verification_id, ${ask.formerNumber}::text,
      started_at, expires_at, platform.business_now(), platform.business_now(), 1, ${ask.tries}::integer, sends_count,
      checks_count
    from shared limit 1
    on conflict (member_id) do update set phone_number = excluded.phone_number, code_id = excluded.code_id,
      verification_id = excluded.verification_id, former_number = excluded.former_number,
      started_at = excluded.started_at, expires_at = excluded.expires_at, asked_at = excluded.asked_at,
      tries_left = case when own.code_id = excluded.code_id then own.tries_left else excluded.tries_left end,
      sends_count = excluded.sends_count, checks_count = excluded.checks_count, ${countedAsk}
    returning code_id as "codeId", expires_at as "expiresAt"`);

/** Saves the service's id of a code, unless another code took its place meanwhile. */
export const saveVerificationId = (reader: Reader, codeId: string, verificationId: string) =>
  reader.rows(sql`
    update access.phone_verifications set verification_id = ${verificationId}
    where code_id = ${codeId} and expires_at > platform.business_now()`);

/** Ends a code that could not be sent. */
export const endUnsentCode = (reader: Reader, codeId: string) =>
  reader.rows(sql`
    update access.phone_verifications set expires_at = platform.business_now()
    where code_id = ${codeId} and verification_id is null`);

/** Counts a try of the member. */
export const countTry = (tx: Tx, memberId: number) =>
  tx.one<{ triesLeft: number }>(sql`
    update access.phone_verifications set tries_left = tries_left - 1 where member_id = ${memberId}
    returning tries_left as "triesLeft"`);

/** Counts a check of the code that the member has, for all who share it. */
export const countCheck = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update access.phone_verifications set checks_count = checks_count + 1
    where code_id = (select code_id from access.phone_verifications where member_id = ${memberId})`);

/** Deletes a used verification; undefined if it is no longer the checked one. */
export const takeVerification = (tx: Tx, memberId: number, verificationId: string) =>
  tx.row<{ phoneNumber: string; formerNumber: string | null }>(sql`
    delete from access.phone_verifications
    where member_id = ${memberId} and verification_id = ${verificationId}
    returning phone_number as "phoneNumber", former_number as "formerNumber"`);
