import { type Reader, sql, type Tx } from '#platform/database.ts';
import type { ReasonClass } from './queries.ts';

/** SQL of chargebacks for operators. `functions-chargebacks.sql` books them. */

export type ListedRow = {
  id: bigint;
  createdAt: Date;
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  takenPoints: bigint;
  provider: string;
  providerName: string | null;
  reason: string;
  reasonClass: ReasonClass;
  transactionId: string;
  isByOperator: boolean;
  operatorEmail: string | null;
};

export const listedColumns = sql`r.id, r.created_at as "createdAt", r.member_id as "memberId",
  m.first_name as "firstName", m.last_name as "lastName", m.email, r.taken_points as "takenPoints", r.provider,
  p.name as "providerName", r.reason, r.reason_class as "reasonClass", r.transaction_id as "transactionId",
  r.request_key is not null as "isByOperator", o.email as "operatorEmail"`;
export const listedJoins = sql`
  join members.profiles m on m.id = r.member_id
  left join earning.providers p on p.id = r.provider
  left join members.profiles o on o.id = r.booked_by`;

export const findListed = (reader: Reader, id: bigint) =>
  reader.one<ListedRow>(
    sql`select ${listedColumns} from earning.reversals r ${listedJoins} where r.id = ${id}`,
  );

export type ChargebackRequest = {
  requestKey: string;
  memberId: number;
  points: bigint;
  /** `manual`, or the provider of a test. */
  provider: string;
  transactionId: string;
  /** The member reads it. */
  reason: string;
  /** Null for the command line. */
  operatorId: number | null;
  /** From which sum on one operator may not take points back alone; null for no bound. */
  secondPersonPoints: bigint | null;
};

export type Booked = {
  status: 'unknown_member' | 'exists' | 'exists_different' | 'too_large' | 'posted';
  id: bigint | null;
  /** Null unless this call booked it. */
  balance: bigint | null;
};

export const chargeBack = (tx: Tx, request: ChargebackRequest) =>
  tx.one<Booked>(sql`
    select status, id, balance from earning.charge_back(${request.requestKey}, ${request.memberId}, ${request.points},
      ${request.provider}, ${request.transactionId}, ${request.reason}, ${request.operatorId},
      ${request.secondPersonPoints}::bigint)`);

/** Whether a chargeback was booked under the key of its request. */
export const isBookedUnder = async (reader: Reader, requestKey: string): Promise<boolean> =>
  (await reader.row(sql`select r.id from earning.reversals r where r.request_key = ${requestKey}`)) !==
  undefined;

export type ChargebackSums = {
  totalCount: bigint;
  totalPoints: string;
  todayCount: bigint;
  todayPoints: string;
};

export const readSums = (reader: Reader) =>
  reader.one<ChargebackSums>(sql`
    select total_count as "totalCount", total_points::text as "totalPoints", today_count as "todayCount",
      today_points::text as "todayPoints"
    from earning.chargeback_sums()`);
