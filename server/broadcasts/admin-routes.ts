import * as contract from '#contract/broadcasts.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { broadcastList, recipientList } from './broadcast-list.ts';
import * as broadcasts from './broadcasts.ts';

/** HTTP for operators: the recipients, the list of broadcasts, and beginning, watching, pausing and repeating one. */
export function broadcastsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, recipientList);
  handleOperatorList(platform, broadcastList);
  handle(platform, contract.readRecipientCounts, () => broadcasts.readRecipientCounts(platform));
  handle(
    platform,
    contract.beginBroadcast,
    async ({ caller, query, body, idempotencyKey }) => {
      if (query.dryRun === 'false')
        return broadcasts.beginBroadcast(platform, caller.id, body, idempotencyKey);
      const counts = await broadcasts.readRecipientCounts(platform);
      return { recipients: counts.recipients, counts };
    },
    { statusOf: ({ query }) => (query.dryRun === 'true' ? 200 : 202) },
  );
  handle(platform, contract.testBroadcast, ({ caller, body }) =>
    broadcasts.sendTest(platform, caller.id, body),
  );
  handle(platform, contract.readBroadcast, ({ params }) =>
    broadcasts.readBroadcast(platform, BigInt(params.id)),
  );
  handle(platform, contract.readTermsMails, ({ params }) =>
    broadcasts.readTermsMails(platform, BigInt(params.id)),
  );
  const { pause, resume, stop } = broadcasts.changes;
  for (const [endpoint, change] of [
    [contract.pauseBroadcast, pause],
    [contract.resumeBroadcast, resume],
    [contract.stopBroadcast, stop],
  ] as const)
    handle(platform, endpoint, ({ caller, params }) =>
      broadcasts.changeBroadcast(platform, caller.id, BigInt(params.id), change),
    );
  handle(platform, contract.retryBroadcast, ({ caller, params, body }) =>
    broadcasts.retryBroadcast(platform, caller.id, BigInt(params.id), body.which),
  );
}
