import { type Reader, sql } from '#platform/database.ts';

/** SQL of what is known of members from their earnings. */

/** Finds the members of a provider's transaction, an earning or a reversal. */
export const findEarners = (reader: Reader, transactionId: string) =>
  reader.rows<{ memberId: number }>(sql`
    select e.member_id as "memberId" from earning.providers p
      join earning.earnings e on e.provider = p.id and e.transaction_id = ${transactionId}
    union
    select r.member_id from earning.providers p
      join earning.reversals r on r.provider = p.id and r.transaction_id = ${transactionId}`);

export const findReversalTotals = (reader: Reader, memberId: number) =>
  reader.row<{ reversalCount: bigint; takenPoints: bigint }>(sql`
    select reversal_count as "reversalCount", taken_points as "takenPoints"
    from earning.member_reversals where member_id = ${memberId}`);

export type EarningPace = {
  memberId: number;
  /** The credits of the last hour among the newest movements. */
  lateCredits: number;
  reversals: number;
  tasks: number;
};

/** Counts the credits of members that wait because of a detection. */
export const countHeldByDetection = (reader: Reader, memberIds: readonly number[], limit: number) =>
  reader.one<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from earning.earnings e
      where e.member_id = any (${memberIds}::integer[]) and e.held_id is not null and e.state = 'held'
        and e.hold_reason = 'detection'
      limit ${limit}) h`);

/** Reads how fast members earn, and how often that was reversed: of those with a credit in the hour or a reversal. */
export const listEarningPaces = (reader: Reader, memberIds: readonly number[], movementsMax: number) =>
  reader.rows<EarningPace>(sql`
    with now as materialized (select platform.business_now() - interval '1 hour' as hour)
    select w.member_id as "memberId", coalesce(late.credits, 0) as "lateCredits",
      coalesce(r.reversal_count, 0)::integer as reversals, w.tasks_completed as tasks
    from now cross join ledger.wallet_totals w
      left join earning.member_reversals r on r.member_id = w.member_id
      left join lateral (
        select (
          select count(*)::integer from ledger.newest_movements(w.member_id, ${movementsMax}) m
          where m.kind = 'earning' and m.posted_at > now.hour) as credits
        from ledger.newest_movements(w.member_id, 1) newest
        where newest.posted_at > now.hour) late on true
    where w.member_id = any (${memberIds}::integer[])
      and (late.credits > 0 or r.reversal_count > 0)`);

export type SurveyPace = {
  memberId: number;
  provider: string;
  surveys: number;
  seconds: number;
  statedMinutes: number;
};

/**
 * Reads for each member with a movement in the hour, and each survey provider, the least time in which so many surveys
 * in a row were credited within a day. Screened-out members were paid for no survey. Credits within ten seconds of
 * another one are left out, because a provider that was away sends them so, and no person finishes surveys so.
 * @param stated the shortest length that a provider states; its enabled surveys in the catalogue can be shorter
 */
export const listSurveyPaces = (
  reader: Reader,
  memberIds: readonly number[],
  stated: readonly { provider: string; minutes: number | null }[],
  { surveys, movementsMax }: { surveys: number; movementsMax: number },
) =>
  reader.rows<SurveyPace>(sql`
    with now as materialized (select platform.business_now() as at),
    stated as materialized (
      select s.provider, least(s.minutes, (
        select min(c.minutes) from earning.catalogue c
        where c.provider = s.provider and c.kind = 'survey' and c.is_enabled)) as minutes
      from jsonb_to_recordset(${JSON.stringify(stated)}::jsonb) as s (provider text, minutes integer))
    select w.member_id as "memberId", quick.provider, ${surveys}::integer as surveys, quick.seconds,
      s.minutes as "statedMinutes"
    from now cross join ledger.wallet_totals w
      cross join lateral (
        select from ledger.newest_movements(w.member_id, 1) n
        where n.posted_at > now.at - interval '1 hour') earns
      cross join lateral (
        select run.provider, min(run.seconds)::integer as seconds from (
          select apart.provider, extract(epoch from apart.created_at - lag(apart.created_at, ${surveys}::integer)
            over (partition by apart.provider order by apart.created_at)) as seconds
          from (
            select e.provider, e.created_at,
              lag(e.created_at) over (partition by e.provider order by e.created_at) as before
            from ledger.newest_movements(w.member_id, ${movementsMax}) m
              cross join lateral (
                select f.provider, f.created_at from earning.earnings f
                where f.provider = m.provider and f.transaction_id = m.transaction_id
                  and not f.is_screen_out limit 1) e
            where m.kind = 'earning' and m.provider in (select known.provider from stated known)
              and e.created_at > now.at - interval '1 day') apart
          where apart.before is null or apart.created_at - apart.before >= interval '10 seconds') run
        group by run.provider) quick
      join stated s on s.provider = quick.provider
    where w.member_id = any (${memberIds}::integer[]) and quick.seconds is not null and s.minutes is not null`);
