import type { Database, Tx } from '#platform/database.ts';
import { type Booked, bookCalls, type Call, followLink } from './queries.ts';

/**
 * Books a call of a provider whose reversals refer to their credit by a link instead of its transaction
 * (`functions-links.sql`). One database transaction finds the credit and books the call.
 */
export const bookLinked = (database: Database, call: Call, link: string): Promise<Booked> =>
  database.transaction((tx) => bookWithLink(tx, call, link));

/** The same within a transaction. Without a link the call names its credit. */
export async function bookWithLink(tx: Tx, call: Call, link: string | undefined): Promise<Booked> {
  const { creditTransactionId } = link === undefined ? call : await followLink(tx, call, link);
  const [booked] = await bookCalls(tx, [{ ...call, creditTransactionId }]);
  if (booked === undefined) throw new Error('A call was booked without an answer');
  return booked;
}
