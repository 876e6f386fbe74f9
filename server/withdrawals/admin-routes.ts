import * as contract from '#contract/withdrawals.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  rejectAllWithdrawals,
  rejectWithdrawal,
} from './decisions.ts';
import { changePaymentMethod, readPaymentMethods } from './payment-methods.ts';
import { syncWithdrawal } from './payouts.ts';
import { readQueue } from './queue.ts';
import { readWithdrawalStats } from './withdrawals.ts';

/** HTTP for operators: the queue, decisions, and the ways to pay out. */
export function withdrawalsAdminRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, contract.readWithdrawalQueue, ({ query }) => readQueue(database, query));
  handle(platform, contract.readWithdrawalStats, () => readWithdrawalStats(platform));
  handle(platform, contract.approveWithdrawal, ({ caller, params }) =>
    approveWithdrawal(platform, caller.id, params.id),
  );
  handle(platform, contract.rejectWithdrawal, ({ caller, params, body }) =>
    rejectWithdrawal(platform, caller.id, params.id, body.reason),
  );
  handle(platform, contract.approveAllWithdrawals, ({ caller }) =>
    approveAllWithdrawals(platform, caller.id),
  );
  handle(platform, contract.rejectAllWithdrawals, ({ caller, body }) =>
    rejectAllWithdrawals(platform, caller.id, body.reason),
  );
  handle(platform, contract.syncWithdrawal, ({ params }) => syncWithdrawal(platform, params.id));
  handle(platform, contract.readPaymentMethods, async ({ query, total }) => {
    const rows = await readPaymentMethods(platform);
    total(rows.length);
    return rows.slice((query.page - 1) * query.limit, query.page * query.limit);
  });
  handle(platform, contract.changePaymentMethod, ({ params, body }) =>
    changePaymentMethod(platform, params.method, body),
  );
}
