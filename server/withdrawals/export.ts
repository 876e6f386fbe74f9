import type { Reader, Tx } from '#platform/database.ts';
import { shownDestination } from './payment-methods.ts';
import { countOfMember, readHasUndecided, readNumbered } from './queries.ts';

/** What deleting an account and exporting a member's data ask of withdrawals. */

const PAGE_ROWS = 200n;

/** Whether a withdrawal is undecided. Ask under the lock on the member's wallet, which a new one waits for. */
export const hasUndecidedWithdrawal = async (tx: Tx, memberId: number): Promise<boolean> =>
  (await readHasUndecided(tx, memberId)).hasUndecided;

/** Every withdrawal of a member, oldest first, with where it went and what became of it. */
export async function* exportWithdrawals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const total = (await countOfMember(reader, memberId))?.withdrawalCount ?? 0n;
  for (let after = 0n; after < total; after += PAGE_ROWS) {
    const rows = await readNumbered(reader, memberId, after, after + PAGE_ROWS);
    for (const row of rows.reverse())
      yield {
        id: row.id,
        method: row.method,
        status: row.state,
        amount: String(row.amountPoints),
        address: shownDestination(row.method, row.destination),
        txId: row.reference,
        rejectionReason: row.reason,
        createdAt: row.createdAt.toISOString(),
        processedAt: row.decidedAt?.toISOString() ?? null,
      };
  }
}
