import type { HistoryEntry } from '#contract/ledger.ts';
import { type Reader, sql } from '#platform/database.ts';

/** Every movement of a member, oldest first, for the member's own copy of their data. */

const PAGE_ROWS = 500;

type Row = {
  seq: bigint;
  amount: bigint;
  balance_after: bigint;
  description: string;
  posted_at: Date;
  kind: HistoryEntry['kind'];
  provider: string | null;
  transaction_id: string | null;
};

const readAfter = (reader: Reader, memberId: number, seq: bigint) =>
  reader.rows<Row>(sql`
    select seq, amount, balance_after, description, posted_at, kind, provider, transaction_id
    from ledger.movements where member_id = ${memberId} and seq > ${seq} order by seq limit ${PAGE_ROWS}`);

/** As the history shows them, each with the balance after it; it is read in pages, however many there are. */
export async function* exportMovements(
  reader: Reader,
  memberId: number,
): AsyncGenerator<HistoryEntry & { balanceAfter: string }> {
  let seq = 0n;
  for (;;) {
    const rows = await readAfter(reader, memberId, seq);
    for (const row of rows)
      yield {
        id: String(row.seq),
        amount: String(row.amount),
        balanceAfter: String(row.balance_after),
        description: row.description,
        createdAt: row.posted_at.toISOString(),
        kind: row.kind,
        provider: row.provider,
        txId: row.transaction_id,
      };
    if (rows.length < PAGE_ROWS) return;
    seq = rows.at(-1)?.seq ?? seq;
  }
}
