import type { readActivity } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';

export type Activity = ReplyOf<typeof readActivity>[number];

/**
 * How far a click has come. `waiting`: opened, and a credit may still arrive. `nothing`: the provider's usual time is
 * over and none came. `held`: an operator looks at it first.
 */
export type ActivityStatus = 'waiting' | 'nothing' | 'held' | 'credited' | 'reversed';

const HOUR_MS = 3_600_000;

/** How far this line is, as of now. Where nobody says how long a provider takes, it may always still come. */
export function activityStatusOf(
  { state, arrivesWithinHours: hours, openedAt }: Activity,
  now = Date.now(),
): ActivityStatus {
  if (state === 'pending') return 'held';
  if (state !== 'opened') return state;
  return hours !== null && now - Date.parse(openedAt) > hours * HOUR_MS ? 'nothing' : 'waiting';
}
