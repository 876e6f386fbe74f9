import * as contract from '#contract/ledger.ts';
import { handle, writtenJson } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { bookReader, readEarningsChart, readHistoryEntry, readWholeHistory } from './ledger.ts';

/** HTTP for members: what the books say of them. */
export function ledgerRoutes(platform: Platform): void {
  const { database } = platform;
  const { readStats, readHistoryText } = bookReader(database);
  handle(platform, contract.readStats, ({ caller }) => readStats(caller.id));
  handle(
    platform,
    contract.readHistory,
    async ({ caller, query, reply }) => {
      const text = await readHistoryText(caller.id, query);
      return query.format === 'csv' ? JSON.parse(text) : writtenJson(reply, text);
    },
    { exportAll: ({ caller }) => readWholeHistory(database, caller.id) },
  );
  handle(platform, contract.readHistoryEntry, ({ caller, params }) =>
    readHistoryEntry(database, caller.id, params.id),
  );
  handle(platform, contract.readEarningsChart, ({ caller }) => readEarningsChart(database, caller.id));
}
