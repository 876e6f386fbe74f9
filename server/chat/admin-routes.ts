import * as contract from '#contract/chat-moderation.ts';
import { handle } from '#platform/http/handle.ts';
import { handleOperatorList } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { banList } from './ban-list.ts';
import type { KeptWords } from './kept-words.ts';
import { addWord, ban, liftBan, removeWord, tryMessage } from './moderation.ts';
import { reportList } from './report-list.ts';
import { decide, deleteMessage, readCase } from './reports.ts';
import { wordList } from './word-list.ts';

/** HTTP for operators: banned words, bans, reports, and taking messages out. */
export function chatAdminRoutes(platform: Platform, words: KeptWords): void {
  handleOperatorList(platform, wordList);
  handle(platform, contract.addBannedWord, async ({ caller, body }) => {
    const added = await addWord(platform, caller.id, body.word);
    words.forget();
    return added;
  });
  handle(platform, contract.removeBannedWord, async ({ caller, params }) => {
    await removeWord(platform, caller.id, BigInt(params.id));
    words.forget();
    return null;
  });
  handle(platform, contract.testMessage, ({ query }) => tryMessage(words, query.text));
  handleOperatorList(platform, banList);
  handle(platform, contract.banMember, ({ caller, body }) => ban(platform, caller.id, body));
  handle(platform, contract.liftBan, async ({ caller, params }) => {
    await liftBan(platform, caller.id, BigInt(params.id));
    return null;
  });
  handleOperatorList(platform, reportList);
  handle(platform, contract.readReport, ({ params }) => readCase(platform, BigInt(params.id)));
  handle(platform, contract.decideReport, ({ caller, params, body }) =>
    decide(platform, caller.id, BigInt(params.id), body),
  );
  handle(platform, contract.deleteMessage, async ({ caller, params }) => {
    await deleteMessage(platform, caller.id, BigInt(params.id));
    return null;
  });
}
