import type { Reader } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import { findByTerms, type SearchedWithdrawal } from './search-queries.ts';

/**
 * Finds withdrawals for operators: by the beginning of the id, by the destination, and by the reference of the
 * payment. Some destinations and references are copied in capitals, so they are found in lower case too.
 */
export const searchWithdrawals = (
  reader: Reader,
  { text, lowerCase, uuids }: SearchTerms,
  countMax: number,
): Promise<SearchedWithdrawal[]> =>
  findByTerms(reader, { uuids, spellings: [...new Set([text, lowerCase])] }, countMax);
