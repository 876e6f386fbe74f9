import type { DailyBonus } from '#contract/bonus.ts';

/** The days that the bonus ladder shows, with the state of each. */

export type Stamp = {
  /** The position among the consecutive days, from 1. */
  day: number;
  points: string;
  state: 'claimed' | 'today' | 'to-come';
  /** Days after today: 0 is today, negative numbers are past days. */
  ahead: number;
};

export const SHOWN_DAYS = 7;
const BEFORE_TODAY = 3;

/** The points of a day, counted from 1. Days after the end of the schedule repeat its last amount. */
export const pointsOfDay = (schedule: readonly string[], day: number): string =>
  schedule[Math.min(day, schedule.length) - 1] ?? '0';

/** Today's position among the consecutive days, whether it is claimed or not. */
export const todayOf = ({ consecutiveDays, claimed }: DailyBonus): number =>
  claimed ? Math.max(consecutiveDays, 1) : consecutiveDays + 1;

/** The first seven days, or after those the seven days around today. */
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
