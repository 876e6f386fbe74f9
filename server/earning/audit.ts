import type { Reader } from '#platform/database.ts';
import { type BooksCheck, type BooksDifference, byMembers, inOnePiece, inPieces } from '../ledger/ledger.ts';
import {
  readAuditedProviders,
  readEarningDifferences,
  readEarningsEnd,
  readQuarantineDifferences,
  readQuarantineEnd,
  readReversalDifferences,
  readReversalSumDifferences,
  readReversalsEnd,
  readReversedMembersEnd,
  readStrangeAccounts,
  readWrongApprovalTotals,
} from './audit-queries.ts';

/**
 * The audit of earning: a credited earning has its movement and no other has one; what reversals took is missing from
 * their credit; quarantine and the counts of held earnings agree with the rows.
 */
type ReadEnd = (reader: Reader, provider: string, from: string) => Promise<string | null>;
type ReadDifferences = (
  reader: Reader,
  provider: string,
  from: string,
  until: string | null,
) => Promise<BooksDifference[]>;

/** A check in pieces of transactions, one provider after the other. */
const byTransactions = (name: string, readEnd: ReadEnd, read: ReadDifferences): BooksCheck => ({
  name,
  async *pieces(reader) {
    for (const { provider } of await readAuditedProviders(reader))
      yield* inPieces(
        '',
        (from) => readEnd(reader, provider, from),
        (from, until) => read(reader, provider, from, until),
      );
  },
});

const quarantine: BooksCheck = {
  name: 'quarantine',
  pieces: (reader) =>
    inPieces<bigint>(
      0n,
      (from) => readQuarantineEnd(reader, from),
      (from, until) => readQuarantineDifferences(reader, from, until),
    ),
};

export const earningChecks: readonly BooksCheck[] = [
  byTransactions('earnings', readEarningsEnd, readEarningDifferences),
  byTransactions('reversals', readReversalsEnd, readReversalDifferences),
  byMembers('reversal-sums', readReversedMembersEnd, readReversalSumDifferences),
  quarantine,
  inOnePiece('approval-totals', readWrongApprovalTotals),
  inOnePiece('earning-accounts', readStrangeAccounts),
];
