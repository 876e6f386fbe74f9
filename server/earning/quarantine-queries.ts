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

export type Resolution = {
  id: bigint;
  action: 'book' | 'dismiss';
  operatorId: number;
  note: string;
  /** The member to book for, instead of the call's own. */
  memberRef: string | null;
};

export const resolve = (
  tx: Tx,
  { id, action, operatorId, note, memberRef }: Resolution,
  secondPersonPoints: bigint | null,
) =>
  tx.one<{
    formerState: 'open' | 'held' | 'booked' | 'dismissed' | null;
    isResolvedNow: boolean;
    verdict: string | null;
    memberId: number | null;
    balance: bigint | null;
    obstacle: CreditObstacle | null;
  }>(sql`
    select former_state as "formerState", is_resolved_now as "isResolvedNow", verdict, member_id as "memberId", balance,
      obstacle
    from earning.resolve_quarantined(${id}::bigint, ${action}, ${operatorId}, ${note}, ${memberRef},
      ${secondPersonPoints}::bigint)`);
