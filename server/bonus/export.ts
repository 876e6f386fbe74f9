import { type Reader, sql } from '#platform/database.ts';

/** Exports a member's streak. The claims are among the exported movements. */
export async function* exportBonus(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = await reader.rows<{ lastDay: string; dayCount: number; lastPoints: bigint }>(sql`
    select last_day as "lastDay", day_count as "dayCount",
      last_points as "lastPoints" from bonus.streaks where member_id = ${memberId}`);
  for (const row of rows)
    yield { lastDay: row.lastDay, consecutiveDays: row.dayCount, lastAmount: String(row.lastPoints) };
}
