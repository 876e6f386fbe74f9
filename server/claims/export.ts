import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { claimOf } from './claim-view.ts';
import { type ClaimRow, readClaimsAfter } from './queries.ts';

/** A member's claims for the export of their data, oldest first, without the operators' names. */

const PAGE_ROWS = 200;

export async function* exportClaims(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<ClaimRow>(
    (last, limit) => readClaimsAfter(reader, memberId, last?.id ?? 0n, limit),
    PAGE_ROWS,
  );
  for await (const row of rows) yield claimOf(row);
}
