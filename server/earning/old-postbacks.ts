import type { Platform } from '#platform/platform.ts';
import { removeInPieces } from '#platform/retention.ts';
import { removeOldDevices } from './opening-queries.ts';
import { removeOldPostbacks } from './queries.ts';

/**
 * Deletes the raw calls of providers that are older than the site's setting; what they booked stays. Of walls that were
 * opened 90 days ago, the browser and the address.
 */
export async function deleteOldPostbacks(
  { database, settings }: Pick<Platform, 'database' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { postbackDays } = await settings.read();
  await removeInPieces(database, signal, (rowsMax) => removeOldPostbacks(database, postbackDays, rowsMax));
  await removeInPieces(database, signal, (rowsMax) => removeOldDevices(database, rowsMax));
}
