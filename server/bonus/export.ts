import type { Reader } from '#platform/database.ts';
import { findStreak } from './queries.ts';

/** Exports a member's streak. The claims are among the exported movements. */
export async function* exportBonus(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const streak = await findStreak(reader, memberId);
  if (streak !== undefined)
    yield {
      lastDay: streak.lastDay,
      consecutiveDays: streak.dayCount,
      lastAmount: String(streak.lastPoints),
    };
}
