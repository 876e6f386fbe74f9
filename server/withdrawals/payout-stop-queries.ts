import { type StoredSentenceName, sentence, storedTextsOf } from '#contract/operator-sentences.ts';
import { type Reader, sql } from '#platform/database.ts';

/** SQL of what stops a payout, delays it, or is wrong with it. `p` is a row of payouts. */

/** What keeps a withdrawal of a member from being paid, as `withdrawals.stops_of` says. */
export type Stop = 'disowned' | 'suspended' | 'in_debt' | 'points_in_check';

const stopNames = {
  suspended: 'member-suspended',
  disowned: 'request-disowned',
  in_debt: 'member-in-debt',
  points_in_check: 'points-possibly-paid',
} as const satisfies Record<Stop, StoredSentenceName>;

/** What operators read of a stop. The sweep stores it as the reason of the payout as well. */
export const sentenceOfStop = (stop: Stop): string => sentence(stopNames[stop]);

const storedStops = Object.values(stopNames).flatMap(storedTextsOf);

/** Whether the stored reason of a payout is a stop, which may have ended. */
export const isStop = (trouble: string | null): boolean => storedStops.some((text) => text === trouble);

/** What stops payments to the member of a withdrawal at this moment. */
export const readStop = (reader: Reader, id: string) =>
  reader.one<{ stop: Stop | null }>(sql`select withdrawals.stop_of(${id}) as stop`);

/** The condition of the index `payouts_unfinished_queue`. */
export const isPayoutUnfinished = sql`p.state in ('queued', 'signed', 'broadcast', 'parked')`;
/** Whether a payout that is due has not been looked at for so long that something is wrong. */
export const isLate = sql`p.due_at < platform.business_now() - interval '30 seconds'`;
/** Whether a pause of all payouts stops the payout: nothing of it was sent yet. */
export const isPaused = sql`(p.state in ('queued', 'signed') and platform.are_payouts_paused())`;
/** What stops a payout at this moment whose payment is not stored yet, also before it is due; null if nothing does. */
export const stopNow = sql`
  case when p.state = 'queued' and p.halted_by is null then withdrawals.stop_of(p.withdrawal_id) end`;
/** The stored reason of a payout. A stop is judged anew (`stopNow`), so that one that ended is not told. */
export const ownTrouble = sql`
  case when p.trouble <> all (${storedStops}::text[]) then p.trouble end`;
/** Whether a payout has a fault, or somebody or something stops it alone. */
export const isTroubled = sql`(${isPayoutUnfinished}
  and (p.halted_by is not null or p.state = 'parked' or ${isLate} or ${ownTrouble} is not null
    or ${stopNow} is not null))`;
/**
 * Whether it is offered to take the approval of a payout back: in its delay, or while all are paused, when the outside
 * party's list is compared first.
 */
export const isUndoable = sql`
  (p.state = 'queued' and (p.not_before > platform.business_now() or platform.are_payouts_paused()))`;
/** Until when the approval of a payout can be taken back at once; null if it can’t. */
export const undoUntil = sql`
  case when p.state = 'queued' and p.not_before > platform.business_now() then p.not_before end`;
