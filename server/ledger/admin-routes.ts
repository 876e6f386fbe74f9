import * as contract from '#contract/ledger-books.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readBooks, startAudit } from './books.ts';

/** HTTP for operators: the trial balance and the audits. */
export function ledgerAdminRoutes(platform: Platform): void {
  handle(platform, contract.readBooks, () => readBooks(platform));
  handle(platform, contract.startAudit, ({ caller }) => startAudit(platform, caller.id));
}
