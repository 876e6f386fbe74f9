import type { Reader } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import { findCallsByTransaction } from './postback-queries.ts';
import { findByTransaction, type SearchedEarning } from './search-queries.ts';

/** Finds members' earnings and reversals by the provider's transaction id, for operators. */
export const searchEarnings = (
  reader: Reader,
  { text }: SearchTerms,
  countMax: number,
): Promise<SearchedEarning[]> => findByTransaction(reader, text, countMax);

/** Finds providers' calls about a transaction, the newest first, for operators. */
export const searchPostbacks = (reader: Reader, { text }: SearchTerms, countMax: number) =>
  findCallsByTransaction(reader, text, countMax);
