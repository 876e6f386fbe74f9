import type { Platform } from '#platform/platform.ts';
import { removeInPieces } from '#platform/retention.ts';
import { removeOldPostbacks } from './queries.ts';

/** Deletes the raw calls of providers that are older than the site's setting. What they booked stays. */
export async function deleteOldPostbacks(
  { database, settings }: Pick<Platform, 'database' | 'settings'>,
  signal: AbortSignal,
): Promise<void> {
  const { postbackDays } = await settings.read();
  await removeInPieces(database, signal, (rowsMax) => removeOldPostbacks(database, postbackDays, rowsMax));
}
