import { type Reader, sql } from '#platform/database.ts';
import { describeMovement } from '../ledger/ledger.ts';

/** Which walls a member opened and which earnings wait for an operator, for the member's own copy of their data. */

const PAGE_ROWS = 500;
const HELD_ROWS_MAX = 1_000;

type Opening = { id: bigint; provider: string; openedAt: Date };

const readAfter = (reader: Reader, memberId: number, id: bigint) =>
  reader.rows<Opening>(sql`
    select id, provider, opened_at as "openedAt" from earning.openings
    where member_id = ${memberId} and id > ${id} order by id limit ${PAGE_ROWS}`);

/** Every wall that the member opened, oldest first. What came of it is among the movements. */
export async function* exportOpenings(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let id = 0n;
  for (;;) {
    const rows = await readAfter(reader, memberId, id);
    for (const row of rows)
      yield { id: String(row.id), provider: row.provider, openedAt: row.openedAt.toISOString() };
    if (rows.length < PAGE_ROWS) return;
    id = rows.at(-1)?.id ?? id;
  }
}

type Held = {
  provider: string;
  transactionId: string;
  points: bigint;
  providerName: string;
  subject: string;
  isScreenOut: boolean;
  createdAt: Date;
};

/** Earnings that are not yet booked. */
export async function* exportHeldEarnings(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = await reader.rows<Held>(sql`
    select e.provider, e.transaction_id as "transactionId", e.points, p.name as "providerName", e.subject,
      e.is_screen_out as "isScreenOut", e.created_at as "createdAt"
    from earning.earnings e join earning.providers p on p.id = e.provider
    where e.member_id = ${memberId} and e.state = 'held' order by e.created_at limit ${HELD_ROWS_MAX}`);
  for (const row of rows)
    yield {
      provider: row.provider,
      txId: row.transactionId,
      amount: String(row.points),
      description: describeMovement(
        { kind: 'earning', subject: row.subject, isScreenOut: row.isScreenOut },
        row.providerName,
      ),
      createdAt: row.createdAt.toISOString(),
    };
}
