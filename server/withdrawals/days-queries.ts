import { type Reader, sql } from '#platform/database.ts';

/** SQL of what was paid on each site day, and of what each paying account held. */

export const keepPaidDays = (reader: Reader, daysMax: number) =>
  reader.rows(sql`select withdrawals.keep_paid_days(${daysMax})`);

/** `balance` and `usd` are decimal text; `usd` is null if no rate is known. */
export const keepBalanceDay = (
  reader: Reader,
  method: string,
  { balance, topUpDestination }: { balance: string; topUpDestination: string | null },
  usd: string | null,
) =>
  reader.rows(sql`
    select withdrawals.keep_balance_day(${method}, ${balance}::numeric, ${usd}::numeric, ${topUpDestination})`);

export const readPaidDays = (reader: Reader, from: string) =>
  reader.rows<{ method: string; day: string; payoutCount: bigint; points: string }>(sql`
    select method, site_day::text as day, payout_count as "payoutCount", points::text as points
    from withdrawals.paid_days where site_day >= ${from}::date order by site_day, method`);

/** What each account held on each day in points, rounded down; null without a rate. */
export const readBalanceDays = (reader: Reader, from: string) =>
  reader.rows<{ method: string; day: string; points: string | null }>(sql`
    select method, site_day::text as day, floor(balance * usd * 1000)::text as points
    from withdrawals.balance_days where site_day >= ${from}::date order by site_day, method`);

export type BalanceRow = {
  method: string;
  balance: string;
  needed: string;
  points: string | null;
  neededPoints: string | null;
  covers: string | null;
  missing: string | null;
  topUpDestination: string | null;
  shortSince: Date | null;
  notedAt: Date;
};

/** The last look at each account. */
export const readBalances = (reader: Reader) =>
  reader.rows<BalanceRow>(sql`
    select m.method, trim_scale(round(d.balance, 8))::text as balance, trim_scale(round(d.needed, 8))::text as needed,
      floor(d.balance * d.usd * 1000)::text as points, ceil(d.needed * d.usd * 1000)::text as "neededPoints",
      case when d.needed > 0 then trim_scale(round(d.balance / d.needed, 1))::text end as covers,
      case when d.balance < d.needed then trim_scale(ceil((d.needed - d.balance) * 100000000) / 100000000)::text end
        as missing,
      d.top_up_destination as "topUpDestination",
      d.short_since as "shortSince", d.noted_at as "notedAt"
    from withdrawals.methods m cross join lateral (
      select * from withdrawals.balance_days l where l.method = m.method order by l.site_day desc limit 1) d
    order by m.method`);

/**
 * What each account held at its last look in points, without what was approved and not sent, and without what was sent
 * since the look. A payment that was only found is as old as the outside party says. One statement, so that a payout
 * that is sent meanwhile is subtracted once.
 */
export const readFreeBalances = (reader: Reader) =>
  reader.rows<{ method: string; points: string }>(sql`
    select m.method, (floor(d.balance * d.usd * 1000) - coalesce((
        select sum(t.points) from withdrawals.payout_totals t
        where t.method = m.method and t.state in ('queued', 'signed', 'parked')), 0) - coalesce((
        select sum(w.amount_points) from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
        where p.method = m.method and p.broadcast_at > d.noted_at and not p.is_found
          and (p.state = 'broadcast' or (p.state = 'confirmed' and p.finished_at > d.noted_at))), 0))::text as points
    from withdrawals.methods m cross join lateral (
      select * from withdrawals.balance_days l where l.method = m.method order by l.site_day desc limit 1) d
    where d.usd is not null order by m.method`);
