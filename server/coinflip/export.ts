import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { type PlayedGame, readGamesAfter } from './queries.ts';

/** A member's games for the export of their data, oldest first. */

/** Exports games without seeds: the one in use is secret, and revealed ones are in the game history. */
export async function* exportGames(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<PlayedGame>((last, limit) =>
    readGamesAfter(reader, memberId, last?.memberNumber ?? 0n, limit),
  );
  for await (const row of rows)
    yield {
      id: String(row.memberNumber),
      createdAt: row.createdAt.toISOString(),
      betAmount: row.betPoints,
      playerChoice: row.choice,
      result: row.result,
      isWin: row.choice === row.result,
      winAmount: row.choice === row.result ? row.betPoints * 2 : 0,
      seedNumber: row.seedNumber,
      nonce: row.nonce,
    };
}
