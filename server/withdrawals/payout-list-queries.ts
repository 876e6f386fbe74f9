import { type Reader, type Sql, sql } from '#platform/database.ts';
import { type ListedFacts, turnNameOf } from './payout-queries.ts';
import {
  isLate,
  isPaused,
  isTroubled,
  isUndoable,
  ownTrouble,
  type Stop,
  stopNow,
  undoUntil,
} from './payout-stop-queries.ts';
import type { PayoutState } from './queries.ts';

/** SQL of payouts as operators read them: one, their list, and how many are in each state. */

export type ListedPayout = {
  withdrawalId: string;
  method: string;
  state: PayoutState;
  /** The stored reason, without that of a stop. */
  trouble: string | null;
  /** What stops payments to its member, also before it is due. */
  stop: Stop | null;
  dueAt: Date;
  reference: string | null;
  amountUnits: bigint;
  destination: string;
  possibleReferences: string[];
  possiblePayments: ListedFacts[];
  isHalted: boolean;
  isDelayed: boolean;
  /** Whether it is offered to take its approval back. */
  isUndoable: boolean;
  ageSeconds: number;
  isLate: boolean;
  /** Whether it has a fault, or somebody stopped it. */
  isTroubled: boolean;
  /** Whether a pause of all payouts stops it. */
  isPaused: boolean;
  holder: string | null;
  heldSince: Date | null;
};

/** A payout that is due for so long, while another process has the turn, names that process. */
const payoutColumns = sql`
  p.withdrawal_id as "withdrawalId", p.method, p.state, ${ownTrouble} as trouble, ${stopNow} as stop,
  least(p.due_at, '9999-12-31') as "dueAt",
  p.reference, p.amount_units as "amountUnits", p.possible_references as "possibleReferences",
  p.destination, p.possible_payments as "possiblePayments", p.halted_by is not null as "isHalted",
  p.state = 'queued' and p.not_before > platform.business_now() as "isDelayed", ${isUndoable} as "isUndoable",
  floor(extract(epoch from coalesce(p.finished_at, platform.business_now()) - p.queued_at))::double precision
    as "ageSeconds",
  ${isLate} as "isLate", ${isTroubled} as "isTroubled", ${isPaused} as "isPaused", l.holder, l.taken_at as "heldSince"`;
const turnJoin = sql`left join platform.held_leases l on l.name = ${turnNameOf('')}::text || p.method`;

export const findListedPayout = (reader: Reader, id: string) =>
  reader.row<ListedPayout>(sql`
    select ${payoutColumns} from withdrawals.payouts p ${turnJoin} where p.withdrawal_id = ${id}`);

/** A payout with its member, as a row of the list. */
export type PayoutRow = ListedPayout & {
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  amountPoints: bigint;
  queuedAt: Date;
  finishedAt: Date | null;
  /** Until then its approval can be taken back; null if it can’t. */
  undoUntil: Date | null;
  /** Whether it pays the operator who reads. */
  isOwn: boolean;
};

export const rowColumns = (operatorId: number | null): Sql => sql`${payoutColumns},
  w.member_id as "memberId", m.first_name as "firstName", m.last_name as "lastName", m.email,
  w.amount_points as "amountPoints", p.queued_at as "queuedAt", p.finished_at as "finishedAt",
  ${undoUntil} as "undoUntil", w.member_id is not distinct from ${operatorId}::integer as "isOwn"`;
export const rowJoins = sql`
  join withdrawals.withdrawals w on w.id = p.withdrawal_id
  join members.profiles m on m.id = w.member_id
  ${turnJoin}`;

/** A payout as a row of the list that this operator reads. */
export const findRow = (reader: Reader, operatorId: number, id: string) =>
  reader.row<PayoutRow>(sql`
    select ${rowColumns(operatorId)} from withdrawals.payouts p ${rowJoins} where p.withdrawal_id = ${id}`);

type PayoutTotal = { method: string; state: PayoutState; count: bigint; points: string };

/** The payouts in each state by method, without those that have none. No read counts payouts. */
export const readPayoutTotals = (reader: Reader) =>
  reader.rows<PayoutTotal>(sql`
    select method, state, payout_count as count, points::text as points
    from withdrawals.payout_totals order by method, state`);

export const keepPayoutSums = (reader: Reader) => reader.rows(sql`select withdrawals.keep_payout_sums()`);
