import * as contract from '#contract/withdrawals.ts';
import * as addresses from '#contract/withdrawals-addresses.ts';
import * as restrictions from '#contract/withdrawals-restrictions.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readDestinations, removeDestination } from './destinations.ts';
import { recipientShape } from './rails/registry.ts';
import { readFreshRates } from './rates.ts';
import {
  cancelWithdrawal,
  readMethods,
  readRails,
  readRestrictions,
  readWithdrawals,
  requestWithdrawal,
} from './withdrawals.ts';

/** HTTP for members: payment methods, rates, requests and their history. */
export function withdrawalsRoutes(platform: Platform): void {
  handle(platform, contract.readMethods, () => readMethods(platform));
  handle(platform, contract.readRails, async () => readRails(platform.config));
  handle(platform, contract.readCoinRates, () => readFreshRates(platform));
  handle(
    platform,
    contract.requestWithdrawal,
    async ({ caller, body, idempotencyKey }) => {
      const { reply } = await requestWithdrawal(platform, caller.id, body, idempotencyKey);
      return reply;
    },
    { publishedBody: contract.requestWithdrawal.body.extend({ recipientInfo: recipientShape }) },
  );
  handle(platform, restrictions.readRestrictions, ({ caller }) => readRestrictions(platform, caller.id));
  handle(platform, contract.cancelWithdrawal, ({ caller, params }) =>
    cancelWithdrawal(platform, caller.id, params.id),
  );
  handle(platform, addresses.readAddresses, ({ caller }) => readDestinations(platform, caller.id));
  handle(platform, addresses.removeAddress, async ({ caller, params }) => {
    await removeDestination(platform, caller.id, params.id);
    return null;
  });
  handle(platform, contract.readWithdrawals, ({ caller, query }) =>
    readWithdrawals(platform, caller.id, query),
  );
}
