import { fullNameOf } from '#contract/full-name.ts';
import { sentence } from '#contract/operator-sentences.ts';
import * as contract from '#contract/withdrawals-bulk.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { type Database, sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './bulk-queries.ts';

/** Decisions on many withdrawals as operators read them: while they run, and what became of each request. */

type Listed = queries.BulkAct & { endedCount: bigint };

const columns = sql`${queries.actColumns}, ${queries.endedCount} as "endedCount"`;

export const bulkActList: OperatorListBinding<typeof contract.readBulkActs, Listed> = {
  endpoint: contract.readBulkActs,
  source: {
    table: sql`withdrawals.bulk_acts`,
    alias: sql`b`,
    key: sql`b.id`,
    withId: ({ uuid }) => sql`b.id = ${uuid}::uuid`,
    columns,
    sorts: { createdAt: [sql`b.number`] },
    filters: {
      operatorId: (id) => sql`b.operator_id = ${id}::integer`,
      state: (state) => (state === 'running' ? sql`b.finished_at is null` : sql`b.finished_at is not null`),
    },
    search: ({ uuid }) => sql`select id from withdrawals.bulk_acts where id = ${uuid}::uuid`,
  },
  toReply: actOf,
};

function actOf(row: Listed): contract.BulkActRow {
  return {
    id: row.id,
    operatorId: String(row.operatorId),
    decision: row.decision,
    count: row.rowCount,
    points: String(row.points),
    endedCount: Number(row.endedCount),
    createdAt: row.createdAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
  };
}

/** @throws Refusal `not-found` */
export async function readBulkAct(database: Database, id: string): Promise<contract.BulkActResult> {
  const act = await queries.findListed(database, id);
  if (act === undefined) throw refuse('not-found');
  const rows = act.finishedAt === null ? [] : await queries.listRows(database, id);
  return { ...actOf(act), rows: rows.map(rowOf) };
}

/**
 * Ends a running act before its next row, whichever node works on it. The requests that are left stay pending. One that
 * is finished is only read.
 * @throws Refusal `not-found`
 */
export async function stopBulkAct(
  database: Database,
  operatorId: number,
  id: string,
): Promise<contract.BulkActResult> {
  await database.transaction(async (tx) => {
    const leftCount = await queries.stopAct(tx, id, sentence('act-stopped'));
    if (leftCount === undefined) return;
    const target = { kind: 'bulk-act', id } as const;
    await recordActs(tx, [{ actor: operatorId, act: 'bulk-act.stop', target, after: { left: leftCount } }]);
  });
  return readBulkAct(database, id);
}

const rowOf = (row: queries.ResultRow): contract.BulkRow => ({
  id: row.withdrawalId,
  userName: fullNameOf(row),
  amount: String(row.amountPoints),
  method: row.method,
  state: row.state,
  reason: row.reason,
  flag: row.flag,
  status: row.status,
  payoutState: row.payoutState ?? 'none',
  isUndoable: row.isUndoable,
});
