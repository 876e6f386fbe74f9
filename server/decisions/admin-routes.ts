import * as contract from '#contract/decisions.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { absenceList } from './absence-list.ts';
import { appealList } from './appeal-list.ts';
import { answerAppeal } from './decisions.ts';
import { madeListOf } from './made-list.ts';

/** HTTP for operators: the lists of appeals, of all decisions and of members who are away, and answers. */
export function decisionsAdminRoutes(platform: Platform): void {
  handleOperatorList(platform, appealList);
  handleOperatorList(platform, madeListOf(platform));
  handleOperatorList(platform, absenceList);
  handle(platform, contract.answerAppeal, ({ caller, params, body }) =>
    answerAppeal(platform, caller.id, params.id, body),
  );
}
