import type { Database } from '#platform/database.ts';
import { bookWithLink } from './linked-booking.ts';
import { type Booked, type Call, claimOffer } from './queries.ts';

/**
 * Books a credit of somebody in a household, in one database transaction. If somebody else of the household was
 * credited for the same offer, it waits for an operator.
 */
export const bookOfHousehold = (
  database: Database,
  call: Call,
  { link, offerId }: { link: string | undefined; offerId: string },
): Promise<Booked> =>
  database.transaction(async (tx) => {
    const { isTaken } = await claimOffer(tx, call, offerId);
    return bookWithLink(
      tx,
      isTaken && call.holdReason === null ? { ...call, holdReason: 'household' } : call,
      link,
    );
  });
