import { LISTED_MAX, type surveyCategories, type taskCategories } from '#contract/earning-catalogue.ts';
import type { EntryStep } from '#contract/earning-catalogue-entries.ts';
import { type Reader, sql } from '#platform/database.ts';

/** The queries of the catalogue. */

export type TaskCategory = (typeof taskCategories)[number];
export type SurveyCategory = (typeof surveyCategories)[number];

type Text = { en: string; ko?: string };

/** A new entry. `points` is the reward for finishing it. */
export type NewListing = {
  provider: string;
  title: Text;
  description: Text;
  points: bigint;
  minutes: number;
} & ({ kind: 'task'; category: TaskCategory } | { kind: 'survey'; category: SurveyCategory }) & {
    /** A unique key, so that the entry is added once. */
    seedKey: string;
    /** The displayed age of the entry. Defaults to 0. */
    hoursAgo?: number;
  };

export type ListingRow<Category> = {
  id: bigint;
  category: Category;
  provider: string;
  title: string;
  description: string;
  points: bigint;
  minutes: number;
  url: string;
  createdAt: Date;
  steps: EntryStep[];
  /** SHA-256 of the picture's bytes. */
  picture: string | null;
};

/** Reads the current entries of a kind at the given providers, in the operators' order; without one, newest first. */
export const readListings = <Category>(
  reader: Reader,
  { kind, language, providers }: { kind: 'task' | 'survey'; language: 'en' | 'ko'; providers: string[] },
) =>
  reader.rows<ListingRow<Category>>(sql`
    select c.id, c.category, c.provider, c.points, c.minutes, c.url, c.steps, p.hash as picture,
      c.created_at as "createdAt",
      case when ${language} = 'ko' then coalesce(c.title_ko, c.title) else c.title end as title,
      case when ${language} = 'ko' then coalesce(c.description_ko, c.description) else c.description end as description
    from earning.catalogue c left join earning.catalogue_pictures p on p.entry_id = c.id
    where c.kind = ${kind} and c.is_enabled and (c.expires_at is null or c.expires_at > platform.business_now())
      and c.deleted_at is null and c.provider = any(${providers}::text[])
    order by c.position desc, c.created_at desc, c.id desc
    limit ${LISTED_MAX}`);

/** Adds entries that are new and whose provider exists. Returns the number of added entries. */
export async function insertListings(reader: Reader, listings: readonly NewListing[]): Promise<number> {
  const column = <T>(read: (listing: NewListing) => T): T[] => listings.map(read);
  const added = await reader.rows(sql`
    insert into earning.catalogue (kind, category, provider, title, title_ko, description, description_ko, points,
      minutes, created_at, seed_key)
    select n.kind, n.category, n.provider, n.title, n.title_ko, n.description, n.description_ko, n.points, n.minutes,
      platform.business_now() - n.hours_ago * interval '1 hour', n.seed_key
    from unnest(
      ${column(({ kind }) => kind)}::text[],
      ${column(({ category }) => category)}::text[],
      ${column(({ provider }) => provider)}::text[],
      ${column(({ title }) => title.en)}::text[],
      ${column(({ title }) => title.ko ?? null)}::text[],
      ${column(({ description }) => description.en)}::text[],
      ${column(({ description }) => description.ko ?? null)}::text[],
      ${column(({ points }) => points.toString())}::bigint[],
      ${column(({ minutes }) => minutes)}::integer[],
      ${column(({ hoursAgo = 0 }) => hoursAgo)}::integer[],
      ${column(({ seedKey }) => seedKey)}::text[]
    ) with ordinality n (kind, category, provider, title, title_ko, description, description_ko, points, minutes,
      hours_ago, seed_key, place)
    where exists (select from earning.providers p where p.id = n.provider)
    order by n.place
    on conflict (seed_key) do nothing
    returning id`);
  return added.length;
}
