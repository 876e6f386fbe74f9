import * as contract from '#contract/ledger.ts';
import { handle, writtenJson } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import type { ReadNames } from './descriptions.ts';
import {
  bookReader,
  readEarningsChart,
  readHistoryEntry,
  readHistoryPage,
  readWholeHistory,
} from './reads.ts';

/** HTTP for members: balance, history and chart. */
export function ledgerRoutes(platform: Platform, readNames: ReadNames): void {
  const { database } = platform;
  const { readStats, readHistoryText } = bookReader(database, readNames);
  handle(platform, contract.readStats, ({ caller }) => readStats(caller.id));
  handle(
    platform,
    contract.readHistory,
    async ({ caller, query, reply }) => {
      if (query.format === 'csv') return readHistoryPage(database, readNames, caller.id, query);
      const text = await readHistoryText(caller.id, query);
      return writtenJson(reply, text);
    },
    { exportAll: ({ caller }) => readWholeHistory(database.patient, readNames, caller.id) },
  );
  handle(platform, contract.readHistoryEntry, ({ caller, params }) =>
    readHistoryEntry(database, readNames, caller.id, params.id),
  );
  handle(platform, contract.readEarningsChart, ({ caller }) => readEarningsChart(database, caller.id));
}
