import type { Reader } from '#platform/database.ts';
import { NUMBER, type SourceLine, type TimelineSource } from '#platform/timeline.ts';
import { describeMovement, type ReadNames, sourceNameOf } from './descriptions.ts';
import { listBalancedBefore } from './queries.ts';

/** A member's movements as lines of the operators' timeline, each with the balance after it, negative in debt. */
export const movementLines = (readNames: ReadNames): TimelineSource => ({
  name: 'movement',
  part: 'money',
  placeForm: NUMBER,
  read: (reader, memberId, after, limit) => readLines(reader, readNames, { memberId, after, limit }),
});

/** Where the withdrawals of a member are. A movement does not say which of them it is of. */
const withdrawalsOf = (memberId: number): string =>
  `/management-panel-x7k9w/withdrawals?status=all&q=${memberId}`;

async function readLines(
  reader: Reader,
  readNames: ReadNames,
  { memberId, after, limit }: { memberId: number; after: string | null; limit: number },
): Promise<SourceLine[]> {
  const rows = await listBalancedBefore(reader, memberId, after === null ? null : BigInt(after), limit);
  const names = await readNames();
  return rows.map((row) => {
    const sourceName = sourceNameOf(row, names);
    const isOfWithdrawal = row.kind === 'withdrawal' || row.kind === 'withdrawal-return';
    return {
      place: row.id,
      at: new Date(row.createdAt),
      kind: row.kind,
      text: describeMovement(row, sourceName),
      link: isOfWithdrawal ? withdrawalsOf(memberId) : null,
      amount: row.amount,
      balanceAfter: String(row.balanceAfter),
      facts: {
        sourceName,
        subject: row.subject,
        isScreenOut: row.isScreenOut ? 'yes' : null,
        transactionId: row.txId,
      },
    };
  });
}
