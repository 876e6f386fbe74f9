import type { Reader, Tx } from '#platform/database.ts';
import { sql } from '#platform/database.ts';
import { shownDestination } from './payment-methods.ts';
import { countOfMember, readNumbered } from './queries.ts';

/** What the end of an account and a member's copy of their data ask of withdrawals. */

const PAGE_ROWS = 200n;

/** Whether a withdrawal is undecided. Ask under the lock on the member's wallet, which a new one waits for. */
export async function hasUndecidedWithdrawal(tx: Tx, memberId: number): Promise<boolean> {
  const { isWaiting } = await tx.one<{ isWaiting: boolean }>(sql`
    select exists (
      select from withdrawals.withdrawals where member_id = ${memberId} and state = 'pending') as "isWaiting"`);
  return isWaiting;
}

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
