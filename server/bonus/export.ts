import { type Reader, sql } from '#platform/database.ts';

/** Where a member's days in a row stand, for the copy of their own data. The claims are among the movements. */
export async function* exportBonus(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = await reader.rows<{ last_day: string; day_count: number; last_points: bigint }>(sql`
    select last_day, day_count, last_points from bonus.streaks where member_id = ${memberId}`);
  for (const row of rows)
    yield { lastDay: row.last_day, consecutiveDays: row.day_count, lastAmount: String(row.last_points) };
}
