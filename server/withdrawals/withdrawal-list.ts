import { fullNameOf } from '#contract/full-name.ts';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import * as contract from '#contract/withdrawals.ts';
import { type Database, sql } from '#platform/database.ts';
import type { ListSql, OperatorListBinding } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import {
  type FlagFacts,
  flagFacts,
  flagFigures,
  looksOf,
  obstacleOf,
  rejectionObstacleOf,
} from './decision-queries.ts';
import { type Found, figuresOf, flagOf, flagsOf, readFlaggedIds } from './flag-queries.ts';
import { destinationText } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { inListTurn } from './plan-turns.ts';
import * as queries from './queries.ts';
import { idsOfFound } from './search-queries.ts';

/** The operators' list of withdrawals, and single withdrawals in the same shape. */
const sourceFor = (flaggedIds: readonly string[]): ListSql<typeof contract.readWithdrawalQueue> => ({
  table: sql`withdrawals.withdrawals`,
  alias: sql`w`,
  key: sql`w.id`,
  withId: ({ uuid }) => sql`w.id = ${uuid}::uuid`,
  columns: queries.operatorColumns,
  joins: queries.operatorJoins,
  sorts: { createdAt: [sql`w.queue_number`], amount: [sql`w.amount_points`, sql`w.queue_number`] },
  filters: {
    status: (status) => sql`w.state = ${status}`,
    method: (method) => sql`w.method = ${method}`,
    flag: () => sql`(w.state = 'pending' and w.id = any (${flaggedIds}::uuid[]))`,
    minAmount: (points) => sql`w.amount_points >= ${points}::bigint`,
    maxAmount: (points) => sql`w.amount_points <= ${points}::bigint`,
    olderThanHours: (hours) =>
      sql`w.created_at < platform.business_now() - make_interval(hours => ${hours}::integer)`,
  },
  search: idsOfFound,
  points: sql`w.amount_points`,
  findTotal: async (reader, { q, status, method, flag, minAmount, maxAmount, olderThanHours }) => {
    if (q || method || flag || minAmount || maxAmount || olderThanHours) return undefined;
    const totals = await queries.readTotals(reader);
    if (status !== undefined) return totals[`${status}Count`];
    return totals.pendingCount + totals.approvedCount + totals.rejectedCount;
  },
});

export function operatorWithdrawalOf(row: queries.OperatorRow): OperatorWithdrawal {
  return {
    id: row.id,
    userId: String(row.memberId),
    userName: fullNameOf(row),
    userEmail: row.email,
    method: row.method,
    status: row.state,
    amount: String(row.amountPoints),
    address: destinationText(row.method, row.destination),
    coinAmount: row.amountUnits === null ? null : amountText(row.amountUnits),
    rate: row.rate,
    payoutState: row.payoutState ?? 'none',
    txId: row.reference,
    rejectionReason: row.state === 'rejected' ? row.reason : null,
    createdAt: row.createdAt.toISOString(),
    processedAt: row.decidedAt?.toISOString() ?? null,
    userFirstName: row.firstName,
    userLastName: row.lastName,
    undoUntil: row.undoUntil?.toISOString() ?? null,
    possibleTxIds: row.possibleReferences,
    payoutObstacle: row.payoutObstacle,
  };
}

type QueuedRow = queries.OperatorRow & Found & FlagFacts;

/** A withdrawal with what an operator must know of it. Nothing stands against a first approval of two; it is a flag. */
export function queuedWithdrawalOf(row: QueuedRow): QueuedWithdrawal {
  const { obstacle, rejectionObstacle } = row;
  const flags = flagsOf(row);
  return {
    ...operatorWithdrawalOf(row),
    flags,
    flagFigures: figuresOf(flags, row),
    approvalObstacle: obstacle === null || obstacle === 'first_approval' ? null : flagOf[obstacle],
    rejectionObstacle: rejectionObstacle === null ? null : flagOf[rejectionObstacle],
  };
}

/**
 * The operators' list. What stands against a decision depends on the operator who reads it. Which requests have a flag
 * is read once for the page and its total, in a turn, because all pending ones are judged for it.
 */
export const withdrawalList = ({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): OperatorListBinding<
  typeof contract.readWithdrawalQueue,
  QueuedRow
> => ({
  endpoint: contract.readWithdrawalQueue,
  source: async ({ format, flag }, operatorId) => {
    const bounds = boundsOf(await readSettings(database, config.mode));
    const readIds = async () =>
      flag === undefined ? [] : readFlaggedIds(database, flag, operatorId, bounds);
    const isInTurn = flag !== undefined && operatorId !== null;
    const source = sourceFor(await (isInTurn ? inListTurn({ database }, operatorId, readIds) : readIds()));
    const { columns } = source;
    // A CSV has all withdrawals, and most of them are decided: nothing is judged for those.
    const judged = sql`${source.joins ?? sql``} left join lateral (
      select o.status, o.cap_points from ${obstacleOf(operatorId, bounds)} where w.state = 'pending') o on true`;
    const found = sql`${columns}, o.status as obstacle,
      case when w.state = 'pending' then ${rejectionObstacleOf(operatorId)} end as "rejectionObstacle",
      ${looksOf} as looks`;
    const noFigures = sql`null as "reversalCount", null as "debtPoints", null as "capPoints"`;
    if (format === 'csv') return { ...source, columns: sql`${found}, ${noFigures}`, joins: judged };
    return { ...source, columns: sql`${found}, ${flagFacts}`, joins: sql`${judged} ${flagFigures}` };
  },
  toReply: queuedWithdrawalOf,
});

/** @throws Refusal `not-found` */
export async function readWithdrawal(database: Database, id: string): Promise<OperatorWithdrawal> {
  return operatorWithdrawalOf(await readWithdrawalRow(database, id));
}

/** @throws Refusal `not-found` */
export async function readWithdrawalRow(database: Database, id: string): Promise<queries.OperatorRow> {
  const row = await queries.findWithdrawal(database, id);
  if (!row) throw refuse('not-found');
  return row;
}
