import type { HistoryEntry } from '#contract/ledger.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { Movement, Posting } from './movement.ts';

/** Posts one movement. */
export function postOne(reader: Reader, movement: Movement): Promise<Posting> {
  return reader.one(sql`
    select status, seq, balance as "balancePoints"
    from ledger.post_one(${movement.memberId}, ${movement.key}, ${movement.kind}, ${movement.amountPoints},
      ${movement.account}, ${movement.subject}, ${movement.provider}, ${movement.transactionId},
      ${movement.isTask ?? false})`);
}

/** Posts several movements. They are passed as parallel arrays, which cost PostgreSQL half as much as JSON. */
export function postAll(reader: Reader, movements: readonly Movement[]): Promise<Posting[]> {
  const column = <T>(pick: (movement: Movement) => T) => movements.map(pick);
  return reader.rows(sql`
    select status, seq, balance as "balancePoints"
    from ledger.post(array(
      select row(i.member_id, i.key, i.kind, i.amount, i.account, i.subject, i.provider, i.transaction_id,
                 i.is_task, i.link)::ledger.item
      from unnest(
        ${column((m) => m.memberId)}::integer[],
        ${column((m) => m.key)}::text[],
        ${column((m) => m.kind)}::text[],
        ${column((m) => m.amountPoints)}::bigint[],
        ${column((m) => m.account)}::text[],
        ${column((m) => m.subject)}::text[],
        ${column((m) => m.provider)}::text[],
        ${column((m) => m.transactionId)}::text[],
        ${column((m) => m.isTask ?? false)}::boolean[],
        ${column((m) => m.link ?? null)}::integer[]
      ) with ordinality i (member_id, key, kind, amount, account, subject, provider, transaction_id,
                           is_task, link, place)
      order by i.place))
    order by position`);
}

export function openWallet(reader: Reader, memberId: number): Promise<unknown> {
  return reader.one(sql`select ledger.open_wallet(${memberId})`);
}

export function closeWallet(reader: Reader, memberId: number): Promise<unknown> {
  return reader.one(sql`select ledger.close_wallet(${memberId})`);
}

export function lockWallets(reader: Reader, memberIds: readonly number[]): Promise<unknown> {
  return reader.rows(sql`select from ledger.lock_wallets(${memberIds}::integer[])`);
}

export async function closeAccountDays(reader: Reader, now: Date): Promise<bigint> {
  const { taken } = await reader.one<{ taken: bigint }>(
    sql`select ledger.close_account_days(${now}) as taken`,
  );
  return taken;
}

export async function rebuildAccountDays(reader: Reader, now: Date): Promise<bigint> {
  const { taken } = await reader.one<{ taken: bigint }>(
    sql`select ledger.rebuild_account_days(${now}) as taken`,
  );
  return taken;
}

export type WalletRow = {
  memberId: number;
  balance: bigint;
  earnedTotal: bigint;
  tasksCompleted: number;
  earnedToday: bigint;
  /** The number of the newest movement. */
  movementCount: bigint;
};

export function findWallets(reader: Reader, memberIds: readonly number[]): Promise<WalletRow[]> {
  return reader.rows(sql`
    select member_id as "memberId", balance, earned_total as "earnedTotal", tasks_completed as "tasksCompleted",
      earned_today as "earnedToday", movement_count as "movementCount"
    from ledger.read_wallets(${memberIds}::integer[])`);
}

export type DayRow = { date: string; amount: bigint };

/** Lists the last seven site days, oldest first; none for a member without a wallet. */
export function listDays(reader: Reader, memberId: number): Promise<DayRow[]> {
  return reader.rows(sql`
    select day.date, coalesce(w.day_sums[1 + w.today - day.date], 0) as amount
    from ledger.wallets w
      cross join (select platform.site_day(platform.business_now()) as date) today
      cross join lateral (select today.date - back as date from generate_series(6, 0, -1) back) day
    where w.member_id = ${memberId}
    order by day.date`);
}

/** A movement in the contract's texts, without its description, which depends on the names of providers and methods. */
export type EntryRow = Omit<HistoryEntry, 'description' | 'sourceName'>;

const entryColumns = sql`m.seq::text as id, m.amount::text as amount,
  to_char(m.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
  m.kind, m.provider, m.transaction_id as "txId", m.subject,
  m.kind = 'earning' and m.task_delta = 0 as "isScreenOut"`;

/** The movements of a page, newest first, and the count of all. */
export type HistoryPage = { count: bigint; entries: EntryRow[] };

/**
 * Finds a page, which is a range of numbers back from the newest. Undefined if the member has no wallet. The page
 * arrives as one JSON value, which costs Node half as much as rows of columns.
 */
export function findHistoryPage(
  reader: Reader,
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<HistoryPage | undefined> {
  const skipped = BigInt(page - 1) * BigInt(limit);
  return reader.row(sql`
    select w.movement_count as count, (
      select coalesce(json_agg(entry), '[]')
      from (
        select ${entryColumns}
        from ledger.movements m
        where m.member_id = w.member_id
          and m.seq <= w.movement_count - ${skipped}::bigint
          and m.seq > w.movement_count - ${skipped}::bigint - ${limit}::bigint
        order by m.seq desc
      ) entry
    ) as entries
    from ledger.wallets w
    where w.member_id = ${memberId}`);
}

/** Lists up to `limit` movements with numbers below `before`, newest first; null starts at the newest. */
export function listMovementsBefore(
  reader: Reader,
  memberId: number,
  before: bigint | null,
  limit: number,
): Promise<EntryRow[]> {
  return reader.rows(sql`
    select ${entryColumns} from ledger.movements m
    where m.member_id = ${memberId} and (m.seq < ${before}::bigint or ${before}::bigint is null)
    order by m.seq desc limit ${limit}::integer`);
}

export type BalancedEntryRow = EntryRow & { balanceAfter: bigint };

/** Lists up to `limit` movements with numbers above `after`, oldest first. */
export function listMovementsAfter(
  reader: Reader,
  memberId: number,
  after: bigint,
  limit: number,
): Promise<BalancedEntryRow[]> {
  return reader.rows(sql`
    select ${entryColumns}, m.balance_after as "balanceAfter" from ledger.movements m
    where m.member_id = ${memberId} and m.seq > ${after}::bigint
    order by m.seq limit ${limit}::integer`);
}

export function findMovement(
  reader: Reader,
  memberId: number,
  seq: bigint,
): Promise<BalancedEntryRow | undefined> {
  return reader.row(sql`
    select ${entryColumns}, m.balance_after as "balanceAfter" from ledger.movements m
    where m.member_id = ${memberId} and m.seq = ${seq}::bigint`);
}

/** Lists up to `limit` movements with numbers below `before`, newest first, each with the balance after it. */
export function listBalancedBefore(
  reader: Reader,
  memberId: number,
  before: bigint | null,
  limit: number,
): Promise<BalancedEntryRow[]> {
  return reader.rows(sql`
    select ${entryColumns}, m.balance_after as "balanceAfter" from ledger.movements m
    where m.member_id = ${memberId} and (m.seq < ${before}::bigint or ${before}::bigint is null)
    order by m.seq desc limit ${limit}::integer`);
}
