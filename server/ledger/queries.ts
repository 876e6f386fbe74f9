import { type Reader, sql } from '#platform/database.ts';
import type { Movement, Posting } from './ledger.ts';

/** One call of the single path. */
export function postOne(on: Reader, movement: Movement): Promise<Posting> {
  return on.one(sql`
    select status, seq, balance as "balancePoints"
    from ledger.post_one(${movement.memberId}, ${movement.key}, ${movement.kind}, ${movement.amountPoints},
      ${movement.account}, ${movement.description}, ${movement.provider}, ${movement.transactionId},
      ${movement.isTask ?? false})`);
}

/** One call of the array path. Parallel arrays cost PostgreSQL half of what JSON does. */
export function postAll(on: Reader, movements: readonly Movement[]): Promise<Posting[]> {
  const column = <T>(pick: (movement: Movement) => T) => movements.map(pick);
  return on.rows(sql`
    select status, seq, balance as "balancePoints"
    from ledger.post(array(
      select row(i.member_id, i.key, i.kind, i.amount, i.account, i.description, i.provider, i.transaction_id,
                 i.is_task, i.link)::ledger.item
      from unnest(
        ${column((m) => m.memberId)}::integer[],
        ${column((m) => m.key)}::text[],
        ${column((m) => m.kind)}::text[],
        ${column((m) => m.amountPoints)}::bigint[],
        ${column((m) => m.account)}::text[],
        ${column((m) => m.description)}::text[],
        ${column((m) => m.provider)}::text[],
        ${column((m) => m.transactionId)}::text[],
        ${column((m) => m.isTask ?? false)}::boolean[],
        ${column((m) => m.link ?? null)}::integer[]
      ) with ordinality i (member_id, key, kind, amount, account, description, provider, transaction_id,
                           is_task, link, place)
      order by i.place))
    order by position`);
}

export function openWallet(on: Reader, memberId: number): Promise<unknown> {
  return on.one(sql`select ledger.open_wallet(${memberId})`);
}

export function closeWallet(on: Reader, memberId: number): Promise<unknown> {
  return on.one(sql`select ledger.close_wallet(${memberId})`);
}

export function lockWallets(on: Reader, memberIds: readonly number[]): Promise<unknown> {
  return on.rows(sql`select from ledger.lock_wallets(${memberIds}::integer[])`);
}

export async function closeAccountDays(on: Reader): Promise<bigint> {
  const { taken } = await on.one<{ taken: bigint }>(sql`select ledger.close_account_days() as taken`);
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

export function findWallets(on: Reader, memberIds: readonly number[]): Promise<WalletRow[]> {
  return on.rows(sql`
    select member_id as "memberId", balance, earned_total as "earnedTotal", tasks_completed as "tasksCompleted",
      earned_today as "earnedToday", movement_count as "movementCount"
    from ledger.read_wallets(${memberIds}::integer[])`);
}

export type DayRow = { date: string; amount: bigint };

/** The last seven site days, oldest first; none for a member without a wallet. */
export function listDays(on: Reader, memberId: number): Promise<DayRow[]> {
  return on.rows(sql`
    select day.date, coalesce(w.day_sums[1 + w.today - day.date], 0) as amount
    from ledger.wallets w
      cross join (select platform.site_day(platform.business_now()) as date) today
      cross join lateral (select today.date - back as date from generate_series(6, 0, -1) back) day
    where w.member_id = ${memberId}
    order by day.date`);
}

export type HistoryRow = {
  count: bigint;
  /** The page's movements as JSON text in the contract's words. */
  entries: string;
};

/**
 * A page, newest first, and the count of all; nothing when the member has no wallet. A page is a range of numbers,
 * counted back from the newest. PostgreSQL writes the JSON: to read ten rows of seven fields, make objects of them and
 * write these again costs the program as much as everything else about the call.
 */
export function findHistoryPage(
  on: Reader,
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<HistoryRow | undefined> {
  const skipped = BigInt(page - 1) * BigInt(limit);
  return on.row(sql`
    select w.movement_count as count, (
      select coalesce(json_agg(entry)::text, '[]')
      from (
        select m.seq::text as id, m.amount::text as amount, m.description,
          to_char(m.posted_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "createdAt",
          m.kind, m.provider, m.transaction_id as "txId"
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

export type MovementRow = {
  seq: bigint;
  amount: bigint;
  balanceAfter: bigint;
  description: string;
  kind: Movement['kind'];
  provider: string | null;
  transactionId: string | null;
  postedAt: Date;
};

/** Up to `limit` movements before the one numbered `before`, newest first; null begins with the newest. */
export function listMovementsBefore(
  on: Reader,
  memberId: number,
  before: bigint | null,
  limit: number,
): Promise<MovementRow[]> {
  return on.rows(sql`
    select seq, amount, balance_after as "balanceAfter", description, kind, provider,
      transaction_id as "transactionId", posted_at as "postedAt"
    from ledger.movements
    where member_id = ${memberId} and (seq < ${before}::bigint or ${before}::bigint is null)
    order by seq desc limit ${limit}::integer`);
}

export function findMovement(on: Reader, memberId: number, seq: bigint): Promise<MovementRow | undefined> {
  return on.row(sql`
    select seq, amount, balance_after as "balanceAfter", description, kind, provider,
      transaction_id as "transactionId", posted_at as "postedAt"
    from ledger.movements
    where member_id = ${memberId} and seq = ${seq}::bigint`);
}
