import * as contract from '#contract/withdrawals-decisions.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { type BackgroundParts, readBackground } from './background.ts';
import { examineWithdrawal } from './quotes.ts';

/** HTTP for operators: what is read before a decision, with the quote of an approval. */
export function backgroundRoutes(platform: Platform, parts: BackgroundParts): void {
  handle(platform, contract.examineWithdrawal, async ({ caller, params: { id } }) => {
    const [quoted, background] = await Promise.all([
      examineWithdrawal(platform, caller.id, id),
      readBackground(platform, caller.id, id, parts),
    ]);
    return { ...quoted, ...background };
  });
}
