import * as contract from '#contract/decisions.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { appealList } from './appeal-list.ts';
import { answerAppeal } from './decisions.ts';

/** HTTP for operators: the list of appeals, and their answers. */
export function decisionsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, appealList);
  handle(platform, contract.answerAppeal, ({ caller, params, body }) =>
    answerAppeal(platform, caller.id, params.id, body),
  );
}
