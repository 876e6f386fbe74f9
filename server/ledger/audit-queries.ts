import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of the audit. Each check reads one snapshot of all movements. */

/** One difference: `expected` is computed from the movements, `actual` is stored. */
export type Difference = { subject: string; expected: string; actual: string };

const wallets = sql`
  select coalesce(w.member_id, r.member_id)::text as subject,
    concat_ws(' ', 'balance', coalesce(r.balance, 0), 'movements', coalesce(r.movement_count, 0),
      'earned', coalesce(r.earned_total, 0), 'tasks', coalesce(r.tasks_completed, 0),
      'days', coalesce(r.day_sums, array_fill(0::numeric, array[8]))) as expected,
    coalesce(concat_ws(' ', 'balance', w.balance, 'movements', w.movement_count, 'earned', w.earned_total,
      'tasks', w.tasks_completed, 'days', w.day_sums), 'no wallet') as actual
  from ledger.wallets w full join (
    select m.member_id, sum(m.amount) as balance, count(*) as movement_count,
      sum(m.earned_delta) as earned_total, sum(m.task_delta) as tasks_completed, max(m.seq) as seq_max, array[
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 1), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 2), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 3), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 4), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 5), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 6), 0),
        coalesce(sum(m.earned_delta) filter (where m.site_day = o.today - 7), 0)] as day_sums
    from ledger.movements m left join ledger.wallets o on o.member_id = m.member_id
    group by m.member_id
  ) r on r.member_id = w.member_id
  where w.member_id is null
    or (w.balance, w.movement_count, w.earned_total, w.tasks_completed, w.day_sums::numeric[])
      is distinct from (coalesce(r.balance, 0), coalesce(r.movement_count, 0), coalesce(r.earned_total, 0),
        coalesce(r.tasks_completed, 0), coalesce(r.day_sums, array_fill(0::numeric, array[8])))`;

const chains = sql`
  select concat_ws(' ', c.member_id, 'movement', c.seq) as subject,
    concat_ws(' ', 'number', c.place, 'balance', c.running) as expected,
    concat_ws(' ', 'number', c.seq, 'balance', c.balance_after) as actual
  from (
    select member_id, seq, balance_after, row_number() over in_order as place,
      sum(amount) over in_order as running
    from ledger.movements window in_order as (partition by member_id order by seq)
  ) c
  where c.seq <> c.place or c.balance_after <> c.running`;

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

const rules = sql`
  select concat_ws(' ', m.member_id, 'movement', m.seq) as subject,
    'sound, as its kind allows' as expected,
    concat_ws(' ', m.kind, m.amount, 'balance', m.balance_after, 'earned', m.earned_delta, 'tasks', m.task_delta)
      as actual
  from ledger.movements m left join ${kinds} on k.kind = m.kind
  where (sign(m.amount) = k.sign and abs(m.amount) <= 1000000000000000
    and length(m.key) between 1 and 300 and length(m.account) between 1 and 64 and length(m.subject) <= 500
    and (m.balance_after >= 0 or m.amount > 0 or k.may_overdraw)
    and m.earned_delta = case when k.is_earned then m.amount else 0 end
    and m.task_delta between 0 and k.tasks_max) is not true`;

const accountDays = sql`
  select concat_ws(' ', coalesce(d.account, m.account), coalesce(d.site_day, m.site_day),
      coalesce(d.kind, m.kind)) as subject,
    concat_ws(' ', 'movements', coalesce(m.movement_count, 0), 'amount', coalesce(m.amount, 0)) as expected,
    concat_ws(' ', 'movements', coalesce(d.movement_count, 0), 'amount', coalesce(d.amount, 0)) as actual
  from ledger.account_days d full join (
    select account, site_day, kind, count(*) as movement_count, sum(amount) as amount
    from ledger.movements where posted_at < (select closed_until from ledger.account_days_end)
    group by account, site_day, kind
  ) m on (m.account, m.site_day, m.kind) = (d.account, d.site_day, d.kind)
  where (d.movement_count, d.amount) is distinct from (m.movement_count, m.amount)`;

const trialBalance = sql`
  select 'all accounts' as subject, '0' as expected, sum(balance)::text as actual
  from ledger.trial_balance() having sum(balance) <> 0`;

/** The statement of each check, by its name. */
const checks = {
  wallets,
  chains,
  rules,
  'account-days': accountDays,
  'trial-balance': trialBalance,
} satisfies Record<string, Sql>;

export type Check = keyof typeof checks;
export const checkNames = Object.keys(checks) as Check[];

export const readDifferences = (reader: Reader, check: Check, limit: number) =>
  reader.rows<Difference>(sql`select * from (${checks[check]}) as differences limit ${limit}`);
