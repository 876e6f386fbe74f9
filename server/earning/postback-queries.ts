import { type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import type { CreditObstacle } from './decision-queries.ts';
import type { Call } from './queries.ts';

/** SQL of the operators' view of providers' calls, and of replays. */

export type PostbackRow = {
  id: bigint;
  at: Date;
  provider: string;
  transactionId: string | null;
  raw: string;
  address: string;
  verdict: string;
  outcome: 'booked' | 'held' | 'quarantined' | 'repeated' | 'refused' | 'nothing';
  detail: string;
  /** Of the held earning or the call in quarantine that still waits. */
  heldId: bigint | null;
  quarantineId: bigint | null;
  replayedAt: Date | null;
  replayedBy: string | null;
  replayVerdict: string | null;
};

export const postbackColumns = sql`p.id, p.at, p.provider, p.transaction_id as "transactionId", p.raw, p.address,
  p.verdict, earning.outcome_of(p.verdict) as outcome, p.detail, e.held_id as "heldId", q.id as "quarantineId",
  r.at as "replayedAt", o.email as "replayedBy", r.verdict as "replayVerdict"`;
export const postbackJoins = sql`
  left join lateral (
    select held_id from earning.earnings
    where p.verdict = 'held' and provider = p.provider and transaction_id = p.transaction_id and state = 'held'
    limit 1) e on true
  left join lateral (
    select id from earning.quarantine
    where p.verdict in ('quarantined', 'held') and provider = p.provider and transaction_id = p.transaction_id
      and state in ('open', 'held')
    limit 1) q on true
  left join earning.replays r on r.postback_id = p.id
  left join members.profiles o on o.id = r.operator_id`;

export const findPostback = (reader: Reader, id: bigint) =>
  reader.row<PostbackRow>(
    sql`select ${postbackColumns} from earning.postbacks p ${postbackJoins} where p.id = ${id}`,
  );

/** How many of a member's newest credits a search finds. */
const CREDITS_MAX = 20;

/** The ordinary credits of a transaction, or the newest of a member. A call is stored at the time of its earning, or
 * within the statement that books it. */
export const creditCallsOf = (transactionId: string, memberId: number | null): Sql => sql`
  select p.id from (
    select e.provider, e.transaction_id, e.created_at
    from earning.providers v
      cross join lateral (
        select provider, transaction_id, created_at from earning.earnings
        where provider = v.id and transaction_id = ${transactionId} limit 1) e
    union
    (select e.provider, e.transaction_id, e.created_at
    from ledger.history h
      cross join lateral (
        select provider, transaction_id, created_at from earning.earnings
        where provider = h.provider and transaction_id = h.transaction_id limit 1) e
    where h.member_id = ${memberId}::integer and h.kind = 'earning' order by h.seq desc limit ${CREDITS_MAX})
  ) booked
    cross join lateral (
      select c.id from earning.postbacks c
      where c.at between booked.created_at - interval '2 seconds' and booked.created_at + interval '2 seconds'
        and c.provider = booked.provider and c.transaction_id = booked.transaction_id and c.verdict = 'credited'
    ) p`;

/** The calls about a transaction, the newest first. */
export const findCallsByTransaction = (reader: Reader, transactionId: string, limit: number) =>
  reader.rows<{ id: bigint; providerName: string }>(sql`
    select p.id, coalesce(v.name, p.provider) as "providerName"
    from earning.postbacks p left join earning.providers v on v.id = p.provider
    where p.id in (
      (select postback_id from earning.other_calls where transaction_id = ${transactionId}
        order by postback_id desc limit ${limit})
      union ${creditCallsOf(transactionId, null)})
    order by p.id desc limit ${limit}`);

export type NamedMember = { id: number; firstName: string; lastName: string | null };

export const readNames = (reader: Reader, ids: readonly number[]) =>
  reader.rows<NamedMember>(sql`
    select id, first_name as "firstName", last_name as "lastName" from members.profiles
    where id = any (${ids}::integer[])`);

/** The secrets of providers before the current ones, also after their time. */
export const readFormerSecrets = (reader: Reader) =>
  reader.rows<{ id: string; sealedSecret: string }>(sql`
    select id, former_sealed_secret as "sealedSecret" from earning.providers where former_sealed_secret is not null`);

export type DoneReplay = {
  id: bigint;
  operatorId: number;
  verdict: string;
  /** What was credited at once; null if nothing was. */
  creditedPoints: string | null;
};

/** Notes the replay of a call. Undefined if it was replayed already. */
export const insertReplay = (tx: Tx, { id, operatorId, verdict, creditedPoints }: DoneReplay) =>
  tx.row<{ postbackId: bigint }>(sql`
    insert into earning.replays (postback_id, operator_id, verdict, credited_points)
    values (${id}::bigint, ${operatorId}, ${verdict}, ${creditedPoints}::bigint)
    on conflict do nothing returning postback_id as "postbackId"`);

/**
 * Why an operator can't credit a call alone by a replay; null if nothing stands against it. The call is booked in the
 * same transaction (`earning.replay_obstacle`).
 */
export const findReplayObstacle = async (
  tx: Tx,
  { memberRef, provider, points }: Pick<Call, 'memberRef' | 'provider' | 'points'>,
  operatorId: number,
  secondPersonPoints: bigint | null,
): Promise<CreditObstacle | null> =>
  (
    await tx.one<{ obstacle: CreditObstacle | null }>(sql`
      select earning.replay_obstacle(${memberRef}, ${provider}, ${points}::bigint, ${operatorId},
        ${secondPersonPoints}::bigint) as obstacle`)
  ).obstacle;

/** What a reversal took. */
export const findTaken = (tx: Tx, provider: string, transactionId: string) =>
  tx.row<{ points: bigint }>(sql`
    select taken_points as points from earning.reversals
    where provider = ${provider} and transaction_id = ${transactionId}`);

export const findLastCall = (reader: Reader) =>
  reader.row<{ at: Date }>(sql`select at from earning.postbacks order by id desc limit 1`);

export type WrongRun = { provider: string; count: bigint; since: Date; newestRaw: string };

/**
 * The providers whose newest calls, among the newest `amongMax` of all, were all refused for their signature: at least
 * `countMin` since the last good one. Returns at most 100 of each.
 */
export const readWronglySigned = (reader: Reader, amongMax: number, countMin: number) =>
  reader.rows<WrongRun>(sql`
    with newest as (
      select id, at, provider, verdict, raw from earning.postbacks order by id desc limit ${amongMax}
    ), good as (
      select provider, max(id) as id from newest where verdict <> 'invalid-signature' group by provider
    ), wrong as (
      select n.*, row_number() over (partition by n.provider order by n.id desc) as place
      from newest n left join good g on g.provider = n.provider
      where n.verdict = 'invalid-signature' and n.id > coalesce(g.id, 0)
    )
    select provider, count(*) as count, min(at) as since, max(raw) filter (where place = 1) as "newestRaw"
    from wrong where place <= 100 group by provider having count(*) >= ${countMin} order by provider`);

/** Counts by provider what was credited and what was held in a period. The index on the time bounds what is read. */
export const countProviderCredits = (reader: Reader, { from, before }: { from: Date; before: Date }) =>
  reader.rows<{ provider: string; credits: number }>(sql`
    select p.id as provider, coalesce(c.credits, 0) as credits
    from earning.providers p left join (
      select provider, count(*)::integer as credits from earning.postbacks
      where at >= ${from} and at < ${before} and verdict in ('credited', 'held')
      group by provider) c on c.provider = p.id
    where p.was_enabled order by p.id`);
