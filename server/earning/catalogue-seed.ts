import type { NewListing } from './catalogue-queries.ts';
import type { ProviderAdapter } from './providers/provider.ts';
import { providers } from './providers/registry.ts';

/**
 * The first entries of a new catalogue: one for each kind of task that a provider's wall always has. They name no
 * single offer, because offers change. Points and minutes are the usual minimum.
 */
const FALLBACK_POINTS = 50n;

const listingsOf = ({ id, pays, starters }: ProviderAdapter): NewListing[] =>
  starters.map((starter) => ({
    ...starter,
    provider: id,
    points: starter.points ?? BigInt(pays.rewardPointsMin ?? FALLBACK_POINTS),
    seedKey: `starter:${id}:${starter.category}`,
  }));

export const starterListings: readonly NewListing[] = [...providers.values()].flatMap(listingsOf);
