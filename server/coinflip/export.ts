import { type Reader, sql } from '#platform/database.ts';

/** A member's games for the export of their data, oldest first. */

const PAGE_ROWS = 500;

type Row = {
  memberNumber: bigint;
  createdAt: Date;
  betPoints: number;
  choice: string;
  result: string;
  seedNumber: number;
  nonce: number;
};

const readAfter = (reader: Reader, memberId: number, memberNumber: bigint) =>
  reader.rows<Row>(sql`
    select member_number as "memberNumber", created_at as "createdAt", bet_points as "betPoints", choice, result,
      seed_number as "seedNumber", nonce from coinflip.games
    where member_id = ${memberId} and member_number > ${memberNumber} order by member_number limit ${PAGE_ROWS}`);

/** Exports games without seeds: the one in use is secret, and revealed ones are in the game history. */
export async function* exportGames(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let memberNumber = 0n;
  for (;;) {
    const rows = await readAfter(reader, memberId, memberNumber);
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
