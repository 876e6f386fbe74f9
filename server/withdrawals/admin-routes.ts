import { z } from 'zod';
import * as contract from '#contract/withdrawals.ts';
import * as decisions from '#contract/withdrawals-decisions.ts';
import * as methods from '#contract/withdrawals-methods.ts';
import * as payouts from '#contract/withdrawals-payouts.ts';
import * as ratesContract from '#contract/withdrawals-rates.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { bulkRoutes } from './bulk-routes.ts';
import { testPaymentMethod } from './connection.ts';
import { approveWithdrawal, rejectWithdrawal } from './decisions.ts';
import { paymentMethodList } from './payment-method-list.ts';
import { changePaymentMethod, publishedMethod } from './payment-methods.ts';
import { failPayout, retryPayout, settle, syncWithdrawal, undoApproval } from './payout-acts.ts';
import { payoutList, readPayoutTotals, readRestoreState } from './payout-list.ts';
import { changePause } from './payout-stop.ts';
import { queueFigures } from './queue-figures.ts';
import { credentialsShape } from './rails/registry.ts';
import { confirmRate, readPayoutRates } from './rates.ts';
import { clearRequest } from './request-checks.ts';
import { withdrawalList } from './withdrawal-list.ts';

/** An act of an operator who was shown payments. */
const judgingAct = (
  platform: Platform,
  operatorId: number,
  id: string,
  { reason, txIds }: { reason: string; txIds?: readonly string[] | undefined },
) => ({ platform, operatorId, id, reason, ...(txIds && { shown: txIds }) });

/** HTTP for operators: the queue, decisions, payouts, what is left after a restore, rates and payment methods. */
export function withdrawalsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, withdrawalList(platform));
  const readFigures = queueFigures(platform);
  handle(platform, contract.readWithdrawalStats, ({ caller }) => readFigures(caller.id));
  bulkRoutes(platform);
  handle(platform, decisions.approveWithdrawal, ({ caller, params, body }) =>
    approveWithdrawal(platform, caller.id, params.id, body?.quoteId),
  );
  handle(platform, decisions.undoApproval, ({ caller, params }) =>
    undoApproval(platform, caller.id, params.id),
  );
  handle(platform, decisions.rejectWithdrawal, ({ caller, params, body }) =>
    rejectWithdrawal(platform, caller.id, params.id, body.reason),
  );
  handle(platform, decisions.syncWithdrawal, ({ caller, params }) =>
    syncWithdrawal(platform, params.id, caller.id),
  );
  handle(platform, ratesContract.readPayoutRates, () => readPayoutRates(platform));
  handle(platform, ratesContract.confirmRate, ({ caller, params, body }) =>
    confirmRate(platform, caller.id, params.currency, body),
  );
  handleOperatorList(platform, payoutList);
  handle(platform, payouts.readPayoutTotals, () => readPayoutTotals(platform.database));
  handle(platform, payouts.readRestoreState, () => readRestoreState(platform.database));
  handle(platform, payouts.pausePayouts, ({ caller, body: { reason } }) =>
    changePause(platform, true, caller.id, reason),
  );
  handle(platform, payouts.resumePayouts, ({ caller, body }) =>
    changePause(platform, false, caller.id, body?.reason ?? null),
  );
  handle(platform, payouts.retryPayout, ({ caller, params, body }) =>
    retryPayout(judgingAct(platform, caller.id, params.id, body)),
  );
  handle(platform, payouts.failPayout, ({ caller, params, body }) =>
    failPayout(judgingAct(platform, caller.id, params.id, body)),
  );
  handle(platform, payouts.settlePayout, ({ caller, params: { id }, body }) => {
    const { reason, txId, acceptedAmount } = body;
    return settle({ platform, operatorId: caller.id, id, reason, reference: txId, acceptedAmount });
  });
  handle(platform, payouts.clearRequest, ({ caller, params, body }) =>
    clearRequest(judgingAct(platform, caller.id, params.id, body)),
  );
  handleOperatorList(platform, paymentMethodList(platform));
  handle(
    platform,
    methods.changePaymentMethod,
    async ({ caller, params, body }) => {
      const changed = await changePaymentMethod(platform, params.method, body, caller.id);
      // Pages for visitors and open pages name the methods that are switched on.
      platform.bus.announceSiteChange();
      return changed;
    },
    {
      publishedBody: methods.changePaymentMethod.body.extend({ credentials: credentialsShape.optional() }),
      publishedReply: publishedMethod,
    },
  );
  handle(
    platform,
    methods.testPaymentMethod,
    ({ caller, params: { method }, body }) =>
      testPaymentMethod(platform, { method, body, operatorId: caller.id }),
    { publishedBody: z.strictObject({ credentials: credentialsShape.optional() }).optional() },
  );
}
