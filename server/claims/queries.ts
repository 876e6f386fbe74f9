import type { Claim, ClaimState, openingStates } from '#contract/claims.ts';
import { type Reader, type Sql, sql, type Tx } from '#platform/database.ts';

/** SQL of claims. `functions.sql` books. */

export type ClaimRow = {
  id: bigint;
  openingId: bigint;
  provider: string;
  openedAt: Date;
  arrivesWithinHours: number | null;
  text: string;
  statedPoints: bigint | null;
  state: ClaimState;
  filedAt: Date;
  askedAt: Date | null;
  answerBy: Date | null;
  dueAt: Date;
  decidedAt: Date | null;
  amountPoints: bigint | null;
  reason: string | null;
};

export type OperatorRow = ClaimRow & {
  memberId: number;
  email: string;
  firstName: string;
  lastName: string | null;
  operatorEmail: string | null;
  firstBy: number | null;
  firstPoints: bigint | null;
};

const claimColumns = sql`c.id, c.opening_id as "openingId", c.provider, c.opened_at as "openedAt",
  c.arrives_within_hours as "arrivesWithinHours", c.text, c.stated_points as "statedPoints", c.state,
  c.filed_at as "filedAt", c.asked_at as "askedAt", c.answer_by as "answerBy", c.due_at as "dueAt",
  c.decided_at as "decidedAt", c.amount_points as "amountPoints", c.reason`;
export const operatorColumns = sql`${claimColumns}, c.member_id as "memberId", m.email,
  m.first_name as "firstName", m.last_name as "lastName", o.email as "operatorEmail",
  case when members.is_operator_since(c.first_by, c.first_at) then c.first_by end as "firstBy",
  c.first_points as "firstPoints"`;
export const operatorJoins = sql`join members.profiles m on m.id = c.member_id
  left join members.profiles o on o.id = c.decided_by`;

export type OpeningRow = {
  id: bigint;
  provider: string;
  openedAt: Date;
  state: (typeof openingStates)[number];
};

/** A claim about the same wall speaks for all openings within the provider's usual time; if unknown, a day. */
const isNear = (provider: Sql, openedAt: Sql) => sql`c.provider = ${provider}
  and c.opened_at > ${openedAt} - make_interval(hours => coalesce(c.arrives_within_hours, 24))
  and c.opened_at < ${openedAt} + make_interval(hours => coalesce(c.arrives_within_hours, 24))`;

/**
 * A member's openings of the last `days` days, newest first; only the one with an id, if it is given. Each has the
 * claim that speaks for it.
 */
export const readOpenings = (reader: Reader, memberId: number, days: number, id: bigint | null = null) =>
  reader.rows<OpeningRow & { claimId: bigint | null }>(sql`
    select o.id, o.provider, o.opened_at as "openedAt", o.state, c.id as "claimId"
    from earning.openings_of(${memberId}, ${id},
        platform.business_now() - make_interval(days => ${days})) o
      left join lateral (
        select c.id from claims.claims c
        where c.member_id = ${memberId} and (c.opening_id = o.id or ${isNear(sql`o.provider`, sql`o.opened_at`)})
        order by c.opening_id <> o.id, c.id limit 1) c on true
    order by o.id desc`);

export type Outcome = Pick<OpeningRow, 'state'> & {
  /** Of its rejected credit. */
  reviewNote: string | null;
  credits: number;
  bookedClaims: number;
  /** From where the wall was opened; null where it is not known any more. */
  userAgent: string | null;
  address: string | null;
};

/** What became of a claim's opening by now, and what came at its wall since. */
export const readOutcome = (reader: Reader, { id }: Pick<ClaimRow, 'id'>) =>
  reader.one<Outcome>(sql`
    select coalesce(o.state, 'opened') as state, n.review_note as "reviewNote", s.credits,
      s.booked_claims as "bookedClaims", f.user_agent as "userAgent", f.address
    from claims.claims c cross join claims.counts_since(c.id) s
      cross join earning.opened_from(c.member_id, c.opening_id) f
      left join earning.openings_of(c.member_id, c.opening_id, c.opened_at) o on true
      left join lateral (
        select t.review_note from earning.told_of(c.member_id, c.opened_at) t
        where o.state = 'rejected' and t.state = 'rejected' and t.provider = c.provider
        order by t.created_at limit 1) n on true
    where c.id = ${id}`);

export type NewClaim = {
  memberId: number;
  opening: OpeningRow;
  arrivesWithinHours: number | null;
  text: string;
  statedPoints: string | null;
  askDays: number;
};

/** Files a claim; no row if there is one that speaks for this opening. The lock lets a member file one at a time. */
export const insertClaim = async (tx: Tx, { opening, ...given }: NewClaim) => {
  await tx.rows(sql`select from ledger.lock_wallets(array[${given.memberId}::integer])`);
  return tx.row<ClaimRow>(sql`
    insert into claims.claims as c (member_id, opening_id, provider, opened_at, arrives_within_hours, text,
      stated_points, filed_at, due_at)
    select ${given.memberId}, ${opening.id}, ${opening.provider}, ${opening.openedAt},
      ${given.arrivesWithinHours}::integer, ${given.text}, ${given.statedPoints}::bigint, n.now,
      n.now + make_interval(days => ${given.askDays})
    from (select date_trunc('milliseconds', platform.business_now()) as now) n
    where not exists (
      select from claims.claims c
      where c.member_id = ${given.memberId}
        and ${isNear(sql`${opening.provider}`, sql`${opening.openedAt}::timestamptz`)})
    on conflict (opening_id) do nothing
    returning ${claimColumns}`);
};

export const readNewestOf = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<ClaimRow>(sql`
    select ${claimColumns} from claims.claims c where c.member_id = ${memberId} order by c.id desc limit ${limit}`);

/** Reads a member's claims with ids above `afterId`, oldest first. */
export const readClaimsAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<ClaimRow>(sql`
    select ${claimColumns} from claims.claims c
    where c.member_id = ${memberId} and c.id > ${afterId} order by c.id limit ${limit}`);

export const findClaim = (reader: Reader, id: bigint) =>
  reader.row<OperatorRow>(
    sql`select ${operatorColumns} from claims.claims c ${operatorJoins} where c.id = ${id}`,
  );

/** Counts the claims that nobody has decided, at most `countMax`, with the one that is due first. */
export const readOpen = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint; filedAt: Date | null; dueAt: Date | null }>(sql`
    select count(*) as count, (array_agg(w.filed_at order by w.due_at))[1] as "filedAt", min(w.due_at) as "dueAt"
    from (
      select filed_at, due_at from claims.claims where state in ('filed', 'asked')
      order by due_at, id limit ${countMax}) w`);

type Decided = { memberId: number; provider: string; answerBy: Date | null };

/** Says that the provider was asked; no row unless the claim is somebody else's and nobody asked yet. */
export const setAsked = (
  tx: Tx,
  { id, operatorId, ...days }: { id: bigint; operatorId: number; answerDays: number; decisionDays: number },
) =>
  tx.row<Decided>(sql`
    update claims.claims c set state = 'asked', asked_at = n.now, asked_by = ${operatorId},
      answer_by = n.now + make_interval(days => ${days.answerDays}),
      due_at = n.now + make_interval(days => ${days.answerDays + days.decisionDays})
    from (select date_trunc('milliseconds', platform.business_now()) as now) n
    where c.id = ${id} and c.state = 'filed' and not members.is_own(${operatorId}, c.member_id)
    returning c.member_id as "memberId", c.provider, c.answer_by as "answerBy"`);

/** Refuses a claim; no row if it was decided before, or is one's own. */
export const setRefused = (
  tx: Tx,
  { id, operatorId, reason }: { id: bigint; operatorId: number; reason: string },
) =>
  tx.row<Decided>(sql`
    update claims.claims c set state = 'refused', decided_at = platform.business_now(),
      decided_by = ${operatorId}, reason = ${reason}
    where c.id = ${id} and c.state in ('filed', 'asked') and not members.is_own(${operatorId}, c.member_id)
    returning c.member_id as "memberId", c.provider, c.answer_by as "answerBy"`);

export type Booking = {
  id: bigint;
  amountPoints: bigint;
  /** The member reads it in the history. */
  reason: string;
  operatorId: number;
  secondPersonPoints: bigint | null;
  /** The credits and booked claims since the opening that the operator saw. */
  seenCount: number;
};

export type Booked = {
  status:
    | 'not_found'
    | 'decided'
    | 'own_request'
    | 'closed'
    | 'credited'
    | 'unseen'
    | 'second_needed'
    | 'first_approval'
    | 'booked';
  /** Before this call. */
  state: Claim['state'] | null;
  memberId: number | null;
  balance: bigint | null;
};

export const book = (tx: Tx, { id, amountPoints, reason, operatorId, ...given }: Booking) =>
  tx.one<Booked>(sql`
    select status, state, member_id as "memberId", balance
    from claims.book(${id}, ${amountPoints}, ${reason}, ${operatorId}, ${given.secondPersonPoints},
      ${given.seenCount})`);

/** Deletes the oldest claims that are too old. Returns how many, at most `rowsMax`. */
export const removeOld = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select claims.remove_old(${rowsMax}) as removed`)).removed;
