import type { Platform } from '#platform/platform.ts';
import { addListings } from '../earning/catalogue.ts';
import type { NewListing } from '../earning/catalogue-queries.ts';
import { doOnce } from './tables.ts';
import { type SimulatedWall, walls } from './wall-registry.ts';

/**
 * The demo catalogue: offers of the simulated walls, listed over the last days. Each opens its wall and has the wall's
 * title, points and minutes.
 */
const listingsOf = ({ id, kind, offers }: SimulatedWall): NewListing[] =>
  offers.flatMap(({ id: offerId, title, task, points, minutes, listing }) => {
    if (listing === null) return [];
    const { category, hoursAgo, titleKo, taskKo } = listing;
    return [
      {
        kind: kind === 'survey' ? 'survey' : 'task',
        category,
        provider: id,
        title: { en: title, ko: titleKo },
        description: { en: task, ko: taskKo },
        points,
        minutes,
        hoursAgo,
        seedKey: `sandbox:${id}:${offerId}`,
      } as NewListing,
    ];
  });

/** Fills the catalogue at the first start. Later changes by operators are kept. */
export async function prepareCatalogue({ database }: Platform): Promise<void> {
  await doOnce(database, 'demo catalogue', async () => {
    await addListings(database, [...walls.values()].flatMap(listingsOf));
  });
}
