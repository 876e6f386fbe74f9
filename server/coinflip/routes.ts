import * as contract from '#contract/coinflip.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { createPlay, flipCoin, readGames, readNextFairness, readStatus, rotateFairness } from './coinflip.ts';

/** HTTP for members: the game, its limit, its past and its seeds. */
export function coinflipRoutes(platform: Platform): void {
  const { database, secrets } = platform;
  const parts = { database, secrets, play: createPlay(database) };
  handle(platform, contract.playCoinFlip, async ({ caller, body, idempotencyKey, announce }) => {
    const { reply, balance } = await flipCoin(parts, caller.id, body, idempotencyKey);
    if (balance !== null) announce(caller.id, { type: 'balance', balance: balance.toString() });
    return reply;
  });
  handle(platform, contract.readFlipStatus, ({ caller }) => readStatus(parts, caller.id));
  handle(platform, contract.readFlipHistory, ({ caller }) => readGames(parts, caller.id));
  handle(platform, contract.readFairness, ({ caller }) => readNextFairness(parts, caller.id));
  handle(platform, contract.rotateFairness, ({ caller, body }) =>
    rotateFairness(parts, caller.id, body?.clientSeed ?? null),
  );
}
