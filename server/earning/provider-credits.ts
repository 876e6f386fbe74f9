import type { Reader } from '#platform/database.ts';
import * as queries from './postback-queries.ts';

/**
 * Counts the credits of each provider that was ever enabled in a period, and its calls that were held, which a few
 * reversals are too. Providers without any count 0.
 */
export const countProviderCredits = (
  reader: Reader,
  period: { from: Date; before: Date },
): Promise<{ provider: string; credits: number }[]> => queries.countProviderCredits(reader, period);
