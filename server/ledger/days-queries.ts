import { type Reader, sql } from '#platform/database.ts';

/** SQL of the kept day sums. It reads no movement. */

/** Up to when movements are in the day sums; null before the first closing. */
export const readClosedUntil = (reader: Reader) =>
  reader.one<{ closedUntil: Date | null }>(sql`
    select case when closed_until > '-infinity' then closed_until end as "closedUntil"
    from ledger.account_days_end`);

/** The balance of all members together at the end of each site day from `from` until `until`. */
export const readOwedDays = (reader: Reader, from: string, until: string) =>
  reader.rows<{ day: string; points: string }>(sql`
    select day::date::text as day, (sum(coalesce(s.amount, 0)) over (order by day) + b.amount)::text as points
    from generate_series(${from}::timestamp, ${until}::timestamp, interval '1 day') day
      left join (
        select site_day, sum(amount) as amount from ledger.account_days
        where site_day >= ${from}::date group by site_day) s on s.site_day = day
      cross join (
        select coalesce(sum(amount), 0) as amount from ledger.account_days where site_day < ${from}::date) b
    order by day`);

/** What the accounts of these providers gave and took back on each site day from `from` on. */
export const readProviderDays = (reader: Reader, providers: readonly string[], from: string) =>
  reader.rows<{ provider: string; day: string; earned: string; reversed: string }>(sql`
    select p.id as provider, site_day::text as day,
      coalesce(sum(amount) filter (where kind = 'earning'), 0)::text as earned,
      coalesce(-sum(amount) filter (where kind = 'reversal'), 0)::text as reversed
    from unnest(${providers}::text[]) p (id) join ledger.account_days on account = 'provider:' || p.id
    where site_day >= ${from}::date
    group by p.id, site_day order by site_day, p.id`);

/** What the accounts of these providers gave and took back in all from a site day on. */
export const readProviderSums = (reader: Reader, providers: readonly string[], from: string) =>
  reader.rows<{ provider: string; earned: string; reversed: string }>(sql`
    select p.id as provider,
      coalesce(sum(amount) filter (where kind = 'earning'), 0)::text as earned,
      coalesce(-sum(amount) filter (where kind = 'reversal'), 0)::text as reversed
    from unnest(${providers}::text[]) p (id) join ledger.account_days on account = 'provider:' || p.id
    where site_day >= ${from}::date group by p.id`);
