import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of earning. What booking does is in `functions.sql` and `functions-batch.sql`. */

/** A call as `earning.book` takes it; see `earning.call` in the migrations. */
export type Call = {
  kind: 'credit' | 'reversal' | 'nothing';
  provider: string;
  transaction_id: string | null;
  credit_transaction_id: string | null;
  member_ref: string;
  points: string | null;
  payout_micro_usd: string | null;
  description: string;
  movement_description: string;
  is_screen_out: boolean;
  hold_reason: string | null;
  raw: string;
  address: string;
  verdict: string | null;
  detail: string;
};

export type Booked = { verdict: string; member_id: number | null; balance: bigint | null };

/** The path of one credit. */
export const bookCredit = (reader: Reader, call: Call) =>
  reader.one<Booked>(sql`
    select verdict, member_id, balance from earning.book_credit(${call.provider}, ${call.transaction_id},
      ${call.member_ref}, ${call.points}::bigint, ${call.payout_micro_usd}::bigint, ${call.description},
      ${call.movement_description}, ${call.is_screen_out}, ${call.hold_reason}, ${call.raw}, ${call.address})`);

/** The path of many calls. Parallel arrays cost PostgreSQL a third of what JSON does. */
export function bookCalls(reader: Reader, calls: readonly Call[]): Promise<Booked[]> {
  const column = <Name extends keyof Call>(name: Name): Call[Name][] => calls.map((call) => call[name]);
  return reader.rows<Booked>(sql`
    select verdict, member_id, balance
    from earning.book(array(
      select row(i.place, i.kind, i.provider, i.transaction_id, i.credit_transaction_id, i.member_ref, i.points,
                 i.payout_micro_usd, i.description, i.movement_description, i.is_screen_out, i.hold_reason, i.raw,
                 i.address, i.verdict, i.detail)::earning.call
      from unnest(
        ${column('kind')}::text[],
        ${column('provider')}::text[],
        ${column('transaction_id')}::text[],
        ${column('credit_transaction_id')}::text[],
        ${column('member_ref')}::text[],
        ${column('points')}::bigint[],
        ${column('payout_micro_usd')}::bigint[],
        ${column('description')}::text[],
        ${column('movement_description')}::text[],
        ${column('is_screen_out')}::boolean[],
        ${column('hold_reason')}::text[],
        ${column('raw')}::text[],
        ${column('address')}::text[],
        ${column('verdict')}::text[],
        ${column('detail')}::text[]
      ) with ordinality i (kind, provider, transaction_id, credit_transaction_id, member_ref, points, payout_micro_usd,
                           description, movement_description, is_screen_out, hold_reason, raw, address, verdict,
                           detail, place)
      order by i.place))
    order by item_position`);
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
  opened_at: Date;
  updated_at: Date;
};

const ACTIVITY_ROWS = 20;

/**
 * The newest openings, earnings and held earnings of a member as one line each: an earning takes the last
 * opening of its wall before it; an opening that nothing followed stays `opened`. Every part reads a bounded
 * number of newest rows.
 */
export const readActivityRows = (reader: Reader, memberId: number) =>
  reader.rows<ActivityRow>(sql`
    with opened as (
      select o.id, o.provider, o.opened_at,
        lead(o.opened_at) over (partition by o.provider order by o.id) as next_opened_at
      from (select * from earning.openings where member_id = ${memberId} order by id desc limit ${ACTIVITY_ROWS}) o
    ), booked as (
      select m.provider, m.transaction_id, m.amount as points, m.posted_at as at, e.left_points
      from (select * from ledger.movements where member_id = ${memberId} order by seq desc limit 60) m
      join earning.earnings e on e.provider = m.provider and e.transaction_id = m.transaction_id
      where m.kind = 'earning'
    ), earned as (
      select provider, transaction_id, points, at,
        case when left_points = 0 then 'reversed' else 'credited' end as state from booked
      union all
      select provider, transaction_id, points, created_at, 'pending'
      from earning.earnings where member_id = ${memberId} and state = 'held'
    ), lines as (
      select e.provider || ':' || e.transaction_id as id, e.provider, e.state, e.points,
        coalesce((select max(o.opened_at) from opened o where o.provider = e.provider and o.opened_at <= e.at), e.at)
          as opened_at, e.at as updated_at
      from earned e
      union all
      select 'opening:' || o.id, o.provider, 'opened', 0, o.opened_at, o.opened_at
      from opened o
      where not exists (
        select from earned e where e.provider = o.provider and e.at >= o.opened_at
          and (o.next_opened_at is null or e.at < o.next_opened_at))
    )
    select * from lines order by updated_at desc, id limit ${ACTIVITY_ROWS}`);

export type PendingEarning = {
  held_id: bigint;
  created_at: Date;
  member_id: number;
  first_name: string;
  email: string;
  points: bigint;
  provider_name: string;
  description: string;
};

const heldColumns = sql`e.held_id, e.created_at, e.member_id, m.first_name, m.email, e.points,
  p.name as provider_name, e.description`;
const heldTables = sql`earning.earnings e join members.members m on m.id = e.member_id
  join earning.providers p on p.id = e.provider`;

function matching(q: string | undefined): Sql {
  if (q === undefined || q === '') return sql``;
  return sql`and (m.email = ${q.toLowerCase()} or e.member_id::text = ${q} or e.transaction_id = ${q}
    or e.held_id::text = ${q})`;
}

export const readHeldEarnings = (
  reader: Reader,
  page: { page: number; limit: number; q?: string | undefined; isOldestFirst: boolean },
) =>
  reader.rows<PendingEarning>(sql`
    select ${heldColumns} from ${heldTables}
    where e.state = 'held' ${matching(page.q)}
    order by e.held_id ${page.isOldestFirst ? sql`asc` : sql`desc`}
    limit ${page.limit} offset ${(page.page - 1) * page.limit}`);

const COUNTED_MAX = 10_001;

/** How many held earnings match, looking at no more than are told exactly. */
export const countHeldEarnings = async (reader: Reader, q: string): Promise<bigint> =>
  (
    await reader.one<{ count: bigint }>(sql`
      select count(*) as count from (
        select from ${heldTables} where e.state = 'held' ${matching(q)} limit ${COUNTED_MAX}) matches`)
  ).count;

export const findHeldEarning = (reader: Reader, heldId: bigint) =>
  reader.row<PendingEarning>(sql`select ${heldColumns} from ${heldTables} where e.held_id = ${heldId}`);

export const readTotals = (reader: Reader) =>
  reader.one<{
    pending_count: bigint;
    pending_points: bigint;
    approved_count: bigint;
    rejected_count: bigint;
  }>(sql`select pending_count, pending_points, approved_count, rejected_count from earning.approval_totals`);
