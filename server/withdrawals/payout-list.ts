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
  queued: 'It waits for its turn.',
  signed: 'It is prepared and is sent next.',
  broadcast: 'It was sent and is not final yet.',
  parked: 'It is parked and is looked at again.',
  confirmed: null,
  failed: null,
};

const HALTED =
  'An operator stopped this payout: nothing is paid for it. It ends as soon as it is certain that nothing was paid.';

/** Why a payout is not done. */
export function reasonOf(
  row: Pick<
    ListedPayout,
    'state' | 'trouble' | 'dueAt' | 'attemptCount' | 'isLate' | 'isHalted' | 'holder' | 'heldSince'
  >,
) {
  if (usual[row.state] === null) return null;
  if (row.isHalted && row.state === 'queued') return `${HALTED} ${row.trouble ?? ''}`.trim();
  if (row.isLate && row.holder !== null && row.heldSince !== null) {
    const { host, pid } = processOf(row.holder);
    return `Process ${pid} on ${host} has been working on these payouts since ${row.heldSince.toISOString()}.`;
  }
  if (row.trouble !== null) return row.trouble;
  const isDelayed = row.state === 'queued' && row.attemptCount === 0 && !row.isLate;
  return isDelayed ? `It is prepared at ${row.dueAt.toISOString()}.` : usual[row.state];
}

function payoutOf(row: ListedPayout): Payout {
  return {
    withdrawalId: row.withdrawalId,
    method: row.method,
    state: row.state,
    trouble: reasonOf(row),
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
