import type { Reader } from '#platform/database.ts';
import { readGamesAfter } from './queries.ts';

/** A member's games for the export of their data, oldest first. */

const PAGE_ROWS = 500;

/** Exports games without seeds: the one in use is secret, and revealed ones are in the game history. */
export async function* exportGames(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let memberNumber = 0n;
  for (;;) {
    const rows = await readGamesAfter(reader, memberId, memberNumber, PAGE_ROWS);
    for (const row of rows)
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
    if (rows.length < PAGE_ROWS) return;
    memberNumber = rows.at(-1)?.memberNumber ?? memberNumber;
  }
}
