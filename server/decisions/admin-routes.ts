import * as contract from '#contract/decisions.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { appealList } from './appeal-list.ts';
import { answerAppeal } from './decisions.ts';
import { madeList } from './made-list.ts';

/** HTTP for operators: the lists of appeals and of all decisions, and answers. */
export function decisionsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, appealList);
  handleOperatorList(platform, madeList);
  handle(platform, contract.answerAppeal, ({ caller, params, body }) =>
    answerAppeal(platform, caller.id, params.id, body),
  );
}
