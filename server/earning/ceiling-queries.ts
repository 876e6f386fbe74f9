import { type Reader, sql } from '#platform/database.ts';

/** The queries of the ceilings: what providers paid in an hour and in a site day. */

export type PaidSum = { provider: string; period: 'hour' | 'day'; points: bigint };

/** Adds points to the sums of the current hour and day. */
export const addPaid = (reader: Reader, paid: ReadonlyMap<string, bigint>) =>
  reader.rows(sql`
    insert into earning.paid_sums as s (provider, period, starts_at, points)
    select g.provider, n.period, n.starts_at, g.points
    from unnest(${[...paid.keys()]}::text[], ${[...paid.values()]}::bigint[]) g (provider, points)
      cross join earning.current_periods n
    order by g.provider, n.period
    on conflict (provider, period, starts_at) do update set points = s.points + excluded.points`);

/** Reads the sums of the current hour and day of every provider, each with the beginning of its period. */
export const readPaid = (reader: Reader) =>
  reader.rows<PaidSum & { startsAt: Date; isEnabled: boolean }>(sql`
    select p.id as provider, p.is_enabled as "isEnabled", n.period, n.starts_at as "startsAt",
      coalesce(s.points, 0) as points
    from earning.providers p
      cross join earning.current_periods n
      left join earning.paid_sums s
        on s.provider = p.id and s.period = n.period and s.starts_at = n.starts_at`);

/**
 * Reads the best hour and the best day of each provider in the last 30 days. The last 24 hours and the current day do
 * not count, so that a ceiling can't rise within a day.
 */
export const readBest = (reader: Reader) =>
  reader.rows<PaidSum>(sql`
    select s.provider, s.period, max(s.points) as points
    from earning.current_periods n join earning.paid_sums s on s.period = n.period
    where case s.period
      when 'hour' then s.starts_at between n.starts_at - interval '31 days' and n.starts_at - interval '24 hours'
      else s.starts_at between n.starts_at - interval '30 days' and n.starts_at - interval '1 day' end
    group by s.provider, s.period`);

export const deleteOldPaid = (reader: Reader) =>
  reader.rows(
    sql`delete from earning.paid_sums where starts_at < platform.business_now() - interval '40 days'`,
  );
