import type { Reader, Tx } from '#platform/database.ts';
import { countOfMember, readNumbered } from './history-queries.ts';
import { destinationText } from './payment-methods.ts';
import { readHasUndecided } from './queries.ts';

/** Functions for deleting an account and for exporting a member's data. */

const PAGE_ROWS = 200n;
/** The export does not say what a withdrawal waits for. */
const holdingNothing = { holdsDestinations: false };

/**
 * Whether the member has a pending withdrawal, or an approved one that is not paid. Call it under the lock on their
 * wallet, which delays new requests.
 */
export const hasUndecidedWithdrawal = async (tx: Tx, memberId: number): Promise<boolean> =>
  (await readHasUndecided(tx, memberId)).hasUndecided;

/** Exports all withdrawals of a member, oldest first, with destination, state and transaction id. */
export async function* exportWithdrawals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const total = (await countOfMember(reader, memberId))?.withdrawalCount ?? 0n;
  for (let after = 0n; after < total; after += PAGE_ROWS) {
    const rows = await readNumbered(reader, memberId, after, after + PAGE_ROWS, holdingNothing);
    for (const row of rows.reverse())
      yield {
        id: row.id,
        method: row.method,
        status: row.state,
        amount: String(row.amountPoints),
        address: destinationText(row.method, row.destination),
        txId: row.reference,
        rejectionReason: row.reason,
        createdAt: row.createdAt.toISOString(),
        processedAt: row.decidedAt?.toISOString() ?? null,
      };
  }
}
