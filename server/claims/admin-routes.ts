import * as contract from '#contract/claims.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { claimList } from './claim-list.ts';
import { changeClaim, operatorClaimOf, readClaim } from './decisions.ts';

/** HTTP for operators: the list of claims, one of them, and what is done about it. */
export function claimsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, {
    endpoint: contract.readClaimQueue,
    source: claimList,
    toReply: operatorClaimOf,
  });
  handle(platform, contract.readClaim, ({ params }) => readClaim(platform, BigInt(params.id)));
  handle(platform, contract.changeClaim, ({ caller, params, body }) =>
    changeClaim(platform, caller.id, BigInt(params.id), body),
  );
}
