import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import {
  insertListings,
  type ListingRow,
  type NewListing,
  readListings,
  type SurveyCategory,
  type TaskCategory,
} from './catalogue-queries.ts';
import { starterListings } from './catalogue-seed.ts';
import { isUsable, knownProviders } from './provider-settings.ts';

/**
 * The catalogue: tasks and surveys that operators list, so that a member finds something to do without looking
 * through every wall. It only points the way. What holds:
 * - An entry is shown while it is switched on, has not expired, and its provider's wall can be opened.
 * - What it says of points and minutes is the provider's word; what is credited is what the provider calls in.
 * - An entry without an address of its own leads to its provider's wall in the site's own frame.
 */

export type Language = 'en' | 'ko';

const shown = <Category>(row: ListingRow<Category>) => ({
  id: row.id.toString(),
  title: row.title,
  description: row.description,
  provider: row.provider,
  category: row.category,
  reward: row.points.toString(),
  minutes: row.minutes,
  createdAt: row.createdAt.toISOString(),
  url: row.url || `/earn?wall=${row.provider}`,
});

async function listed<Category>(platform: Platform, kind: 'task' | 'survey', language: Language) {
  const known = [...(await knownProviders(platform)).values()];
  const providers = known.filter(isUsable).map(({ row }) => row.id);
  const rows = await readListings<Category>(platform.database, { kind, language, providers });
  return rows.map(shown);
}

/** The tasks that can be done now, newest first; texts that lack Korean are English. */
export const readTasks = (platform: Platform, language: Language) =>
  listed<TaskCategory>(platform, 'task', language);

/** The surveys that can be answered now, newest first. */
export const readSurveys = (platform: Platform, language: Language) =>
  listed<SurveyCategory>(platform, 'survey', language);

/** Adds entries that are not there yet. Answers how many that were. */
export const addListings = (database: Database, listings: readonly NewListing[]): Promise<number> =>
  insertListings(database, listings);

/**
 * Adds the entries that every catalogue may start with: what is true of a provider on any day, without an offer of
 * its own. Called again it adds nothing.
 */
export async function seedCatalogue({ database }: Platform): Promise<{ created: number }> {
  return { created: await insertListings(database, starterListings) };
}
