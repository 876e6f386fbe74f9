import { type Reader, sql } from '#platform/database.ts';

/** SQL of the daily sums of providers' calls. */

export type CallSum = { provider: string; verdict: string; calls: bigint; points: bigint };

/** Adds to the sums of this site day. */
export const addSums = (reader: Reader, sums: readonly CallSum[]) =>
  reader.rows(sql`
    insert into earning.call_sums as s (site_day, provider, verdict, calls, points)
    select platform.site_day(platform.business_now()), g.provider, g.verdict, g.calls, g.points
    from unnest(${sums.map(({ provider }) => provider)}::text[], ${sums.map(({ verdict }) => verdict)}::text[],
      ${sums.map(({ calls }) => calls)}::bigint[], ${sums.map(({ points }) => points)}::bigint[])
      g (provider, verdict, calls, points)
    order by g.provider, g.verdict
    on conflict (site_day, provider, verdict) do update
    set calls = s.calls + excluded.calls, points = s.points + excluded.points`);

/** Reads the sums of this site day by outcome. */
export const readToday = (reader: Reader) =>
  reader.rows<{ outcome: string; calls: bigint; points: bigint }>(sql`
    select earning.outcome_of(verdict) as outcome, sum(calls)::bigint as calls, sum(points)::bigint as points
    from earning.call_sums where site_day = platform.site_day(platform.business_now()) group by 1`);

export const deleteOldSums = (reader: Reader) =>
  reader.rows(sql`
    delete from earning.call_sums where site_day < platform.site_day(platform.business_now()) - 40`);
