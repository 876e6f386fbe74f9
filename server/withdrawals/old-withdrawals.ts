import type { Platform } from '#platform/platform.ts';
import { removeInPieces } from '#platform/retention.ts';
import { removeOldDetails } from './retention-queries.ts';

/** Removes what withdrawals finished five years ago say about a person. Their amounts stay, as the movements do. */
export const emptyOldWithdrawals = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> => removeInPieces(database, signal, (rowsMax) => removeOldDetails(database, rowsMax));
