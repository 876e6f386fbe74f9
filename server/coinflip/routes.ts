import * as contract from '#contract/coinflip.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { createPlay, flipCoin, readGames, readNextFairness, readStatus, rotateFairness } from './coinflip.ts';

/** HTTP for members: playing, the daily limit, the history and the seeds. */
export function coinflipRoutes(platform: Platform): void {
  const play = createPlay(platform.database);
  handle(platform, contract.playCoinFlip, async ({ caller, body, idempotencyKey }) => {
    const { reply } = await flipCoin(platform, play, caller.id, body, idempotencyKey);
    return reply;
  });
  handle(platform, contract.readFlipStatus, ({ caller }) => readStatus(platform, caller.id));
  handle(platform, contract.readFlipHistory, ({ caller }) => readGames(platform, caller.id));
  handle(platform, contract.readFairness, ({ caller }) => readNextFairness(platform, caller.id));
  handle(platform, contract.rotateFairness, ({ caller, body }) =>
    rotateFairness(platform, caller.id, body?.clientSeed ?? null),
  );
}
