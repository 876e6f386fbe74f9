import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the daily bonus. `functions.sql` has the amount of a day and the claim. */

export type Standing = {
  consecutiveDays: number;
  isClaimed: boolean;
  amount: bigint;
  schedule: bigint[];
};

export const readStanding = (reader: Reader, memberId: number) =>
  reader.one<Standing>(sql`
    select consecutive_days as "consecutiveDays", is_claimed as "isClaimed", amount, schedule
    from bonus.standing(${memberId}, platform.business_now())`);

/** The row of the latest claim. Its day may be long past. */
export type Streak = { lastDay: string; dayCount: number; lastPoints: bigint };

/** Undefined for a member who never claimed. */
export const findStreak = (reader: Reader, memberId: number) =>
  reader.row<Streak>(sql`
    select last_day as "lastDay", day_count as "dayCount", last_points as "lastPoints"
    from bonus.streaks where member_id = ${memberId}`);

export type Claimed = {
  status: 'claimed' | 'exists' | 'already_claimed' | 'closed' | 'unknown_member';
  points: bigint | null;
  consecutiveDays: number | null;
  /** Null unless this call made the claim. */
  balance: bigint | null;
};

export const claim = (tx: Tx, memberId: number, requestKey: string | null) =>
  tx.one<Claimed>(
    sql`select status, points, consecutive_days as "consecutiveDays", balance from bonus.claim(${memberId},
      ${requestKey})`,
  );
