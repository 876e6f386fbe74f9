import type { WithdrawalFlag } from '#contract/withdrawals.ts';
import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import type { Look } from './decision-queries.ts';
import { isUndoable } from './payout-stop-queries.ts';
import type { OperatorRow, PayoutState, WithdrawalState } from './queries.ts';

/** SQL of decisions on many withdrawals: acts and their rows. */

export type BulkAct = {
  id: string;
  operatorId: number;
  decision: 'approve' | 'reject';
  isWithFlagged: boolean;
  reason: string | null;
  rowCount: number;
  points: bigint;
  createdAt: Date;
  finishedAt: Date | null;
};
export type RowState = 'waiting' | 'done' | 'first' | 'stayed' | 'failed';

/** The columns of `BulkAct`, of a row `b`. */
export const actColumns: Sql = sql`
  b.id, b.operator_id as "operatorId", b.decision, b.is_with_flagged as "isWithFlagged", b.reason,
  b.row_count as "rowCount", b.points, b.created_at as "createdAt", b.finished_at as "finishedAt"`;

/** How long a node that stopped is waited for before another takes its act over. */
const workedFor = sql`interval '15 seconds'`;
/** Nobody works on an act, or only by a clock that was wrong. */
const isFree = sql`(b.worked_until < clock_timestamp() or b.worked_until > clock_timestamp() + interval '1 minute')`;

export const insertAct = (
  tx: Tx,
  act: Pick<BulkAct, 'operatorId' | 'decision' | 'isWithFlagged' | 'reason' | 'rowCount' | 'points'>,
  worker: string | null,
) =>
  tx.one<BulkAct>(sql`
    insert into withdrawals.bulk_acts as b
      (operator_id, decision, is_with_flagged, reason, row_count, points, worker, worked_until)
    values (${act.operatorId}, ${act.decision}, ${act.isWithFlagged}, ${act.reason}, ${act.rowCount}, ${act.points},
      ${worker}::uuid,
      case when ${worker}::uuid is null then '-infinity'::timestamptz else clock_timestamp() + ${workedFor} end)
    returning ${actColumns}`);

/** Adds rows in their order. */
export const insertRows = (
  tx: Tx,
  bulkId: string,
  rows: readonly {
    id: string;
    state: RowState;
    reason: string | null;
    flag?: WithdrawalFlag | undefined;
    isFirst?: boolean;
  }[],
) =>
  tx.rows(sql`
    insert into withdrawals.bulk_rows (bulk_id, place, withdrawal_id, state, reason, flag, is_first)
    select ${bulkId}::uuid, place, id, state, reason, flag, coalesce("isFirst", false)
    from jsonb_to_recordset(${json(rows.map((row, place) => ({ ...row, place })))}::jsonb)
      as given (place integer, id uuid, state text, reason text, flag text, "isFirst" boolean)`);

/** The unfinished acts that nobody works on, oldest first. */
export const listAbandoned = (reader: Reader) =>
  reader.rows<BulkAct>(sql`
    select ${actColumns} from withdrawals.bulk_acts b
    where b.finished_at is null and ${isFree} order by b.number limit 20`);

/** Takes an act, or stays with it. Returns whether this worker has it, for a time. */
export const keepAct = async (reader: Reader, id: string, worker: string): Promise<boolean> =>
  (await reader.row(sql`
    update withdrawals.bulk_acts b set worker = ${worker}::uuid, worked_until = clock_timestamp() + ${workedFor}
    where b.id = ${id} and b.finished_at is null and (b.worker = ${worker}::uuid or ${isFree})
    returning b.id`)) !== undefined;

/** Leaves an act to others, from now on. */
export const leaveAct = (reader: Reader, id: string, worker: string) =>
  reader.rows(sql`
    update withdrawals.bulk_acts set worked_until = '-infinity' where id = ${id} and worker = ${worker}::uuid`);

/** Finishes an act without waiting rows. */
export const finishAct = (reader: Reader, id: string) =>
  reader.rows(sql`
    update withdrawals.bulk_acts set finished_at = platform.business_now()
    where id = ${id} and finished_at is null
      and not exists (select from withdrawals.bulk_rows r where r.bulk_id = ${id} and r.state = 'waiting')`);

/**
 * Ends the unfinished acts of a copy that was restored: what they decided after the backup may have been taken back. A
 * row that a node decides at this moment is waited for.
 * @param until the newest time of the copy; null for all
 */
export const endBulkActs = (tx: Tx, reason: string, until: string | null) =>
  tx.rows(sql`
    with ended as (
      update withdrawals.bulk_acts set finished_at = platform.business_now()
      where finished_at is null and (${until}::timestamptz is null or created_at <= ${until}::timestamptz)
      returning id)
    update withdrawals.bulk_rows r set state = 'failed', reason = ${reason}
    from ended where r.bulk_id = ended.id and r.state = 'waiting'`);

/**
 * Ends an act before its next row. A row that a node decides at this moment is waited for. Returns how many were left;
 * undefined if the act was finished.
 */
export const stopAct = async (tx: Tx, id: string, reason: string): Promise<number | undefined> => {
  const ended = await tx.rows<{ place: number | null }>(sql`
    with ended as (
      update withdrawals.bulk_acts set finished_at = platform.business_now()
      where id = ${id} and finished_at is null returning id
    ), stopped as (
      update withdrawals.bulk_rows r set state = 'failed', reason = ${reason}
      from ended where r.bulk_id = ended.id and r.state = 'waiting' returning r.bulk_id, r.place)
    select s.place from ended left join stopped s on s.bulk_id = ended.id`);
  return ended.length === 0 ? undefined : ended.filter(({ place }) => place !== null).length;
};

/** `isFirst`: the operator confirmed a first approval of two, which pays nothing. */
export type WaitingRow = { place: number; withdrawalId: string; isFirst: boolean };

export const listWaiting = (reader: Reader, bulkId: string, limit: number) =>
  reader.rows<WaitingRow>(sql`
    select place, withdrawal_id as "withdrawalId", is_first as "isFirst" from withdrawals.bulk_rows
    where bulk_id = ${bulkId} and state = 'waiting' order by place limit ${limit}`);

/**
 * Locks a waiting row until the end of the transaction. Returns false if it does not wait any more, or if another node
 * decides it now.
 */
export const lockWaiting = async (tx: Tx, bulkId: string, place: number): Promise<boolean> =>
  (await tx.row(sql`
    select place from withdrawals.bulk_rows
    where bulk_id = ${bulkId} and place = ${place} and state = 'waiting' for update skip locked`)) !==
  undefined;

export type EndedRow = {
  state: Exclude<RowState, 'waiting'>;
  reason?: string | null;
  flag?: WithdrawalFlag | null;
};

/** Stores the result of a row that waits. */
export const endRow = (
  reader: Reader,
  bulkId: string,
  place: number,
  { state, reason = null, flag = null }: EndedRow,
) =>
  reader.rows(sql`
    update withdrawals.bulk_rows set state = ${state}, reason = ${reason}, flag = ${flag}
    where bulk_id = ${bulkId} and place = ${place} and state = 'waiting'`);

/** Whether the operator of an act may still decide, and the looks at one of its requests. */
export const readRowFacts = (tx: Tx, act: Pick<BulkAct, 'operatorId' | 'createdAt'>, withdrawalId: string) =>
  tx.one<{ isOperator: boolean; looks: Look[] }>(sql`
    select members.is_operator_since(${act.operatorId}, ${act.createdAt}) as "isOperator",
      withdrawals.looks_of(w.member_id, w.method, w.destination) as looks
    from withdrawals.withdrawals w where w.id = ${withdrawalId}`);

export const findAct = (reader: Reader, id: string) =>
  reader.row<BulkAct>(sql`select ${actColumns} from withdrawals.bulk_acts b where b.id = ${id}`);

export type ResultRow = Pick<OperatorRow, 'firstName' | 'lastName' | 'method' | 'amountPoints'> & {
  withdrawalId: string;
  state: RowState;
  reason: string | null;
  flag: WithdrawalFlag | null;
  status: WithdrawalState;
  payoutState: PayoutState | null;
  /** Whether this act approved it, and that can be taken back. */
  isUndoable: boolean;
};

/** The rows of an act with what became of each request. */
export const listRows = (reader: Reader, bulkId: string) =>
  reader.rows<ResultRow>(sql`
    select r.withdrawal_id as "withdrawalId", r.state, r.reason, r.flag, m.first_name as "firstName",
      m.last_name as "lastName", w.method, w.amount_points as "amountPoints", w.state as status,
      p.state as "payoutState",
      coalesce(${isUndoable} and w.decided_by = b.operator_id and w.decided_at >= b.created_at, false) as "isUndoable"
    from withdrawals.bulk_acts b join withdrawals.bulk_rows r on r.bulk_id = b.id
      join withdrawals.withdrawals w on w.id = r.withdrawal_id
      join members.profiles m on m.id = w.member_id
      left join withdrawals.payouts p on p.withdrawal_id = w.id
    where b.id = ${bulkId} order by r.place`);

/** Those of these requests that are decided, and how many of the ids are a request. */
export const readKnown = (reader: Reader, ids: readonly string[]) =>
  reader.rows<{ id: string; state: WithdrawalState }>(sql`
    select id, state from withdrawals.withdrawals where id = any (${ids}::uuid[]) order by queue_number`);

/** How many rows of an act have a result. */
export const endedCount = sql`
  (select count(*) from withdrawals.bulk_rows r where r.bulk_id = b.id and r.state in ('done', 'first', 'failed'))`;

export const findListed = (reader: Reader, id: string) =>
  reader.row<BulkAct & { endedCount: bigint }>(sql`
    select ${actColumns}, ${endedCount} as "endedCount" from withdrawals.bulk_acts b where b.id = ${id}`);

/** Deletes the results of acts that finished 30 days ago. Returns how many, at most `rowsMax`. */
export const deleteOld = async (reader: Reader, rowsMax: number): Promise<number> =>
  (
    await reader.rows(sql`
      delete from withdrawals.bulk_acts where id in (
        select id from withdrawals.bulk_acts
        where finished_at < platform.business_now() - interval '30 days' order by finished_at limit ${rowsMax})
      returning id`)
  ).length;
