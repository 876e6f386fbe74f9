import * as bulk from '#contract/withdrawals-bulk.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { bulkActList, readBulkAct, stopBulkAct } from './bulk-act-list.ts';
import { approveAllWithdrawals, readPlannedDecisions, rejectAllWithdrawals } from './bulk-decisions.ts';

/** HTTP for operators: decisions on many withdrawals. */
export function bulkRoutes(platform: Platform): void {
  handle(platform, bulk.readPlannedDecisions, ({ caller, query }) =>
    readPlannedDecisions(platform, caller.id, query.withFlagged === 'true'),
  );
  handleOperatorList(platform, bulkActList);
  handle(platform, bulk.readBulkAct, ({ params }) => readBulkAct(platform.database, params.id));
  handle(platform, bulk.stopBulkAct, ({ caller, params }) =>
    stopBulkAct(platform.database, caller.id, params.id),
  );
  handle(platform, bulk.approveAllWithdrawals, ({ caller, body }) =>
    approveAllWithdrawals(platform, caller.id, body),
  );
  handle(platform, bulk.rejectAllWithdrawals, ({ caller, body: { reason, ...order } }) =>
    rejectAllWithdrawals(platform, caller.id, reason, order),
  );
}
