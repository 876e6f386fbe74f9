import { type ActorOrId, operatorIdOf } from '#platform/audit-trail.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** The queries of decisions about held earnings. `functions-approvals.sql` says who may credit alone. */

export type Decision = {
  heldId: bigint;
  verdict: 'approve' | 'reject';
  actor: ActorOrId;
  note: string | null;
};

export type Decided = {
  /** Null if there is no such earning. */
  state: string | null;
  isDecidedNow: boolean;
  memberId: number | null;
  balance: bigint | null;
  obstacle: CreditObstacle | null;
};

/** See `earning.credit_obstacle`. */
export type CreditObstacle =
  | 'first_approval'
  | 'second_operator_needed'
  | 'own_provider_change'
  /** Of a rejection: an appeal overturned the one of this operator. */
  | 'own_rejection';

/** Decides. Without a sum for two people, it is null. */
export const decide = (
  tx: Tx,
  { heldId, verdict, actor, note }: Decision,
  secondPersonPoints: bigint | null,
) =>
  tx.one<Decided>(sql`
    select state, is_decided_now as "isDecidedNow", member_id as "memberId", balance, obstacle
    from earning.decide(${heldId}, ${verdict}, ${operatorIdOf(actor)}::integer, ${note},
      ${secondPersonPoints}::bigint)`);

/** The points that an operator credited alone today. */
export const readCreditedToday = async (reader: Reader, operatorId: number): Promise<bigint> =>
  (await reader.one<{ points: bigint }>(sql`select earning.credited_alone_today(${operatorId}) as points`))
    .points;

/** Makes a rejected earning wait again; false if it is not rejected, or its provider took it back. */
export const reopen = async (tx: Tx, heldId: bigint): Promise<boolean> =>
  (await tx.one<{ isReopened: boolean }>(sql`select earning.reopen(${heldId}) as "isReopened"`)).isReopened;
