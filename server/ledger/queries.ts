import { type Reader, sql } from '#platform/database.ts';
import type { Movement, Posting } from './movement.ts';

/** Posts one movement. */
export function postOne(on: Reader, movement: Movement): Promise<Posting> {
  return on.one(sql`
    select status, seq, balance as "balancePoints"
    from ledger.post_one(${movement.memberId}, ${movement.key}, ${movement.kind}, ${movement.amountPoints},
      ${movement.account}, ${movement.subject}, ${movement.provider}, ${movement.transactionId},
      ${movement.isTask ?? false})`);
}

/** Posts several movements. They are passed as parallel arrays, which cost PostgreSQL half as much as JSON. */
export function postAll(on: Reader, movements: readonly Movement[]): Promise<Posting[]> {
  const column = <T>(pick: (movement: Movement) => T) => movements.map(pick);
  return on.rows(sql`
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

/** Lists the last seven site days, oldest first; none for a member without a wallet. */
export function listDays(on: Reader, memberId: number): Promise<DayRow[]> {
  return on.rows(sql`
    select day.date, coalesce(w.day_sums[1 + w.today - day.date], 0) as amount
    from ledger.wallets w
      cross join (select platform.site_day(platform.business_now()) as date) today
      cross join lateral (select today.date - back as date from generate_series(6, 0, -1) back) day
    where w.member_id = ${memberId}
    order by day.date`);
}

export type MovementRow = {
  seq: bigint;
  amount: bigint;
  balanceAfter: bigint;
  subject: string;
  isScreenOut: boolean;
  kind: Movement['kind'];
  provider: string | null;
  transactionId: string | null;
  postedAt: Date;
};

const movementColumns = sql`m.seq, m.amount, m.balance_after as "balanceAfter", m.subject, m.kind, m.provider,
  m.kind = 'earning' and m.task_delta = 0 as "isScreenOut", m.transaction_id as "transactionId",
  m.posted_at as "postedAt"`;

/** The movements of a page, newest first, and the count of all. */
export type HistoryPage = { count: bigint; movements: MovementRow[] };

/** Finds a page, which is a range of numbers back from the newest. Undefined if the member has no wallet. */
export async function findHistoryPage(
  on: Reader,
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<HistoryPage | undefined> {
  const skipped = BigInt(page - 1) * BigInt(limit);
  const rows = await on.rows<
    { count: bigint } & { [Name in keyof MovementRow]: MovementRow[Name] | null }
  >(sql`
    select w.movement_count as count, ${movementColumns}
    from ledger.wallets w
      left join ledger.movements m on m.member_id = w.member_id
        and m.seq <= w.movement_count - ${skipped}::bigint
        and m.seq > w.movement_count - ${skipped}::bigint - ${limit}::bigint
    where w.member_id = ${memberId}
    order by m.seq desc`);
  const [first] = rows;
  if (first === undefined) return undefined;
  // An empty page is one row without a movement.
  const movements = first.seq === null ? [] : (rows as (MovementRow & { count: bigint })[]);
  return { count: first.count, movements };
}

/** Lists up to `limit` movements with numbers below `before`, newest first; null starts at the newest. */
export function listMovementsBefore(
  on: Reader,
  memberId: number,
  before: bigint | null,
  limit: number,
): Promise<MovementRow[]> {
  return on.rows(sql`
    select ${movementColumns} from ledger.movements m
    where m.member_id = ${memberId} and (m.seq < ${before}::bigint or ${before}::bigint is null)
    order by m.seq desc limit ${limit}::integer`);
}

/** Lists up to `limit` movements with numbers above `after`, oldest first. */
export function listMovementsAfter(
  on: Reader,
  memberId: number,
  after: bigint,
  limit: number,
): Promise<MovementRow[]> {
  return on.rows(sql`
    select ${movementColumns} from ledger.movements m
    where m.member_id = ${memberId} and m.seq > ${after}::bigint
    order by m.seq limit ${limit}::integer`);
}

export function findMovement(on: Reader, memberId: number, seq: bigint): Promise<MovementRow | undefined> {
  return on.row(sql`
    select ${movementColumns} from ledger.movements m
    where m.member_id = ${memberId} and m.seq = ${seq}::bigint`);
}
