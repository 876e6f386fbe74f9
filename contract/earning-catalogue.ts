import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, time } from './fields.ts';

/** The catalogue of tasks and surveys that operators maintain. */

export const taskCategories = ['video', 'game', 'app', 'offer'] as const;
export const surveyCategories = ['general', 'market_research', 'social_research'] as const;

/** The largest number of entries in a member's list. Those behind it are not listed. */
export const LISTED_MAX = 500;

/** The id of a picture: SHA-256 of its bytes. */
const pictureId = z.string().regex(/^[0-9a-f]{64}$/);

/** One entry of the catalogue. */
const listing = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  /** Id of the provider that pays it. */
  provider: z.string(),
  reward: points,
  minutes: z.number(),
  createdAt: time,
  /** A page of this site that opens the provider’s wall, such as `/earn?wall={provider}`, or an external URL. */
  url: z.string(),
  /** A path of this site; null without a picture. */
  imageUrl: z.string().nullable(),
  /** May be empty. `reward` is the sum of their points. */
  steps: z.array(
    z.object({
      title: z.string(),
      points,
      /** The days from the start in which the step must be done; null if the provider sets none. */
      days: z.number().nullable(),
    }),
  ),
});
const catalogueQuery = z.object({ lang: z.enum(['en', 'ko']).default('en') });

export const readTasks = endpoint({
  method: 'GET',
  path: '/api/tasks',
  summary: 'The available tasks of the catalogue, in the operators’ order',
  access: 'member',
  query: catalogueQuery,
  reply: z.array(listing.extend({ category: z.enum(taskCategories) })),
});

export const readSurveys = endpoint({
  method: 'GET',
  path: '/api/cpx-surveys',
  summary: 'The available surveys of the catalogue, in the operators’ order',
  access: 'member',
  query: catalogueQuery,
  reply: z.array(listing.extend({ category: z.enum(surveyCategories) })),
});

export const readPicture = endpoint({
  method: 'GET',
  path: '/api/tasks/pictures/:id',
  summary: 'The bytes of an entry’s picture: PNG, JPEG or WebP',
  access: 'public',
  params: z.object({ id: pictureId }),
  reply: z.string(),
  refusals: ['not-found'],
});

export const seedTasks = endpoint({
  method: 'POST',
  path: '/api/admin/seed-tasks',
  summary: 'Add the default entries that were never added to the catalogue',
  access: 'operator',
  act: 'catalogue.seed',
  reply: z.object({ created: z.number() }),
});
