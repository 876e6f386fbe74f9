import type { Reader } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import { findCallsByTransaction } from './postback-queries.ts';
import {
  findByTransaction,
  findCallsByNumber,
  findQuarantined,
  type SearchedCall,
  type SearchedEarning,
  type SearchedQuarantine,
} from './search-queries.ts';

/** Finds members' earnings and reversals by the provider's transaction id, for operators. */
export const searchEarnings = (
  reader: Reader,
  { text }: SearchTerms,
  countMax: number,
): Promise<SearchedEarning[]> => findByTransaction(reader, text, countMax);

/** Finds providers' calls by their number and about a transaction, the newest first, for operators. */
export async function searchPostbacks(
  reader: Reader,
  { text, rowId }: SearchTerms,
  countMax: number,
): Promise<SearchedCall[]> {
  const [ofNumber, ofTransaction] = await Promise.all([
    rowId === null ? [] : findCallsByNumber(reader, rowId),
    findCallsByTransaction(reader, text, countMax),
  ]);
  const numbers = new Set(ofNumber.map(({ id }) => id));
  return [...ofNumber, ...ofTransaction.filter(({ id }) => !numbers.has(id))].slice(0, countMax);
}

/** Finds calls in quarantine by their number, their transaction, and the member that they name, for operators. */
export const searchQuarantine = (
  reader: Reader,
  { text, rowId }: SearchTerms,
  countMax: number,
): Promise<SearchedQuarantine[]> => findQuarantined(reader, { text, number: rowId }, countMax);
