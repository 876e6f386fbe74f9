import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, time } from './fields.ts';

/** The catalogue of tasks and surveys that operators maintain. */

export const taskCategories = ['video', 'game', 'app', 'offer'] as const;
export const surveyCategories = ['general', 'market_research', 'social_research'] as const;

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
});
const catalogueQuery = z.object({ lang: z.enum(['en', 'ko']).default('en') });

export const readTasks = endpoint({
  method: 'GET',
  path: '/api/tasks',
  summary: 'The available tasks of the catalogue, newest first',
  access: 'member',
  query: catalogueQuery,
  reply: z.array(listing.extend({ category: z.enum(taskCategories) })),
});

export const readSurveys = endpoint({
  method: 'GET',
  path: '/api/cpx-surveys',
  summary: 'The available surveys of the catalogue, newest first',
  access: 'member',
  query: catalogueQuery,
  reply: z.array(listing.extend({ category: z.enum(surveyCategories) })),
});

export const seedTasks = endpoint({
  method: 'POST',
  path: '/api/admin/seed-tasks',
  summary: 'Add the default entries that were never added to the catalogue',
  access: 'operator',
  act: 'catalogue.seed',
  reply: z.object({ created: z.number() }),
});
