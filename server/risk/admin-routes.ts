import * as contract from '#contract/risk.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { blockList } from './block-list.ts';
import { blockAddress, blockDomain, liftBlock } from './risk.ts';

/** HTTP for operators: the list of blocks, blocking and lifting. */
export function riskAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, blockList);
  handle(platform, contract.blockAddress, ({ caller, body, ip }) =>
    blockAddress(platform, { id: caller.id, address: ip }, body),
  );
  handle(platform, contract.blockDomain, ({ caller, body }) => blockDomain(platform, caller.id, body));
  handle(platform, contract.liftBlock, async ({ caller, params }) => {
    await liftBlock(platform, caller.id, BigInt(params.id));
    return null;
  });
}
