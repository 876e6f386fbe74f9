import type { HoldReason } from '#contract/earning.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';

/** The queries of earning. `functions.sql` and `functions-batch.sql` have the functions that book. */

/** The parameter of `earning.book`: `earning.call` in the migrations. */
export type Call = {
  kind: 'credit' | 'reversal' | 'nothing';
  provider: string;
  transactionId: string | null;
  creditTransactionId: string | null;
  memberRef: string;
  points: string | null;
  payoutMicroUsd: string | null;
  /** The offer's name of a credit, or the reason of a reversal. May be empty. */
  subject: string;
  isScreenOut: boolean;
  holdReason: string | null;
  raw: string;
  address: string;
  verdict: string | null;
  detail: string | null;
};

export type Booked = { verdict: string; memberId: number | null; balance: bigint | null };

/** Books one credit. */
export const bookCredit = (reader: Reader, call: Call) =>
  reader.one<Booked>(sql`
    select verdict, member_id as "memberId", balance from earning.book_credit(${call.provider}, ${call.transactionId},
      ${call.memberRef}, ${call.points}::bigint, ${call.payoutMicroUsd}::bigint, ${call.subject},
      ${call.isScreenOut}, ${call.holdReason}, ${call.raw}, ${call.address})`);

/** Books many calls. They are passed as parallel arrays, which cost PostgreSQL a third of JSON. */
export async function bookCalls(reader: Reader, calls: readonly Call[]): Promise<Booked[]> {
  /** A column with only nulls is sent as null, because PostgreSQL parses each array's text. */
  const column = <Name extends keyof Call>(name: Name): Call[Name][] | null =>
    calls.some((call) => call[name] !== null) ? calls.map((call) => call[name]) : null;
  const rows = await reader.rows<Booked & { itemPosition: number }>(sql`
    select item_position as "itemPosition", verdict, member_id as "memberId", balance
    from earning.book(array(
      select row(i.place, i.kind, i.provider, i.transaction_id, i.credit_transaction_id, i.member_ref, i.points,
                 i.payout_micro_usd, i.subject, i.is_screen_out, i.hold_reason, i.raw,
                 i.address, i.verdict, i.detail)::earning.call
      from unnest(
        ${column('kind')}::text[],
        ${column('provider')}::text[],
        ${column('transactionId')}::text[],
        ${column('creditTransactionId')}::text[],
        ${column('memberRef')}::text[],
        ${column('points')}::bigint[],
        ${column('payoutMicroUsd')}::bigint[],
        ${column('subject')}::text[],
        ${column('isScreenOut')}::boolean[],
        ${column('holdReason')}::text[],
        ${column('raw')}::text[],
        ${column('address')}::text[],
        ${column('verdict')}::text[],
        ${column('detail')}::text[]
      ) with ordinality i (kind, provider, transaction_id, credit_transaction_id, member_ref, points, payout_micro_usd,
                           subject, is_screen_out, hold_reason, raw, address, verdict,
                           detail, place)))`);
  // Sorted here, because a sort costs PostgreSQL more than a column with the position.
  const booked = new Array<Booked>(calls.length);
  for (const { itemPosition, verdict, memberId, balance } of rows)
    booked[itemPosition - 1] = { verdict, memberId, balance };
  return booked;
}

/**
 * Locks the member's wallet and returns the transaction of the credit that the call is about. Stores the link of a
 * credit (`functions-links.sql`).
 */
export const followLink = (tx: Tx, call: Call, link: string) =>
  tx.one<{ creditTransactionId: string }>(sql`
    select earning.follow_link(${call.kind}, ${call.provider}, ${call.transactionId}, ${call.memberRef}, ${link})
      as "creditTransactionId"`);

/**
 * Records that a member of a household is credited for an offer. It is taken if somebody else of the household was
 * (`risk.claim_offer`).
 */
export const claimOffer = (tx: Tx, call: Call, offerId: string) =>
  tx.one<{ isTaken: boolean }>(sql`
    select risk.claim_offer(${Number(call.memberRef)}, ${call.provider}, ${offerId}) as "isTaken"`);

export type ProviderSettings = {
  sourceAddresses: string[];
  sourcePolicy: 'record' | 'hold' | 'refuse';
  pathToken?: string | null | undefined;
  formerSecretHours?: number | undefined;
};

export type ProviderRow = {
  id: string;
  name: string;
  type: 'survey' | 'offerwall';
  url: string;
  apiKey: string;
  sealedSecret: string | null;
  /** The secret before it, while its calls still verify. */
  formerSealedSecret: string | null;
  formerSecretUntil: Date | null;
  isEnabled: boolean;
  /** Enabled now or before. */
  wasEnabled: boolean;
  settings: ProviderSettings;
};

/** How long calls with the former secret verify after a change, unless the provider's settings say otherwise. */
const FORMER_SECRET_HOURS = 24;

const formerUntil = sql`(p.secret_changed_at + make_interval(hours =>
  coalesce((p.settings->>'formerSecretHours')::integer, ${FORMER_SECRET_HOURS})))`;

export const providerColumns = sql`p.id, p.name, p.type, p.url, p.api_key as "apiKey",
  p.sealed_secret as "sealedSecret", p.is_enabled as "isEnabled", p.was_enabled as "wasEnabled", p.settings,
  case when platform.business_now() < ${formerUntil} then p.former_sealed_secret end as "formerSealedSecret",
  case when platform.business_now() < ${formerUntil} and p.former_sealed_secret is not null then ${formerUntil}
    end as "formerSecretUntil"`;

export const readProviderRows = (reader: Reader) =>
  reader.rows<ProviderRow>(sql`select ${providerColumns} from earning.providers p order by p.name`);

export const findProviderRow = (reader: Reader, id: string) =>
  reader.row<ProviderRow>(sql`select ${providerColumns} from earning.providers p where p.id = ${id}`);

/** Adds a provider's row. An existing row stays unchanged. */
export const insertProvider = (
  reader: Reader,
  { id, name, type, settings }: Pick<ProviderRow, 'id' | 'name' | 'type' | 'settings'>,
) =>
  reader.rows(sql`
    insert into earning.providers (id, name, type, settings)
    values (${id}, ${name}, ${type}, ${json(settings)}::jsonb)
    on conflict (id) do nothing`);

/** All sealed secrets of providers, the former ones too. */
export const readSealedSecrets = (reader: Reader) =>
  reader.rows<{ id: string; sealed: string }>(sql`
    select id, sealed from earning.providers
      cross join lateral (values (sealed_secret), (former_sealed_secret)) as stored (sealed)
    where sealed is not null order by id`);

/** Replaces a sealed secret if it is still stored. */
export const replaceSealedSecret = (reader: Reader, id: string, sealed: string, next: string) =>
  reader.rows(sql`
    update earning.providers set
      sealed_secret = case sealed_secret when ${sealed} then ${next} else sealed_secret end,
      former_sealed_secret = case former_sealed_secret when ${sealed} then ${next} else former_sealed_secret end
    where id = ${id} and ${sealed} in (sealed_secret, former_sealed_secret)`);

/** Changes of a provider's row. Null keeps a value. */
export type ProviderChange = {
  name: string | null;
  type: ProviderRow['type'] | null;
  url: string | null;
  apiKey: string | null;
  /** The new secret, after which the stored one is the former. An empty text removes both. */
  sealedSecret: string | null;
  isEnabled: boolean | null;
  /** Replaces the given settings. */
  settings: { [Name in keyof ProviderSettings]?: ProviderSettings[Name] | undefined };
};

/** Locks a provider's row. Undefined if there is none. */
export const lockProvider = (tx: Tx, id: string) =>
  tx.row<ProviderRow>(
    sql`select ${providerColumns} from earning.providers p where id = ${id} for no key update`,
  );

export const updateProvider = (tx: Tx, id: string, change: ProviderChange) =>
  tx.one<ProviderRow>(sql`
    update earning.providers p set
      name = coalesce(${change.name}, name),
      type = coalesce(${change.type}, type),
      url = coalesce(${change.url}, url),
      api_key = coalesce(${change.apiKey}, api_key),
      sealed_secret = case when ${change.sealedSecret}::text is null then sealed_secret
        else nullif(${change.sealedSecret}::text, '') end,
      former_sealed_secret = case
        when (settings || ${json(change.settings)}::jsonb)->>'formerSecretHours' = '0' then null
        when ${change.sealedSecret}::text is null then former_sealed_secret
        when ${change.sealedSecret}::text <> '' then sealed_secret end,
      secret_changed_at = case when ${change.sealedSecret}::text is null then secret_changed_at
        else platform.business_now() end,
      is_enabled = coalesce(${change.isEnabled}, is_enabled),
      was_enabled = was_enabled or coalesce(${change.isEnabled}, is_enabled),
      settings = settings || ${json(change.settings)}::jsonb,
      updated_at = platform.business_now()
    where id = ${id}
    returning ${providerColumns}`);

/** Notes that an operator changed what decides whether a provider's calls are believed. */
export const noteSourceChange = (tx: Tx, provider: string, operatorId: number) =>
  tx.rows(sql`
    insert into earning.source_changes as c (provider, operator_id, at)
    values (${provider}, ${operatorId}, platform.business_now())
    on conflict (provider, operator_id) do update set at = excluded.at`);

export type ActivityRow = {
  id: string;
  provider: string;
  state: 'opened' | 'pending' | 'credited' | 'reversed';
  points: bigint;
  openedAt: Date;
  updatedAt: Date;
};

const ACTIVITY_ROWS = 20;
const MOVEMENTS_READ = 100;
const HELD_READ = 50;

/**
 * Reads the results of the walls that a member opened, newest first. An earning belongs to the last opening of its wall
 * before the provider's call. An opening without an earning stays `opened` until the wall is opened again. A held
 * earning counts from the time of the call, also if an operator decides days later. A rejected one is `reversed`. The
 * amount is the rest of a credit, or the former amount of a reversed one.
 *
 * Each part reads a limited number of newest rows. Openings before the oldest read row are left out, because their
 * result is unknown.
 */
export const readActivityRows = (reader: Reader, memberId: number) =>
  reader.rows<ActivityRow>(sql`
    with booked as (
      select kind, provider, transaction_id, posted_at from ledger.history
      where member_id = ${memberId} order by seq desc limit ${MOVEMENTS_READ}
    ), waited as (
      select provider, transaction_id, state, points, created_at, decided_at from earning.earnings
      where member_id = ${memberId} and held_id is not null order by held_id desc limit ${HELD_READ}
    ), horizon as (
      select greatest(
        (select min(posted_at) from booked having count(*) = ${MOVEMENTS_READ}),
        (select min(created_at) from waited having count(*) = ${HELD_READ})) as at
    ), earned as (
      select e.provider, e.transaction_id, e.created_at as told_at, b.posted_at as updated_at,
        case when e.left_points = 0 then 'reversed' else 'credited' end as state,
        case when e.left_points = 0 then e.points else e.left_points end as points
      from booked b
      -- One lookup per row, because a plan that reads the whole table looks cheap while a site is small, and would
      -- stay.
      cross join lateral (
        select * from earning.earnings f
        where f.provider = b.provider and f.transaction_id = b.transaction_id limit 1) e
      where b.kind = 'earning'
      union all
      select provider, transaction_id, created_at, coalesce(decided_at, created_at),
        case state when 'held' then 'pending' else 'reversed' end, points
      from waited where state <> 'credited'
    ), lines as (
      (select e.provider || ':' || e.transaction_id as id, e.provider, e.state, e.points,
        coalesce((
          select o.opened_at from earning.openings o
          where o.member_id = ${memberId} and o.provider = e.provider and o.opened_at <= e.told_at
          order by o.opened_at desc limit 1), e.told_at) as opened_at,
        greatest(e.updated_at, case when e.state = 'reversed' then (
          select max(r.created_at) from earning.reversals r
          where r.provider = e.provider and r.credit_transaction_id = e.transaction_id) end) as updated_at
      from earned e order by e.updated_at desc limit ${ACTIVITY_ROWS})
      union all
      select 'opening:' || o.id, o.provider, 'opened', 0, o.opened_at, o.opened_at
      from (
        select distinct on (n.provider) n.id, n.provider, n.opened_at from (
          select id, provider, opened_at from earning.openings
          where member_id = ${memberId} order by id desc limit ${ACTIVITY_ROWS}) n
        order by n.provider, n.id desc) o
      where not exists (select from earned e where e.provider = o.provider and e.told_at >= o.opened_at)
        and o.opened_at >= coalesce((select at from horizon), '-infinity')
    )
    select id, provider, state, points, opened_at as "openedAt", updated_at as "updatedAt"
    from lines order by updated_at desc, id limit ${ACTIVITY_ROWS}`);

export type PendingEarning = {
  heldId: bigint;
  createdAt: Date;
  memberId: number;
  firstName: string;
  email: string;
  points: bigint;
  providerName: string;
  subject: string;
  isScreenOut: boolean;
  holdReason: HoldReason;
  transactionId: string;
  /** The operator who gave the first of two approvals, if it still counts. */
  firstApprovedBy: number | null;
};

export const heldColumns = sql`e.held_id as "heldId", e.created_at as "createdAt", e.member_id as "memberId",
  m.first_name as "firstName", m.email, e.points, p.name as "providerName", e.subject,
  e.is_screen_out as "isScreenOut", e.hold_reason as "holdReason", e.transaction_id as "transactionId",
  f.operator_id as "firstApprovedBy"`;
export const heldJoins = sql`
  left join earning.first_approvals f on f.kind = 'held' and f.id = e.held_id
    and members.is_operator_since(f.operator_id, f.at)
  join members.profiles m on m.id = e.member_id join earning.providers p on p.id = e.provider`;

export const findHeldEarning = (reader: Reader, heldId: bigint) =>
  reader.row<PendingEarning>(sql`
    select ${heldColumns} from earning.earnings e ${heldJoins} where e.held_id = ${heldId}`);

export type HeldRow = Pick<
  PendingEarning,
  'points' | 'providerName' | 'subject' | 'isScreenOut' | 'createdAt' | 'transactionId'
> & { provider: string };

/** Reads a member's held earnings, oldest first. */
export const readHeldOf = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<HeldRow>(sql`
    select e.provider, e.transaction_id as "transactionId", e.points, p.name as "providerName", e.subject,
      e.is_screen_out as "isScreenOut", e.created_at as "createdAt"
    from earning.earnings e join earning.providers p on p.id = e.provider
    where e.member_id = ${memberId} and e.state = 'held' order by e.created_at limit ${limit}`);

export const readTotals = (reader: Reader) =>
  reader.one<{
    pendingCount: bigint;
    pendingPoints: bigint;
    approvedCount: bigint;
    rejectedCount: bigint;
  }>(sql`select pending_count as "pendingCount", pending_points as "pendingPoints",
    approved_count as "approvedCount", rejected_count as "rejectedCount" from earning.approval_totals`);

/** See `earning.reason_class_of`. */
export type ReasonClass = 'vpn' | 'fraud' | 'invalid' | 'duplicate' | 'admin' | 'policy';

export type ReversalRow = {
  seq: bigint;
  postedAt: Date;
  amount: bigint;
  subject: string;
  provider: string;
  providerName: string | null;
  reasonClass: ReasonClass;
  transactionId: string | null;
};

/**
 * Reads a member's newest reversals by their own index, and the movement of each by its key. So it does not scan the
 * member's history.
 */
export const readReversals = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<ReversalRow>(sql`
    select m.seq, m.posted_at as "postedAt", m.amount, m.subject, r.provider, p.name as "providerName",
      r.reason_class as "reasonClass", m.transaction_id as "transactionId"
    from (
      select provider, transaction_id, reason_class from earning.reversals
      where member_id = ${memberId} and taken_points > 0 order by created_at desc limit ${limit}::integer
    ) r
      join ledger.history m on m.key = earning.movement_key(r.provider, r.transaction_id, 'reversal')
      left join earning.providers p on p.id = r.provider
    order by m.seq desc`);

export type ReversedCredit = {
  /** Null if this member has no movement of the reversal's credit. */
  seq: bigint | null;
  amount: bigint;
  subject: string;
  isScreenOut: boolean;
  providerName: string;
  postedAt: Date;
  transactionId: string | null;
};

/** Finds the credit of the member's reversal with this number. Undefined if there is no such reversal. */
export const findReversedCredit = (reader: Reader, memberId: number, reversalSeq: bigint) =>
  reader.row<ReversedCredit>(sql`
    select c.seq, c.amount, c.subject, c.is_screen_out as "isScreenOut", c.posted_at as "postedAt",
      c.transaction_id as "transactionId", coalesce(p.name, c.provider) as "providerName"
    from ledger.history m
      left join earning.reversals r on r.provider = m.provider and r.transaction_id = m.transaction_id
      left join ledger.history c on c.key = earning.movement_key(r.provider, r.credit_transaction_id, 'credit')
        and c.member_id = m.member_id
      left join earning.providers p on p.id = c.provider
    where m.member_id = ${memberId} and m.seq = ${reversalSeq}::bigint and m.kind = 'reversal'`);

/** Deletes the oldest raw calls, received more than `days` days ago. Returns how many, at most `rowsMax`. */
export const removeOldPostbacks = async (reader: Reader, days: number, rowsMax: number): Promise<bigint> =>
  (
    await reader.one<{ removed: bigint }>(
      sql`select earning.remove_old_postbacks(${days}, ${rowsMax}) as removed`,
    )
  ).removed;
