import type { ProviderFacts } from '../earning/providers/provider.ts';
import { providers } from '../earning/providers/registry.ts';
import type { Offer, Wall } from '../earning/providers/wall.ts';

/** The simulated walls of all registered providers, from `wall.ts` of each provider's folder. */
export type SimulatedWall = Wall & Pick<ProviderFacts, 'id' | 'name' | 'kind'>;

const loaded = await Promise.all(
  [...providers.values()].map(async ({ id, name, kind }) => {
    const { wall } = (await import(`../earning/providers/${id}/wall.ts`)) as { wall: Wall };
    return { ...wall, id, name, kind };
  }),
);

export const walls: ReadonlyMap<string, SimulatedWall> = new Map(loaded.map((wall) => [wall.id, wall]));

/** The wall of a registered provider. */
export function readWall(id: string): SimulatedWall {
  const wall = walls.get(id);
  if (wall === undefined) throw new Error(`There is no wall ${id}`);
  return wall;
}

/** The offer of this title, and its wall. */
export function readOffer(title: string): { wall: SimulatedWall; offer: Offer } {
  for (const wall of walls.values()) {
    const offer = wall.offers.find((candidate) => candidate.title === title);
    if (offer !== undefined) return { wall, offer };
  }
  throw new Error(`No wall has an offer "${title}"`);
}
