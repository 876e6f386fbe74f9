import { type ActorOrId, operatorIdOf } from '#platform/audit-trail.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';
import type { CreditObstacle } from './decision-queries.ts';

/** The queries of the quarantine. */

export type QuarantineRow = {
  id: bigint;
  at: Date;
  provider: string;
  kind: 'credit' | 'reversal';
  memberRef: string;
  transactionId: string;
  points: bigint | null;
  reason: string;
};

export const quarantineColumns = sql`q.id, q.at, q.provider, q.kind, q.member_ref as "memberRef",
  q.transaction_id as "transactionId", q.points, q.reason`;

/** A call, and the members that it is about: by its own word, and by the credit that it takes back. */
export const findQuarantined = (reader: Reader, id: bigint) =>
  reader.row<QuarantineRow & { memberRefs: string[] }>(sql`
    select ${quarantineColumns}, array_remove(array[q.member_ref, e.member_id::text], null) as "memberRefs"
    from earning.quarantine q left join earning.earnings e
      on e.provider = q.provider and e.transaction_id = q.credit_transaction_id
    where q.id = ${id}`);

/** What a call says, its raw call, and the member of the credit that it names. */
export const findDetails = (reader: Reader, id: bigint) =>
  reader.row<{
    provider: string;
    providerName: string;
    kind: 'credit' | 'reversal';
    memberRef: string;
    subject: string;
    creditTransactionId: string;
    creditMemberId: number | null;
    postbackId: bigint | null;
  }>(sql`
    select q.provider, coalesce(p.name, q.provider) as "providerName", q.kind, q.member_ref as "memberRef", q.subject,
      q.credit_transaction_id as "creditTransactionId", e.member_id as "creditMemberId",
      (select max(c.postback_id) from earning.other_calls c
        where c.transaction_id = q.transaction_id and c.provider = q.provider
          and c.outcome in ('quarantined', 'held')) as "postbackId"
    from earning.quarantine q
      left join earning.providers p on p.id = q.provider
      left join earning.earnings e
        on e.provider = q.provider and e.transaction_id = q.credit_transaction_id
    where q.id = ${id}`);

/** Those of the ids that are members, each with the last time it opened the provider's wall. */
export const readCandidates = (reader: Reader, ids: readonly number[], provider: string) =>
  reader.rows<{
    id: number;
    firstName: string;
    lastName: string | null;
    isClosed: boolean;
    openedAt: Date | null;
  }>(sql`
    select m.id, m.first_name as "firstName", m.last_name as "lastName", w.is_closed as "isClosed",
      (select max(o.opened_at) from earning.openings o
        where o.member_id = m.id and o.provider = ${provider}) as "openedAt"
    from members.profiles m join ledger.wallet_totals w on w.member_id = m.id
    where m.id = any (${ids}::integer[])`);

export type Resolution = {
  id: bigint;
  action: 'book' | 'dismiss';
  actor: ActorOrId;
  note: string;
  /** The member to book for, instead of the call's own. */
  memberRef: string | null;
};

export type ResolutionOutcome = {
  formerState: 'open' | 'held' | 'booked' | 'dismissed' | null;
  isResolvedNow: boolean;
  verdict: string | null;
  memberId: number | null;
  balance: bigint | null;
  obstacle: CreditObstacle | null;
};

export const resolve = (
  tx: Tx,
  { id, action, actor, note, memberRef }: Resolution,
  secondPersonPoints: bigint | null,
  holdReason: string | null,
) =>
  tx.one<ResolutionOutcome>(sql`
    select former_state as "formerState", is_resolved_now as "isResolvedNow", verdict, member_id as "memberId", balance,
      obstacle
    from earning.resolve_quarantined(${id}::bigint, ${action}, ${operatorIdOf(actor)}::integer, ${note},
      ${memberRef}, ${secondPersonPoints}::bigint, ${holdReason})`);
