import type { NewListing } from './catalogue-queries.ts';
import type { ProviderAdapter } from './providers/provider.ts';
import { providers } from './providers/registry.ts';

/**
 * What a new catalogue may start with: one entry for each thing that a provider's wall has on any day. It names no
 * offer, because offers come and go; points and minutes are the least that is usual there.
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
