import { recordActs } from '#platform/audit-trail.ts';
import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findPicture } from './catalogue-entry-queries.ts';
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
 * The catalogue: a list of tasks and surveys that operators keep, so that members find tasks without opening every
 * wall. Rules:
 * - An entry is shown while it is enabled, has not expired, and its provider's wall can be opened.
 * - Its points and minutes are the provider's statement. Only a postback credits points.
 * - An entry without a URL opens its provider's wall in the site's frame.
 */

export type Language = 'en' | 'ko';

/** The path of a picture; null without one. */
export const imageUrlOf = (picture: string | null): string | null =>
  picture === null ? null : `/api/tasks/pictures/${picture}`;

/** The providers whose walls can be opened. */
export async function usableProviders(platform: Platform): Promise<string[]> {
  const known = [...(await knownProviders(platform)).values()];
  return known.filter(isUsable).map(({ row }) => row.id);
}

const listingOf = <Category>(row: ListingRow<Category>, language: Language) => ({
  id: row.id.toString(),
  title: row.title,
  description: row.description,
  provider: row.provider,
  category: row.category,
  reward: row.points.toString(),
  minutes: row.minutes,
  createdAt: row.createdAt.toISOString(),
  url: row.url || `/earn?wall=${row.provider}`,
  imageUrl: imageUrlOf(row.picture),
  steps: row.steps.map(({ title, titleKo, points, days }) => ({
    title: (language === 'ko' ? titleKo : null) ?? title,
    points,
    days,
  })),
});

async function listed<Category>(platform: Platform, kind: 'task' | 'survey', language: Language) {
  const providers = await usableProviders(platform);
  const rows = await readListings<Category>(platform.database, { kind, language, providers });
  return rows.map((row) => listingOf(row, language));
}

/** Reads the current tasks, in the operators' order. Texts without Korean are in English. */
export const readTasks = (platform: Platform, language: Language) =>
  listed<TaskCategory>(platform, 'task', language);

/** Reads the current surveys, in the operators' order. */
export const readSurveys = (platform: Platform, language: Language) =>
  listed<SurveyCategory>(platform, 'survey', language);

/** Reads a picture. @throws Refusal `not-found` */
export async function readPicture(
  { database }: Platform,
  id: string,
): Promise<{ type: string; bytes: Buffer }> {
  const picture = await findPicture(database, id);
  if (picture === undefined) throw refuse('not-found');
  return picture;
}

/** Adds new entries. Returns their number. */
export const addListings = (database: Database, listings: readonly NewListing[]): Promise<number> =>
  insertListings(database, listings);

/**
 * Adds the first entries (`catalogue-seed.ts`). A second call adds nothing.
 */
export async function seedCatalogue(
  { database }: Platform,
  operatorId: number,
): Promise<{ created: number }> {
  return database.transaction(async (tx) => {
    const created = await insertListings(tx, starterListings);
    if (created > 0) {
      const target = { kind: 'catalogue', id: 'catalogue' } as const;
      await recordActs(tx, [{ actor: operatorId, act: 'catalogue.seed', target, after: { created } }]);
    }
    return { created };
  });
}
