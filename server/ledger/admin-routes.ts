import * as contract from '#contract/ledger-books.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readAudit, readBooks, startAudit } from './books.ts';
import type { ReadNames } from './descriptions.ts';
import { type ReadPaidPoints, readAccountDays } from './trial-balance.ts';

/** HTTP for operators: the trial balance, the movements of accounts by day, and the audits. */
export function ledgerAdminRoutes(
  platform: Platform,
  readNames: ReadNames,
  readPaidPoints: ReadPaidPoints,
): void {
  const { database } = platform;
  handle(platform, contract.readBooks, () => readBooks(platform, readNames, readPaidPoints));
  handle(platform, contract.readAudit, ({ params }) => readAudit(platform, BigInt(params.id)));
  handle(platform, contract.readAccountDays, ({ query }) => readAccountDays(database, readNames, query), {
    exportAll: async function* ({ query }) {
      yield (await readAccountDays(database, readNames, query)).days;
    },
  });
  handle(platform, contract.startAudit, ({ caller }) => startAudit(platform, caller.id));
}
