import { fullNameOf } from '#contract/full-name.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { ListedPayout, Payout, PayoutAct, PayoutTotals } from '#contract/withdrawals-payouts.ts';
import * as contract from '#contract/withdrawals-payouts.ts';
import { type Reader, type Sql, sql } from '#platform/database.ts';
import type { ListSql, OperatorListBinding } from '#platform/http/operator-list.ts';
import { processOf } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { readLeftAfterRestore, readUnaccounted, type UnaccountedRow } from './accounted-queries.ts';
import { destinationText } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import * as queries from './payout-list-queries.ts';
import { PAUSED } from './payout-stop.ts';
import { isPaused, isPayoutUnfinished, isTroubled, sentenceOfStop } from './payout-stop-queries.ts';
import { possiblePaymentsOf } from './possible-payments.ts';
import type { PayoutState } from './queries.ts';
import { countWaitingForRestore } from './restore-queries.ts';
import { adviceOn } from './revocation.ts';
import { idsOfFound } from './search-queries.ts';

/**
 * The operators' list of payouts. Each that is not done has a reason and an age, also if nothing is wrong with it, and
 * the acts that the operator who reads can do.
 */
const sourceFor = (operatorId: number | null): ListSql<typeof contract.readPayouts> => ({
  table: sql`withdrawals.payouts`,
  alias: sql`p`,
  key: sql`p.withdrawal_id`,
  withId: ({ uuid }) => sql`p.withdrawal_id = ${uuid}::uuid`,
  columns: queries.rowColumns(operatorId),
  joins: queries.rowJoins,
  sorts: { queuedAt: [sql`p.queue_number`] },
  filters: {
    state: (state) => (state === 'unfinished' ? isPayoutUnfinished : sql`p.state = ${state}`),
    method: (method) => sql`p.method = ${method}`,
    trouble: (trouble) => troubles[trouble],
    olderThanHours: (hours) =>
      sql`p.queued_at < platform.business_now() - make_interval(hours => ${hours}::integer)`,
  },
  search: idsOfFound,
  findTotal: async (reader, { q, state, method, trouble, olderThanHours }) => {
    if (q || trouble || olderThanHours) return undefined;
    return (await queries.readPayoutTotals(reader))
      .filter((total) => method === undefined || total.method === method)
      .filter((total) => state === undefined || isIn(total.state, state))
      .reduce((sum, { count }) => sum + count, 0n);
  },
});

const troubles: Record<'troubled' | 'paused', Sql> = {
  troubled: isTroubled,
  paused: isPaused,
};

const isIn = (state: PayoutState, filter: PayoutState | 'unfinished'): boolean =>
  filter === 'unfinished' ? usual[state] !== null : state === filter;

/** What is said of a payout in the ordinary course; null of a finished one. */
const usual: Record<PayoutState, string | null> = {
  queued: sentence('payout-queued'),
  signed: sentence('payout-signed'),
  broadcast: sentence('payout-broadcast'),
  parked: sentence('payout-parked'),
  confirmed: null,
  failed: null,
};

type Reason = Pick<Payout, 'trouble' | 'isTroubled' | 'troubleAt'>;

/** Why a payout is not done, and whether that is a fault or the ordinary course. */
function reasonOf({
  state,
  trouble,
  stop,
  dueAt,
  isDelayed,
  isLate,
  isTroubled,
  isHalted,
  isPaused,
  holder,
  heldSince,
}: queries.ListedPayout): Reason {
  const fault = (text: string): Reason => ({ trouble: text, isTroubled: true, troubleAt: null });
  if (usual[state] === null) return { trouble: null, isTroubled: false, troubleAt: null };
  if (isHalted && state === 'queued') return fault(`${sentence('payout-halted')} ${trouble ?? ''}`.trim());
  if (stop !== null) return fault(sentenceOfStop(stop));
  if (isLate && holder !== null && heldSince !== null) {
    const { host, pid } = processOf(holder);
    return {
      ...fault(sentence('process-at-work', { pid, host })),
      troubleAt: heldSince.toISOString(),
    };
  }
  if (trouble !== null) return fault(trouble);
  if (isPaused) return { trouble: PAUSED, isTroubled, troubleAt: null };
  if (isDelayed)
    return { trouble: sentence('payout-delayed'), isTroubled: false, troubleAt: dueAt.toISOString() };
  return { trouble: usual[state], isTroubled, troubleAt: null };
}

function payoutOf(row: queries.ListedPayout): Payout {
  return {
    withdrawalId: row.withdrawalId,
    method: row.method,
    state: row.state,
    ...reasonOf(row),
    isPaused: row.isPaused,
    dueAt: row.dueAt.toISOString(),
    txId: row.reference,
    possibleTxIds: row.possibleReferences,
    possiblePayments: possiblePaymentsOf(row),
    coinAmount: amountText(row.amountUnits),
    ageSeconds: row.ageSeconds,
  };
}

function listedPayoutOf(row: queries.PayoutRow): ListedPayout {
  const payout = payoutOf(row);
  const { holder, heldSince } = row;
  const isHeld = usual[row.state] !== null && holder !== null && heldSince !== null;
  return {
    ...payout,
    id: row.withdrawalId,
    userId: String(row.memberId),
    userName: fullNameOf(row),
    userEmail: row.email,
    userFirstName: row.firstName,
    userLastName: row.lastName,
    amount: String(row.amountPoints),
    address: destinationText(row.method, row.destination),
    queuedAt: row.queuedAt.toISOString(),
    finishedAt: row.finishedAt?.toISOString() ?? null,
    failReason: row.state === 'failed' ? row.trouble : null,
    undoUntil: row.undoUntil?.toISOString() ?? null,
    holder: isHeld ? holderOf(holder, heldSince) : null,
    acts: actsOf(row, payout),
  };
}

function holderOf(holder: string, since: Date): NonNullable<ListedPayout['holder']> {
  const { host, pid } = processOf(holder);
  return { host, pid, since: since.toISOString() };
}

/**
 * A payout that goes on by itself is only looked at, or its approval taken back in time, or while all are paused. One
 * that is stopped can't be tried.
 */
function actsOf({ state, isOwn, isUndoable, stop }: queries.PayoutRow, { isTroubled }: Payout): PayoutAct[] {
  if (usual[state] === null) return [];
  if (isOwn) return ['check'];
  return [
    'check',
    ...(isUndoable ? (['undo'] as const) : []),
    ...(isTroubled && stop === null ? (['retry'] as const) : []),
    ...(isTroubled ? (['settle', 'fail'] as const) : []),
  ];
}

export const payoutList: OperatorListBinding<typeof contract.readPayouts, queries.PayoutRow> = {
  endpoint: contract.readPayouts,
  source: async (_query, operatorId) => sourceFor(operatorId),
  toReply: listedPayoutOf,
};

/** The payout of a request, with the acts of this operator; null if there is none. */
export async function findPayoutFor(
  reader: Reader,
  operatorId: number,
  id: string,
): Promise<ListedPayout | null> {
  const row = await queries.findRow(reader, operatorId, id);
  return row === undefined ? null : listedPayoutOf(row);
}

/** How many payouts are in each state, and their points, by method. */
export const readPayoutTotals = async (reader: Reader): Promise<PayoutTotals> =>
  (await queries.readPayoutTotals(reader)).map(({ count, ...total }) => ({ ...total, count: Number(count) }));

/** @throws Refusal `not-found` */
export async function readPayout(reader: Reader, id: string): Promise<Payout> {
  const row = await queries.findListedPayout(reader, id);
  if (!row) throw refuse('not-found');
  return payoutOf(row);
}

const UNACCOUNTED_SHOWN_MAX = 100;

/** What is held after another database was found, and the payments that no payout accounts for. */
export async function readRestoreState(reader: Reader) {
  const { pending, unaccountedCount, checkedCount, approvedCount, reasons } =
    await readLeftAfterRestore(reader);
  const isWell = pending.length + unaccountedCount + checkedCount === 0;
  const waiting = isWell ? { payoutCount: 0, requestCount: 0 } : await countWaitingForRestore(reader);
  const unaccounted = await readUnaccounted(reader, UNACCOUNTED_SHOWN_MAX);
  return {
    waitingPayoutCount: waiting.payoutCount,
    waitingRequestCount: waiting.requestCount,
    pending: pending.map(({ method, reason, askedAt, trouble }) => ({
      method,
      reason,
      since: askedAt.toISOString(),
      trouble,
    })),
    unaccountedCount,
    checkedCount,
    approvedCount,
    reasons,
    unaccounted: unaccounted.map(unaccountedOf),
  };
}

const unaccountedOf = (payment: UnaccountedRow) => ({
  method: payment.method,
  txId: payment.reference,
  address: destinationText(payment.method, payment.destination),
  coinAmount: amountText(payment.amountUnits),
  at: payment.paidAt.toISOString(),
  withdrawalId: payment.withdrawalId,
  memberId: payment.memberId === null ? null : String(payment.memberId),
  points: payment.points === null ? null : String(payment.points),
  ...adviceOn(payment),
});
