import { REVIEW_HOURS, type reviewFlags } from '#contract/access-registration-reviews.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of registrations that operators approve or reject. */

export type ReviewFacts = {
  flags: (typeof reviewFlags)[number][];
  /** The sentences that the person read. */
  reasons: string[];
  address: string;
  language: 'en' | 'ko';
  /** The members who used the device at this address, operators first, then last seen first. */
  memberIds: number[];
};

/** Stores a registration that needs a review. One with this address stays as it is. */
export const insertReview = (reader: Reader, email: string, facts: ReviewFacts) =>
  reader.rows(sql`
    insert into access.registration_reviews (email, facts, created_at)
    values (${email}, ${json(facts)}::jsonb, platform.business_now())
    on conflict (email) do nothing`);

export type StoredStatus = 'open' | 'allowed' | 'refused';

export type ReviewRow = {
  id: bigint;
  email: string;
  flags: ReviewFacts['flags'] | null;
  address: string | null;
  status: StoredStatus;
  createdAt: Date;
  dueAt: Date;
  secondsLeft: number | null;
  decidedAt: Date | null;
  operatorEmail: string | null;
  decisionReason: string | null;
};

const dueAt = sql`r.created_at + make_interval(hours => ${REVIEW_HOURS})`;
export const isOverdue = sql`(${dueAt} < platform.business_now())`;

export const reviewColumns = sql`r.id, r.email, r.facts->'flags' as flags, r.facts->>'address' as address, r.status,
  r.created_at as "createdAt", ${dueAt} as "dueAt",
  case when r.status = 'open'
    then floor(extract(epoch from ${dueAt} - platform.business_now()))::integer end as "secondsLeft",
  r.decided_at as "decidedAt", o.email as "operatorEmail", r.decision_reason as "decisionReason"`;
export const reviewJoins = sql`left join members.profiles o on o.id = r.decided_by`;

export const findReview = (reader: Reader, id: bigint) =>
  reader.row<ReviewRow>(
    sql`select ${reviewColumns} from access.registration_reviews r ${reviewJoins} where r.id = ${id}`,
  );

export type AccountRow = {
  id: number;
  firstName: string;
  lastName: string | null;
  email: string;
  role: 'user' | 'admin' | 'banned';
  createdAt: Date;
};

const accountColumns = sql`p.id, p.first_name as "firstName", p.last_name as "lastName", p.email, p.role,
  p.created_at as "createdAt"`;

/** The members who used the device of a registration, in the order in which they were stored. */
export const readDeviceAccounts = (reader: Reader, id: bigint) =>
  reader.rows<AccountRow>(sql`
    select ${accountColumns}
    from access.registration_reviews r
      cross join jsonb_array_elements_text(r.facts->'memberIds') with ordinality as named (member_id, place)
      join members.profiles p on p.id = named.member_id::integer
    where r.id = ${id} order by named.place`);

/** The account that has the e-mail address of a registration. */
export const findOwner = (reader: Reader, email: string) =>
  reader.row<AccountRow>(sql`select ${accountColumns} from members.profiles p where p.email = ${email}`);

export type Decision = {
  id: bigint;
  status: Exclude<StoredStatus, 'open'>;
  operatorId: number;
  reason: string | null;
  /** Whether it approves a refused registration. */
  overturns: boolean;
};

/** An operator, and the mailbox of a registration. */
type Asking = { operatorId: number; mailbox: string };

/** Whether an account of the operator is among those that used the device, or the operator has the mailbox. */
const isOwn = ({ operatorId, mailbox }: Asking) => sql`(
  members.has_mailbox(${operatorId}::integer, ${mailbox}) or exists (
    select from jsonb_array_elements_text(r.facts->'memberIds') as used (member_id)
    where members.is_own(${operatorId}::integer, used.member_id::integer)))`;

/**
 * Decides an open registration, or approves a refused one. Undefined if it is neither, or if it would be approved and
 * is the operator's own.
 */
export const decideReview = (
  tx: Tx,
  { id, status, operatorId, reason, overturns, mailbox }: Decision & { mailbox: string },
) =>
  tx.row<{ email: string; language: 'en' | 'ko' }>(sql`
    update access.registration_reviews r
    set status = ${status}, decided_at = platform.business_now(), decided_by = ${operatorId},
      decision_reason = ${reason}
    where r.id = ${id} and (r.status = 'open' or r.status = 'refused' and ${overturns}::boolean)
      and (${status}::text = 'refused' or not ${isOwn({ operatorId, mailbox })})
    returning r.email, coalesce(r.facts->>'language', 'en') as language`);

export const findState = (reader: Reader, id: bigint) =>
  reader.row<{ email: string; status: StoredStatus; address: string | null }>(
    sql`select email, status, facts->>'address' as address from access.registration_reviews where id = ${id}`,
  );

export const readIsOwn = async (reader: Reader, id: bigint, asking: Asking): Promise<boolean> => {
  const row = await reader.row<{ isOwn: boolean }>(
    sql`select ${isOwn(asking)} as "isOwn" from access.registration_reviews r where r.id = ${id}`,
  );
  return row?.isOwn ?? false;
};

/** The open registrations, at most `countMax`, with the time of the oldest. */
export const readOpen = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint; oldestAt: Date | null }>(sql`
    select count(*) as count, min(created_at) as "oldestAt"
    from (
      select created_at from access.registration_reviews
      where status = 'open' order by id limit ${countMax}) as counted`);

export const findReviewByEmail = (reader: Reader, email: string) =>
  reader.row<{ id: bigint; email: string; status: StoredStatus }>(
    sql`select id, email, status from access.registration_reviews where email = ${email}`,
  );
