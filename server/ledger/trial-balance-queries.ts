import { type Reader, sql } from '#platform/database.ts';

/** SQL of the trial balance and of the sums of accounts by day. */

type Balance = { account: string; balance: string };
type ReceivableRow = {
  account: string;
  thisMonth: string;
  lastMonth: string;
  earlier: string;
  lastDay: string;
};

/** The trial balance of this moment. It reads every wallet. */
export const readTrialBalance = (reader: Reader) =>
  reader.rows<Balance>(
    sql`select account, balance::bigint::text as balance from ledger.trial_balance() order by account`,
  );

export const keepTrialBalance = (reader: Reader, secondsMin: number) =>
  reader.rows(sql`select ledger.keep_trial_balance(${secondsMin})`);

export const findKeptTrialBalance = (reader: Reader) =>
  reader.row<{
    takenAt: Date;
    accounts: Balance[];
    receivables: ReceivableRow[];
    debtorCount: bigint;
    debtPoints: string;
  }>(sql`
    select taken_at as "takenAt", accounts, receivables, debtor_count as "debtorCount",
      debt_points::text as "debtPoints"
    from ledger.trial_balances`);

/** The moment, the month of the site day, and the first month in which an account has a movement. */
export const readMonths = (reader: Reader) =>
  reader.one<{ now: Date; month: string; firstMonth: string | null }>(sql`
    select n.now, to_char(platform.site_day(n.now), 'YYYY-MM') as month,
      (select to_char(min(site_day), 'YYYY-MM') from ledger.account_sums()) as "firstMonth"
    from (select platform.business_now() as now) n`);

export type DayRow = { day: string; account: string; kind: string; movementCount: bigint; points: string };

/** The changes of house accounts in the month that begins at `from`, by day and kind; of one account if it is named. */
export const readMonth = (reader: Reader, from: string, account: string | null) =>
  reader.rows<DayRow>(sql`
    select site_day::text as day, account, kind, movement_count::bigint as "movementCount", (-amount)::text as points
    from ledger.account_sums()
    where site_day >= ${from}::date and site_day < ${from}::date + interval '1 month'
      and (account = ${account}::text or ${account}::text is null)
    order by site_day desc, account, kind`);

/** The changes of all members together in a month. */
export const readMembersMonth = (reader: Reader, from: string, account: string) =>
  reader.rows<DayRow>(sql`
    select site_day::text as day, ${account}::text as account, kind, sum(movement_count)::bigint as "movementCount",
      sum(amount)::text as points
    from ledger.account_sums()
    where site_day >= ${from}::date and site_day < ${from}::date + interval '1 month'
    group by site_day, kind order by site_day desc, kind`);

/** What house accounts gave to members before a day, and whether they have any movement; of one if it is named. */
export const readBefore = (reader: Reader, from: string, account: string | null) =>
  reader.one<{ amount: string; isKnown: boolean }>(sql`
    select coalesce(sum(amount) filter (where site_day < ${from}::date), 0)::text as amount, count(*) > 0 as "isKnown"
    from ledger.account_sums() where account = ${account}::text or ${account}::text is null`);
