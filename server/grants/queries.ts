import type { GrantStatus } from '#contract/grants.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of grants. `functions.sql` gives, books and decides. */

export type GrantRow = {
  id: bigint;
  memberId: number;
  email: string;
  firstName: string;
  lastName: string | null;
  amountPoints: bigint;
  reason: string;
  grantedBy: number | null;
  grantedByEmail: string | null;
  state: GrantStatus;
  createdAt: Date;
  decidedByEmail: string | null;
  decidedAt: Date | null;
  declineReason: string | null;
};

export const grantColumns = sql`g.id, g.member_id as "memberId", m.email, m.first_name as "firstName",
  m.last_name as "lastName", g.amount_points as "amountPoints", g.reason, g.granted_by as "grantedBy",
  o.email as "grantedByEmail", g.state, g.created_at as "createdAt", d.email as "decidedByEmail",
  g.decided_at as "decidedAt", g.decline_reason as "declineReason"`;
export const grantJoins = sql`
  join members.profiles m on m.id = g.member_id
  left join members.profiles o on o.id = g.granted_by
  left join members.profiles d on d.id = g.decided_by`;

export const findGrant = (reader: Reader, id: bigint) =>
  reader.row<GrantRow>(sql`select ${grantColumns} from grants.grants g ${grantJoins} where g.id = ${id}`);

export type Request = {
  requestKey: string;
  memberId: number;
  amountPoints: bigint;
  /** The member reads it. */
  reason: string;
  /** Null for the command line. */
  operatorId: number | null;
  /** From which sum of a day a second operator is needed; null if none is. */
  secondPersonPoints: bigint | null;
};

export type Given = {
  status: 'exists' | 'exists_different' | 'closed' | 'pending' | 'completed';
  id: bigint | null;
  /** Null unless this call booked the points. */
  balance: bigint | null;
};

export const give = (tx: Tx, request: Request) =>
  tx.one<Given>(sql`
    select status, id, balance from grants.give(${request.requestKey}, ${request.memberId}, ${request.amountPoints},
      ${request.reason}, ${request.operatorId}, ${request.secondPersonPoints})`);

export type Decision = {
  id: bigint;
  decision: 'confirm' | 'decline';
  /** Null for the command line, which declines only. */
  operatorId: number | null;
  reason: string | null;
};

export type Decided = {
  status: 'not_found' | 'decided' | 'own_request' | 'not_operator' | 'closed' | 'completed' | 'failed';
  state: GrantStatus | null;
  memberId: number | null;
  balance: bigint | null;
};

export const decide = (tx: Tx, { id, decision, operatorId, reason }: Decision) =>
  tx.one<Decided>(sql`
    select status, state, member_id as "memberId", balance
    from grants.decide(${id}, ${decision}, ${operatorId}, ${reason})`);

/** The grants of an operator that wait for another one. */
export const readPendingOf = (tx: Tx, operatorId: number) =>
  tx.rows<{ id: bigint; memberId: number }>(sql`
    select id, member_id as "memberId" from grants.grants
    where state = 'pending' and granted_by = ${operatorId} order by id`);

export type Totals = {
  pendingCount: bigint;
  pendingPoints: bigint;
  completedCount: bigint;
  completedPoints: bigint;
};

export const readTotals = (reader: Reader) =>
  reader.one<Totals>(sql`
    select pending_count as "pendingCount", pending_points as "pendingPoints", completed_count as "completedCount",
      completed_points as "completedPoints" from grants.totals`);

export const findOldestPending = (reader: Reader) =>
  reader.row<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from grants.grants where state = 'pending' order by id limit 1`);

export const readGivenToday = async (reader: Reader, operatorId: number): Promise<bigint> =>
  (await reader.one<{ points: bigint }>(sql`select grants.given_alone_today(${operatorId}) as points`))
    .points;

export type Receiver = {
  id: number;
  firstName: string;
  lastName: string | null;
  email: string;
  balance: bigint;
};

/** Finds a member with an open account. */
export const findReceiver = (reader: Reader, memberId: number) =>
  reader.row<Receiver>(sql`
    select m.id, m.first_name as "firstName", m.last_name as "lastName", m.email, w.balance
    from members.profiles m join ledger.wallet_totals w on w.member_id = m.id
    where m.id = ${memberId} and not w.is_closed`);
