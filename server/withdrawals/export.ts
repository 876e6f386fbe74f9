import type { Reader, Tx } from '#platform/database.ts';
import { sql } from '#platform/database.ts';
import { shownDestination } from './payment-methods.ts';
import { countOfMember, readNumbered } from './queries.ts';

/** What the end of an account and a member's copy of their data ask of withdrawals. */

const PAGE_ROWS = 200n;

/** Whether a withdrawal is undecided. Ask under the lock on the member's wallet, which a new one waits for. */
export async function hasUndecidedWithdrawal(tx: Tx, memberId: number): Promise<boolean> {
  const { is_waiting } = await tx.one<{ is_waiting: boolean }>(sql`
    select exists (
      select from withdrawals.withdrawals where member_id = ${memberId} and state = 'pending') as is_waiting`);
  return is_waiting;
}

/** Every withdrawal of a member, oldest first, with where it went and what became of it. */
export async function* exportWithdrawals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const total = (await countOfMember(reader, memberId))?.withdrawal_count ?? 0n;
  for (let after = 0n; after < total; after += PAGE_ROWS) {
    const rows = await readNumbered(reader, memberId, after, after + PAGE_ROWS);
    for (const row of rows.reverse())
      yield {
        id: row.id,
        method: row.method,
        status: row.state,
        amount: String(row.amount_points),
        address: shownDestination(row.method, row.destination),
        txId: row.reference,
        rejectionReason: row.reason,
        createdAt: row.created_at.toISOString(),
        processedAt: row.decided_at?.toISOString() ?? null,
      };
  }
}
