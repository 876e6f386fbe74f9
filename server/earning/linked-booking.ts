import type { Database } from '#platform/database.ts';
import { type Booked, bookCalls, type Call, followLink } from './queries.ts';

/**
 * Books a call whose provider tells by a link, and not by a transaction, which credit a reversal takes back
 * (`functions-links.sql`). Finding the credit and booking are one transaction.
 */
export const bookLinked = (database: Database, call: Call, link: string): Promise<Booked> =>
  database.transaction(async (tx) => {
    const { creditTransactionId } = await followLink(tx, call, link);
    const [booked] = await bookCalls(tx, [{ ...call, creditTransactionId }]);
    if (booked === undefined) throw new Error('A call was booked without an answer');
    return booked;
  });
