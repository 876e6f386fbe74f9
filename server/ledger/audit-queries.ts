import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of the audit of the ledger. Each statement reads one piece of a book. */

/** One difference: `expected` follows from the movements, `actual` is stored. */
export type Difference = { check: string; subject: string; expected: string; actual: string };

const PIECE_MOVEMENTS = 20_000;
const PIECE_MEMBERS = 2_000;

/** The member before whom a piece ends that begins at `from`; null if it is the last piece. */
export const readMembersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const { end } = await reader.one<{ end: number | null }>(sql`
    select min(w.member_id) as "end"
    from (
      select n.member_id, sum(n.movement_count) over (order by n.member_id) as movements,
        row_number() over (order by n.member_id) as place
      from (
        select member_id, movement_count from ledger.wallets
        where member_id >= ${from} order by member_id limit ${PIECE_MEMBERS}) n
    ) w
    where w.place > 1 and (w.movements > ${PIECE_MOVEMENTS} or w.place = ${PIECE_MEMBERS})`);
  return end;
};

/**
 * What a movement of each kind may be: its sign, whether it counts as earned, how many tasks it may complete, and
 * whether it may take a balance below zero. These rules stand in `functions.sql` too, and here on purpose: the audit
 * must find what was posted while a function was wrong or replaced, so it asks none of the functions that it checks.
 */
const kinds = sql`
  (values ('earning', 1, true, 1, false), ('bonus', 1, true, 0, false), ('referral', 1, true, 0, false),
    ('grant', 1, true, 0, false), ('coinflip-prize', 1, false, 0, false), ('withdrawal-return', 1, false, 0, false),
    ('coinflip-stake', -1, false, 0, false), ('withdrawal', -1, false, 0, false), ('reversal', -1, false, 0, true))
    as k (kind, sign, is_earned, tasks_max, may_overdraw)`;

/** True without counting characters where the bytes are few enough. */
const isAtMost = (text: Sql, charactersMax: number): Sql =>
  sql`(octet_length(${text}) <= ${charactersMax} or length(${text}) <= ${charactersMax})`;

const earnedOfDay = (daysAgo: number): Sql =>
  sql`coalesce(sum(p.earned_delta) filter (where p.site_day = w.today - ${daysAgo}::integer), 0)`;

/**
 * The movements of members (`piece`), their sums (`sums`), and the wallets (`stored`). `membersOf` says which members,
 * for a column. Its bounds must be parameters or constants, so that an index finds them.
 */
const booksOf = (membersOf: (column: Sql) => Sql): Sql => sql`
  with piece as (
    select m.member_id, m.seq, m.kind, m.amount, m.balance_after, m.earned_delta, m.task_delta, m.site_day,
      lag(m.seq, 1, 0::bigint) over in_order + 1 as seq_expected,
      lag(m.balance_after, 1, 0::bigint) over in_order + m.amount as balance_expected,
      (m.amount <> 0 and (m.amount > 0) = (k.sign > 0) and abs(m.amount) <= 1000000000000000
        and m.key <> '' and ${isAtMost(sql`m.key`, 300)} and m.account <> '' and ${isAtMost(sql`m.account`, 64)}
        and ${isAtMost(sql`m.subject`, 500)} and (m.balance_after >= 0 or m.amount > 0 or k.may_overdraw)
        and m.earned_delta = case when k.is_earned then m.amount else 0 end
        and m.task_delta between 0 and k.tasks_max) is true as is_sound
    from ledger.movements m left join ${kinds} on k.kind = m.kind
    where ${membersOf(sql`m.member_id`)}
    window in_order as (partition by m.member_id order by m.seq)
  ), stored as (
    select w.* from ledger.wallets w where ${membersOf(sql`w.member_id`)}
  ), sums as (
    select p.member_id, sum(p.amount) as balance, count(*) as movement_count, sum(p.earned_delta) as earned_total,
      sum(p.task_delta) as tasks_completed,
      bool_and(p.is_sound and p.seq = p.seq_expected and p.balance_after = p.balance_expected) as is_sound,
      array[${earnedOfDay(0)}, ${earnedOfDay(1)}, ${earnedOfDay(2)}, ${earnedOfDay(3)}, ${earnedOfDay(4)},
        ${earnedOfDay(5)}, ${earnedOfDay(6)}, ${earnedOfDay(7)}] as day_sums
    from piece p left join ledger.wallets w on w.member_id = p.member_id and ${membersOf(sql`w.member_id`)}
    group by p.member_id
  )`;

const noDays = sql`array_fill(0::numeric, array[8])`;

const isChangedWallet = sql`(w.member_id is null
  or (w.balance, w.movement_count, w.earned_total, w.tasks_completed, w.day_sums::numeric[])
    is distinct from (coalesce(s.balance, 0), coalesce(s.movement_count, 0), coalesce(s.earned_total, 0),
      coalesce(s.tasks_completed, 0), coalesce(s.day_sums, ${noDays})))`;

/** Members of a range, of whom anything differs. Reads the movements once, because almost all members are sound. */
const readSuspects = (reader: Reader, from: number, until: number, limit: number) =>
  reader.rows<{ memberId: number }>(sql`
    ${booksOf((column) => sql`${column} >= ${from} and ${column} < ${until}`)}
    select coalesce(w.member_id, s.member_id) as "memberId"
    from stored w full join sums s on s.member_id = w.member_id
    where s.is_sound is false or ${isChangedWallet}
    order by 1 limit ${limit}`);

/** Wallets that differ from the sums of their movements, gaps in the numbers, wrong balances, and unsound movements. */
export async function readChangedWallets(
  reader: Reader,
  from: number,
  until: number,
  limit: number,
): Promise<Difference[]> {
  const suspects = await readSuspects(reader, from, until, limit);
  if (suspects.length === 0) return [];
  const members = suspects.map(({ memberId }) => memberId);
  return reader.rows<Difference>(sql`
    ${booksOf((column) => sql`${column} = any(${members}::integer[])`)}
    (select 'wallets' as "check", coalesce(w.member_id, s.member_id)::text as subject,
      concat_ws(' ', 'balance', coalesce(s.balance, 0), 'movements', coalesce(s.movement_count, 0),
        'earned', coalesce(s.earned_total, 0), 'tasks', coalesce(s.tasks_completed, 0),
        'days', coalesce(s.day_sums, ${noDays})) as expected,
      coalesce(concat_ws(' ', 'balance', w.balance, 'movements', w.movement_count, 'earned', w.earned_total,
        'tasks', w.tasks_completed, 'days', w.day_sums), 'no wallet') as actual
    from stored w full join sums s on s.member_id = w.member_id
    where ${isChangedWallet} limit ${limit})
    union all
    (select 'chains', concat_ws(' ', member_id, 'movement', seq),
      concat_ws(' ', 'number', seq_expected, 'balance', balance_expected),
      concat_ws(' ', 'number', seq, 'balance', balance_after)
    from piece where seq <> seq_expected or balance_after <> balance_expected limit ${limit})
    union all
    (select 'rules', concat_ws(' ', member_id, 'movement', seq), 'sound, as its kind allows',
      concat_ws(' ', kind, amount, 'balance', balance_after, 'earned', earned_delta, 'tasks', task_delta)
    from piece where not is_sound limit ${limit})`);
}

/** A moment before the first movement, as the stored days have it. Movements are dated at most 14 hours from UTC. */
export const readTimeStart = (reader: Reader) =>
  reader.one<{ start: Date; now: Date }>(sql`
    select c.now, least(c.now - interval '2 days',
      (select min(site_day) from ledger.account_days where isfinite(site_day)) - interval '2 days') as start
    from (select platform.business_now() as now) c`);

/** The number of movements of a period, but at most `limit`. */
export const countUpTo = async (reader: Reader, from: Date, until: Date, limit: number): Promise<number> => {
  const { count } = await reader.one<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from ledger.movements where posted_at >= ${from} and posted_at < ${until} limit ${limit}) m`);
  return count;
};

/** The end of the closed days; null before the first closing. */
export const readClosedUntil = async (reader: Reader): Promise<Date | null> => {
  const { until } = await reader.one<{ until: Date | null }>(sql`
    select case when isfinite(closed_until) then closed_until end as until from ledger.account_days_end`);
  return until;
};

export type DaySum = {
  account: string;
  siteDay: string;
  kind: string;
  movementCount: bigint;
  amount: bigint;
  /** The sum of the movements' hashes, as decimal text. */
  digest: string;
};

/** The hash of a movement, written out here because the audit asks no function of the ledger. */
const digest = sql`
  hash_record_extended(row(m.member_id, m.seq, m.key, m.kind, m.amount, m.balance_after, m.earned_delta, m.task_delta,
    m.account, m.subject, m.provider, m.transaction_id, m.site_day, m.posted_at), 0)`;

/** The sums of a period by account, day and kind. Without `from`, of all time before `until`. */
export const readDaySums = (reader: Reader, from: Date | null, until: Date) =>
  reader.rows<DaySum>(sql`
    select account, site_day as "siteDay", kind, count(*) as "movementCount", sum(amount)::bigint as amount,
      sum(${digest})::text as digest
    from ledger.movements m
    where posted_at >= coalesce(${from}::timestamptz, '-infinity') and posted_at < ${until}
    group by account, site_day, kind`);

/** The stored sums and the end to which they reach, of one snapshot. */
export const readClosedDays = async (reader: Reader): Promise<{ until: Date | null; days: DaySum[] }> => {
  const rows = await reader.rows<DaySum & { until: Date | null }>(sql`
    select case when isfinite(e.closed_until) then e.closed_until end as until, d.account, d.site_day as "siteDay",
      d.kind, d.movement_count as "movementCount", d.amount::bigint as amount, d.digest::text as digest
    from ledger.account_days_end e left join ledger.account_days d on true`);
  return { until: rows[0]?.until ?? null, days: rows.filter(({ account }) => account !== null) };
};

/** The end of the closed days must not lie in the future, where later movements would be left out of all sums. */
export const readWrongEnds = (reader: Reader) =>
  reader.rows<Difference>(sql`
    select 'account-days-end' as "check", 'the end of the closed days' as subject,
      'before ' || platform.business_now() as expected, closed_until::text as actual
    from ledger.account_days_end where closed_until > platform.business_now()`);

export const readUnbalanced = (reader: Reader) =>
  reader.rows<Difference>(sql`
    select 'trial-balance' as "check", 'all accounts' as subject, '0' as expected, sum(balance)::text as actual
    from ledger.trial_balance() having sum(balance) <> 0`);

/**
 * Movements whose key or account is not of their kind, so that no feature would find them; of the future; and on a day
 * that is nowhere the day of their time. A semicolon follows the colon in the order of keys.
 */
export const readStrangeKeys = (
  reader: Reader,
  from: Date | null,
  until: Date | null,
  now: Date,
  limit: number,
) =>
  reader.rows<Difference>(sql`
    select 'keys' as "check", concat_ws(' ', member_id, 'movement', seq) as subject,
      'the key, the account and the day of its kind and time' as expected,
      concat_ws(' ', kind, key, account, site_day, posted_at) as actual
    from ledger.movements
    where posted_at >= coalesce(${from}::timestamptz, '-infinity')
      and posted_at <= coalesce(${until}::timestamptz, 'infinity')
      and (case kind
        when 'earning' then key = provider || ':' || transaction_id || ':credit' and account = 'provider:' || provider
        when 'reversal' then provider is null and account = 'operator'
          or key = provider || ':' || transaction_id || ':reversal' and account in ('provider:' || provider, 'operator')
        when 'bonus' then key > 'bonus:' and key < 'bonus;' and account = 'bonus'
        when 'referral' then key > 'referral:' and key < 'referral;' and account = 'referrals'
        when 'coinflip-stake' then key > 'coinflip:' and key < 'coinflip;' and account = 'coinflip'
        when 'coinflip-prize' then key > 'coinflip:' and key < 'coinflip;' and account = 'coinflip'
        when 'withdrawal' then key > 'withdrawal:' and key < 'withdrawal;' and account = 'withdrawals'
        when 'withdrawal-return'
          then key > 'withdrawal-return:' and key < 'withdrawal-return;' and account = 'withdrawals'
        else true end
        and posted_at < ${now}::timestamptz + interval '1 hour'
        and site_day - (posted_at at time zone 'UTC')::date between -1 and 1) is not true
    limit ${limit}`);
