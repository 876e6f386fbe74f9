import { type Reader, sql } from '#platform/database.ts';

/** SQL of earning. What booking does is in `functions.sql` and `functions-batch.sql`. */

/** A call as `earning.book` takes it; see `earning.call` in the migrations. */
export type Call = {
  kind: 'credit' | 'reversal' | 'nothing';
  provider: string;
  transactionId: string | null;
  creditTransactionId: string | null;
  memberRef: string;
  points: string | null;
  payoutMicroUsd: string | null;
  /** Of a credit the offer's name, of a reversal its reason; may be empty. */
  subject: string;
  isScreenOut: boolean;
  holdReason: string | null;
  raw: string;
  address: string;
  verdict: string | null;
  detail: string | null;
};

export type Booked = { verdict: string; memberId: number | null; balance: bigint | null };

/** The path of one credit. */
export const bookCredit = (reader: Reader, call: Call) =>
  reader.one<Booked>(sql`
    select verdict, member_id as "memberId", balance from earning.book_credit(${call.provider}, ${call.transactionId},
      ${call.memberRef}, ${call.points}::bigint, ${call.payoutMicroUsd}::bigint, ${call.subject},
      ${call.isScreenOut}, ${call.holdReason}, ${call.raw}, ${call.address})`);

/** The path of many calls. Parallel arrays cost PostgreSQL a third of what JSON does. */
export async function bookCalls(reader: Reader, calls: readonly Call[]): Promise<Booked[]> {
  /** A column without anything in it is not sent: each is a text that PostgreSQL reads. */
  const column = <Name extends keyof Call>(name: Name): Call[Name][] | null =>
    calls.some((call) => call[name] !== null) ? calls.map((call) => call[name]) : null;
  const rows = await reader.rows<Booked & { itemPosition: number }>(sql`
    select item_position as "itemPosition", verdict, member_id as "memberId", balance
    from earning.book(array(
      select row(i.place, i.kind, i.provider, i.transaction_id, i.credit_transaction_id, i.member_ref, i.points,
                 i.payout_micro_usd, i.subject, i.is_screen_out, i.hold_reason, i.raw,
                 i.address, i.verdict, i.detail)::earning.call
      from unnest(
        ${column('kind')}::text[],
        ${column('provider')}::text[],
        ${column('transactionId')}::text[],
        ${column('creditTransactionId')}::text[],
        ${column('memberRef')}::text[],
        ${column('points')}::bigint[],
        ${column('payoutMicroUsd')}::bigint[],
        ${column('subject')}::text[],
        ${column('isScreenOut')}::boolean[],
        ${column('holdReason')}::text[],
        ${column('raw')}::text[],
        ${column('address')}::text[],
        ${column('verdict')}::text[],
        ${column('detail')}::text[]
      ) with ordinality i (kind, provider, transaction_id, credit_transaction_id, member_ref, points, payout_micro_usd,
                           subject, is_screen_out, hold_reason, raw, address, verdict,
                           detail, place)))`);
  // Put in order here: to sort costs PostgreSQL more than to answer the number.
  const booked = new Array<Booked>(calls.length);
  for (const { itemPosition, verdict, memberId, balance } of rows)
    booked[itemPosition - 1] = { verdict, memberId, balance };
  return booked;
}

export const insertOpening = (reader: Reader, memberId: number, provider: string) =>
  reader.rows(sql`
    insert into earning.openings (member_id, provider, opened_at)
    values (${memberId}, ${provider}, platform.business_now())`);

export type ActivityRow = {
  id: string;
  provider: string;
  state: 'opened' | 'pending' | 'credited' | 'reversed';
  points: bigint;
  openedAt: Date;
  updatedAt: Date;
};

const ACTIVITY_ROWS = 20;
const MOVEMENTS_READ = 100;
const HELD_READ = 50;

/**
 * What became of the walls that a member opened, newest first. An earning belongs to the last opening of its wall
 * before the provider told of it; an opening that nothing followed stays `opened` until the wall is opened again.
 * What was held counts by the time of the call, also when an operator decides days later; turned down is `reversed`.
 * The amount is what is left of a credit, and of a reversed one what it was.
 *
 * Every part reads a bounded number of newest rows. Openings from before what was read are left out, because what
 * became of them is not known here.
 */
export const readActivityRows = (reader: Reader, memberId: number) =>
  reader.rows<ActivityRow>(sql`
    with booked as (
      select kind, provider, transaction_id, posted_at from ledger.history
      where member_id = ${memberId} order by seq desc limit ${MOVEMENTS_READ}
    ), waited as (
      select provider, transaction_id, state, points, created_at, decided_at from earning.earnings
      where member_id = ${memberId} and held_id is not null order by held_id desc limit ${HELD_READ}
    ), horizon as (
      select greatest(
        (select min(posted_at) from booked having count(*) = ${MOVEMENTS_READ}),
        (select min(created_at) from waited having count(*) = ${HELD_READ})) as at
    ), earned as (
      select e.provider, e.transaction_id, e.created_at as told_at, b.posted_at as updated_at,
        case when e.left_points = 0 then 'reversed' else 'credited' end as state,
        case when e.left_points = 0 then e.points else e.left_points end as points
      from booked b
      -- One probe each: while a site is small, reading the whole table looks cheap, and such a plan would stay.
      cross join lateral (
        select * from earning.earnings f
        where f.provider = b.provider and f.transaction_id = b.transaction_id limit 1) e
      where b.kind = 'earning'
      union all
      select provider, transaction_id, created_at, coalesce(decided_at, created_at),
        case state when 'held' then 'pending' else 'reversed' end, points
      from waited where state <> 'credited'
    ), lines as (
      (select e.provider || ':' || e.transaction_id as id, e.provider, e.state, e.points,
        coalesce((
          select o.opened_at from earning.openings o
          where o.member_id = ${memberId} and o.provider = e.provider and o.opened_at <= e.told_at
          order by o.opened_at desc limit 1), e.told_at) as opened_at,
        greatest(e.updated_at, case when e.state = 'reversed' then (
          select max(r.created_at) from earning.reversals r
          where r.provider = e.provider and r.credit_transaction_id = e.transaction_id) end) as updated_at
      from earned e order by e.updated_at desc limit ${ACTIVITY_ROWS})
      union all
      select 'opening:' || o.id, o.provider, 'opened', 0, o.opened_at, o.opened_at
      from (
        select distinct on (n.provider) n.id, n.provider, n.opened_at from (
          select id, provider, opened_at from earning.openings
          where member_id = ${memberId} order by id desc limit ${ACTIVITY_ROWS}) n
        order by n.provider, n.id desc) o
      where not exists (select from earned e where e.provider = o.provider and e.told_at >= o.opened_at)
        and o.opened_at >= coalesce((select at from horizon), '-infinity')
    )
    select id, provider, state, points, opened_at as "openedAt", updated_at as "updatedAt"
    from lines order by updated_at desc, id limit ${ACTIVITY_ROWS}`);

export type PendingEarning = {
  heldId: bigint;
  createdAt: Date;
  memberId: number;
  firstName: string;
  email: string;
  points: bigint;
  providerName: string;
  subject: string;
  isScreenOut: boolean;
};

export const heldColumns = sql`e.held_id as "heldId", e.created_at as "createdAt", e.member_id as "memberId",
  m.first_name as "firstName", m.email, e.points, p.name as "providerName", e.subject,
  e.is_screen_out as "isScreenOut"`;
export const heldJoins = sql`
  join members.profiles m on m.id = e.member_id join earning.providers p on p.id = e.provider`;

export const findHeldEarning = (reader: Reader, heldId: bigint) =>
  reader.row<PendingEarning>(sql`
    select ${heldColumns} from earning.earnings e ${heldJoins} where e.held_id = ${heldId}`);

export const readTotals = (reader: Reader) =>
  reader.one<{
    pendingCount: bigint;
    pendingPoints: bigint;
    approvedCount: bigint;
    rejectedCount: bigint;
  }>(sql`select pending_count as "pendingCount", pending_points as "pendingPoints",
    approved_count as "approvedCount", rejected_count as "rejectedCount" from earning.approval_totals`);
