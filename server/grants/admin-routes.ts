import * as contract from '#contract/grants.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { grantList } from './grant-list.ts';
import { decideGrant, findGrantReceiver, givePoints, grantOf, readGrantStats } from './grants.ts';

/** HTTP for operators: giving points, the list of grants, and the second operator's decision. */
export function grantsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, { endpoint: contract.readGrants, source: grantList, toReply: grantOf });
  handle(platform, contract.readGrantStats, ({ caller }) => readGrantStats(platform, caller.id));
  handle(platform, contract.findGrantReceiver, ({ query }) => findGrantReceiver(platform, query.member));
  handle(platform, contract.givePoints, ({ caller, body, idempotencyKey }) =>
    givePoints(platform, {
      who: body.userId,
      amountPoints: BigInt(body.amount),
      reason: body.reason,
      actor: caller.id,
      key: idempotencyKey,
    }),
  );
  handle(platform, contract.confirmGrant, ({ caller, params }) =>
    decideGrant(platform, {
      id: BigInt(params.id),
      decision: 'confirm',
      operatorId: caller.id,
      reason: null,
    }),
  );
  handle(platform, contract.declineGrant, ({ caller, params, body }) =>
    decideGrant(platform, {
      id: BigInt(params.id),
      decision: 'decline',
      operatorId: caller.id,
      reason: body.reason,
    }),
  );
}
