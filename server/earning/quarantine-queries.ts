import { type Reader, sql, type Tx } from '#platform/database.ts';

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

export const findQuarantined = (reader: Reader, id: bigint) =>
  reader.row<QuarantineRow>(sql`select ${quarantineColumns} from earning.quarantine q where q.id = ${id}`);

export type Resolution = {
  id: bigint;
  action: 'book' | 'dismiss';
  operatorId: number;
  note: string;
  /** The member to book for, instead of the call's own. */
  memberRef: string | null;
};

export const resolve = (tx: Tx, { id, action, operatorId, note, memberRef }: Resolution) =>
  tx.one<{
    formerState: 'open' | 'held' | 'booked' | 'dismissed' | null;
    isResolvedNow: boolean;
    verdict: string | null;
    memberId: number | null;
    balance: bigint | null;
  }>(sql`
    select former_state as "formerState", is_resolved_now as "isResolvedNow", verdict, member_id as "memberId", balance
    from earning.resolve_quarantined(${id}::bigint, ${action}, ${operatorId}, ${note}, ${memberRef})`);
