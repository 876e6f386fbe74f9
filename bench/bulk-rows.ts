import { type Sql, sql } from '#platform/database.ts';
import type { Site } from './site.ts';
import { MEMBER_FIRST } from './world.ts';

/**
 * Makes movements by the million. The superuser writes them directly and keeps the ledger's rules: numbers without
 * gaps, balances, totals and day sums. Of the last twelve hours, a thousand each second. The audit finds no difference
 * in them.
 */
export type BulkMovements = {
  count: number;
  /** The number of members, who take turns. */
  members: number;
  /** The first member, counted from MEMBER_FIRST. */
  memberStart?: number;
  /** Every n-th row belongs to the member MEMBER_FIRST instead. */
  every?: number;
  /** If true, also makes the earnings behind the movements. */
  withEarnings?: boolean;
};

const AMOUNT_POINTS = 150n;
const ROWS_PER_STATEMENT = 500_000;

/** Adds movements for members who have none. */
export async function addMovements(
  { superuser }: Pick<Site, 'superuser'>,
  bulk: BulkMovements,
): Promise<void> {
  const firstAt = new Date(Date.now() - 12 * 3_600_000);
  for (let start = 0; start < bulk.count; start += ROWS_PER_STATEMENT) {
    const rows = rowsOf(bulk, firstAt, start, Math.min(bulk.count, start + ROWS_PER_STATEMENT));
    await superuser.rows(insertMovements(rows));
    if (bulk.withEarnings === true) await superuser.rows(insertEarnings(rows));
  }
  await superuser.rows(sql`
    update ledger.wallets w
    set balance = m.count * ${AMOUNT_POINTS}, movement_count = m.count, earned_total = m.count * ${AMOUNT_POINTS},
      tasks_completed = m.count, day_sums = array[m.count * ${AMOUNT_POINTS}, 0, 0, 0, 0, 0, 0, 0]
    from (select member_id, count(*) as count from ledger.movements group by member_id) m
    where m.member_id = w.member_id and w.movement_count = 0`);
  await superuser.rows(sql`vacuum analyze`);
}

/** Member, number, transaction and time of the rows from `start` to before `end`. */
function rowsOf(
  { members, memberStart = 0, every = 0 }: BulkMovements,
  firstAt: Date,
  start: number,
  end: number,
): Sql {
  const first = MEMBER_FIRST + memberStart;
  const others = sql`
    select ${first}::integer + h % ${members}::integer as member_id, 1 + h / ${members}::integer as seq, g
    from (
      select g, case when ${every}::integer = 0 then g else g - g / greatest(${every}::integer, 1) - 1 end as h
      from generate_series(${start}::integer, ${end - 1}::integer) g
      where ${every}::integer = 0 or g % greatest(${every}::integer, 1) <> 0
    ) numbered`;
  return sql`
    select member_id, seq, 'bulk-' || ${memberStart}::integer || '-' || g as transaction_id,
      ${firstAt}::timestamptz + g * interval '1 millisecond' as at
    from (
      ${others}
      union all
      select ${MEMBER_FIRST}::integer, 1 + g / greatest(${every}::integer, 1), g
      from generate_series(${start}::integer, ${end - 1}::integer) g
      where ${every}::integer > 0 and g % greatest(${every}::integer, 1) = 0
    ) all_rows order by g`;
}

const insertMovements = (rows: Sql): Sql => sql`
  insert into ledger.movements (seq, amount, balance_after, earned_delta, posted_at, member_id, site_day,
    task_delta, kind, account, key, subject, provider, transaction_id)
  select seq, ${AMOUNT_POINTS}, seq * ${AMOUNT_POINTS}, ${AMOUNT_POINTS}, at, member_id,
    now.day, 1, 'earning', 'provider:cpx', 'cpx:' || transaction_id || ':credit', '', 'cpx', transaction_id
  from (${rows}) made cross join (select platform.site_day(platform.business_now()) as day) now`;

const insertEarnings = (rows: Sql): Sql => sql`
  insert into earning.earnings (provider, transaction_id, member_id, points, left_points, payout_micro_usd,
    subject, is_screen_out, state, created_at)
  select 'cpx', transaction_id, member_id, ${AMOUNT_POINTS}, ${AMOUNT_POINTS}, 150000, '',
    false, 'credited', at
  from (${rows}) made`;
