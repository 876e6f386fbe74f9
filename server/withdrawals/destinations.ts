import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/withdrawals-addresses.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import * as queries from './destination-queries.ts';
import { destinationText } from './payment-methods.ts';

/**
 * The destinations that a member used, which the contract calls addresses. They are kept by themselves with each
 * request. One that is not the member's first is held for 24 hours after its first use, if the site holds new ones.
 */
type DestinationParts = Pick<Platform, 'database' | 'config'>;

/** Reads the member's destinations, newest first. */
export async function readDestinations(
  { database, config }: DestinationParts,
  memberId: number,
): Promise<ReplyOf<typeof contract.readAddresses>> {
  const { switches } = await readSettings(database, config.mode);
  return (await queries.readDestinations(database, memberId)).map((row) => ({
    id: row.id,
    method: row.method,
    address: destinationText(row.method, row.destination),
    firstUsedAt: row.firstUsedAt.toISOString(),
    holdUntil: switches.addressHold ? (row.holdUntil?.toISOString() ?? null) : null,
  }));
}

/**
 * Removes a destination from the list. Its next use is a first use again, and is held.
 * @throws Refusal `not-found`, also for another member's
 */
export async function removeDestination(
  { database }: Pick<DestinationParts, 'database'>,
  memberId: number,
  id: string,
): Promise<void> {
  if ((await queries.removeDestination(database, memberId, id)) === undefined) throw refuse('not-found');
}
