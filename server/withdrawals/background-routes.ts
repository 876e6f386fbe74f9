import { readBackground } from '#contract/withdrawals-background.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { type BackgroundParts, readBackground as readBackgroundOf } from './background.ts';

/** HTTP for operators: what is read before a decision. */
export function backgroundRoutes(platform: Platform, parts: BackgroundParts): void {
  handle(platform, readBackground, ({ caller, params }) =>
    readBackgroundOf(platform, caller.id, params.id, parts),
  );
}
