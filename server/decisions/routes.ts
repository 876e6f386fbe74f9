import * as contract from '#contract/decisions.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { appeal, readDecisions } from './decisions.ts';

/** HTTP for members: reading decisions and appealing against them, also while the account is suspended. */
export function decisionsRoutes(platform: Platform): void {
  handle(platform, contract.readDecisions, ({ caller }) => readDecisions(platform, caller.id));
  handle(platform, contract.appealDecision, ({ caller, params, body }) =>
    appeal(platform, caller.id, params.id, body.text),
  );
}
