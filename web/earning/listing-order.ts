import type { readSurveys } from '#contract/earning-catalogue.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { toPoints } from '#web/client/format.ts';

/** Sorts entries of the catalogue and computes their averages. */

export type Survey = ReplyOf<typeof readSurveys>[number];

/** `recommended` is the operators’ order, in which the entries come. */
export const listingSorts = ['recommended', 'newest', 'reward', 'quickest'] as const;
export type ListingSort = (typeof listingSorts)[number];

type Facts = Pick<Survey, 'createdAt' | 'reward' | 'minutes'>;

const order: Record<ListingSort, (one: Facts, other: Facts) => number> = {
  recommended: () => 0,
  newest: (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt),
  reward: (one, other) => Number(toPoints(other.reward) - toPoints(one.reward)),
  quickest: (one, other) => one.minutes - other.minutes,
};

/** Sorts a copy. Equal entries keep their order. */
export const sorted = <L extends Facts>(listings: readonly L[], sort: ListingSort): L[] =>
  [...listings].sort(order[sort]);

/** Average minutes, rounded, and average reward, rounded down; null for an empty list. */
export function averagesOf(listings: readonly Facts[]): { minutes: number; reward: bigint } | null {
  if (listings.length === 0) return null;
  const minutes = listings.reduce((sum, listing) => sum + listing.minutes, 0);
  const reward = listings.reduce((sum, listing) => sum + toPoints(listing.reward), 0n);
  return { minutes: Math.round(minutes / listings.length), reward: reward / BigInt(listings.length) };
}
