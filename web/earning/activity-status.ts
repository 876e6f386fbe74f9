import type { readActivity } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';

export type Activity = ReplyOf<typeof readActivity>[number];

/**
 * The state of an opened wall. `waiting`: a credit may still arrive. `nothing`: the provider's usual time has passed
 * without a credit. `held`: an operator must decide.
 */
export type ActivityStatus = 'waiting' | 'nothing' | 'held' | 'credited' | 'reversed';

const HOUR_MS = 3_600_000;

/** The state at `now` (ms). If the provider's usual time is unknown, an opened wall stays `waiting`. */
export function activityStatusOf(
  { state, arrivesWithinHours: hours, openedAt }: Activity,
  now = Date.now(),
): ActivityStatus {
  if (state === 'pending') return 'held';
  if (state !== 'opened') return state;
  return hours !== null && now - Date.parse(openedAt) > hours * HOUR_MS ? 'nothing' : 'waiting';
}
