import type { DailyBonus } from '#contract/bonus.ts';

/** Which days of the ladder are shown, and what each of them is. */

export type Stamp = {
  /** The number of the day in the row, from 1. */
  day: number;
  points: string;
  state: 'claimed' | 'today' | 'to-come';
  /** How many days after today; 0 and below for today and those before. */
  ahead: number;
};

/** How many days the ladder shows. */
export const SHOWN_DAYS = 7;
const BEFORE_TODAY = 3;

/** What a day in the row gives: the last of the schedule for every day after it. */
export const pointsOfDay = (schedule: readonly string[], day: number): string =>
  schedule[Math.min(day, schedule.length) - 1] ?? '0';

/** The number of today in the row: the one that was claimed, or the one to claim. */
export const todayOf = ({ consecutiveDays, claimed }: DailyBonus): number =>
  claimed ? Math.max(consecutiveDays, 1) : consecutiveDays + 1;

/** Seven days: the first seven, and beyond them those around today. */
export function stampsOf(bonus: DailyBonus): Stamp[] {
  const today = todayOf(bonus);
  const first = today <= SHOWN_DAYS ? 1 : today - BEFORE_TODAY;
  return Array.from({ length: SHOWN_DAYS }, (_, index) => {
    const day = first + index;
    const isClaimed = day < today || (day === today && bonus.claimed);
    return {
      day,
      points: day === today ? bonus.amount : pointsOfDay(bonus.schedule, day),
      state: isClaimed ? 'claimed' : day === today ? 'today' : 'to-come',
      ahead: day - today,
    };
  });
}
