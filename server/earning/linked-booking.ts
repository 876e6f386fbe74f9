import { type Database, sql } from '#platform/database.ts';
import { type Booked, bookCalls, type Call } from './queries.ts';

/**
 * Books a call whose provider tells by a link, and not by a transaction, which credit a reversal takes back
 * (`functions-links.sql`). Finding the credit and booking are one transaction.
 */
export const bookLinked = (database: Database, call: Call, link: string): Promise<Booked> =>
  database.transaction(async (tx) => {
    const { credit } = await tx.one<{ credit: string }>(sql`
      select earning.follow_link(${call.kind}, ${call.provider}, ${call.transactionId}, ${call.memberRef}, ${link})
        as credit`);
    const [booked] = await bookCalls(tx, [{ ...call, creditTransactionId: credit }]);
    if (booked === undefined) throw new Error('A call was booked without an answer');
    return booked;
  });
