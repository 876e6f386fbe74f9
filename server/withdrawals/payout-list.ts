import { sentence } from '#contract/operator-sentences.ts';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import * as contract from '#contract/withdrawals-payouts.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { ListSql, OperatorListBinding } from '#platform/http/operator-list.ts';
import { processOf } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { destinationText } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import {
  findListedPayout,
  type ListedPayout,
  listedColumns,
  listedJoins,
  readLeftAfterRestore,
  readUnaccounted,
} from './payout-queries.ts';
import { PAUSED } from './payout-stop.ts';
import { possiblePaymentsOf } from './possible-payments.ts';
import { isUnfinished, type PayoutState } from './queries.ts';

/** The operators' list of payouts. Each that is not done has a reason and an age, also if nothing is wrong with it. */
const source: ListSql<typeof contract.readPayouts> = {
  table: sql`withdrawals.payouts`,
  alias: sql`p`,
  key: sql`p.withdrawal_id`,
  withId: ({ uuid }) => sql`p.withdrawal_id = ${uuid}::uuid`,
  columns: listedColumns,
  joins: listedJoins,
  sorts: { queuedAt: [sql`(extract(epoch from p.queued_at) * 1000000)::bigint`, sql`p.withdrawal_id::text`] },
  filters: {
    state: (state) => (state === 'unfinished' ? isUnfinished : sql`p.state = ${state}`),
    method: (method) => sql`p.method = ${method}`,
  },
  search: ({ text, lowerCase, uuid }) => sql`
    select withdrawal_id from withdrawals.payouts where withdrawal_id = ${uuid}::uuid
    union all select withdrawal_id from withdrawals.payouts where reference in (${text}, ${lowerCase})`,
};

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
  dueAt,
  isDelayed,
  isLate,
  isHalted,
  isPaused,
  holder,
  heldSince,
}: ListedPayout): Reason {
  const fault = (text: string): Reason => ({ trouble: text, isTroubled: true, troubleAt: null });
  if (usual[state] === null) return { trouble: null, isTroubled: false, troubleAt: null };
  if (isHalted && state === 'queued') return fault(`${sentence('payout-halted')} ${trouble ?? ''}`.trim());
  if (isLate && holder !== null && heldSince !== null) {
    const { host, pid } = processOf(holder);
    return {
      ...fault(sentence('process-at-work', { pid, host })),
      troubleAt: heldSince.toISOString(),
    };
  }
  if (trouble !== null) return fault(trouble);
  if (isPaused) return { trouble: PAUSED, isTroubled: false, troubleAt: null };
  if (isDelayed)
    return { trouble: sentence('payout-delayed'), isTroubled: false, troubleAt: dueAt.toISOString() };
  return { trouble: usual[state], isTroubled: isLate || state === 'parked', troubleAt: null };
}

function payoutOf(row: ListedPayout): Payout {
  return {
    withdrawalId: row.withdrawalId,
    method: row.method,
    state: row.state,
    ...reasonOf(row),
    dueAt: row.dueAt.toISOString(),
    txId: row.reference,
    possibleTxIds: row.possibleReferences,
    possiblePayments: possiblePaymentsOf(row),
    coinAmount: amountText(row.amountUnits),
    ageSeconds: row.ageSeconds,
  };
}

export const payoutList: OperatorListBinding<typeof contract.readPayouts, ListedPayout> = {
  endpoint: contract.readPayouts,
  source,
  toReply: payoutOf,
};

/** @throws Refusal `not-found` */
export async function readPayout(reader: Reader, id: string): Promise<Payout> {
  const row = await findListedPayout(reader, id);
  if (!row) throw refuse('not-found');
  return payoutOf(row);
}

const UNACCOUNTED_SHOWN_MAX = 100;

/** What is held after another database was found, and the payments that no payout accounts for. */
export async function readRestoreState(reader: Reader) {
  const { pending, unaccountedCount, checkedCount } = await readLeftAfterRestore(reader);
  const unaccounted = await readUnaccounted(reader, UNACCOUNTED_SHOWN_MAX);
  return {
    pending: pending.map(({ method, reason, askedAt, trouble }) => ({
      method,
      reason,
      since: askedAt.toISOString(),
      trouble,
    })),
    unaccountedCount,
    checkedCount,
    unaccounted: unaccounted.map(({ method, reference, destination, amountUnits, paidAt }) => ({
      method,
      txId: reference,
      address: destinationText(method, destination),
      coinAmount: amountText(amountUnits),
      at: paidAt.toISOString(),
    })),
  };
}
