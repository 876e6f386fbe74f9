import * as contract from '#contract/ledger.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readEarningsChart, readHistory, readStats } from './ledger.ts';

/** HTTP for members: what the books say of them. */
export function ledgerRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, contract.readStats, ({ caller }) => readStats(database, caller.id));
  handle(platform, contract.readHistory, ({ caller, query }) => readHistory(database, caller.id, query));
  handle(platform, contract.readEarningsChart, ({ caller }) => readEarningsChart(database, caller.id));
}
