import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { optionalText, rowId, text } from './fields.ts';
import { screens } from './screens.ts';

/** The views of operators' lists that an operator saved: filters, search and sort of a screen under a name. */

/** The most views that an operator may save for one screen. */
export const VIEWS_MAX = 9;

/** The longest name of a view, in characters. */
export const VIEW_NAME_LENGTH_MAX = 40;

const screen = z
  .enum(screens)
  .refine((path) => path.startsWith('/management-panel-x7k9w/'), 'Must be the screen of an operators’ list');

const savedView = z.object({
  id: z.string(),
  screen: z.string(),
  name: z.string(),
  /** The query of the screen's URL, without its question mark. */
  query: z.string(),
});
export type SavedView = z.infer<typeof savedView>;

export const readViews = endpoint({
  method: 'GET',
  path: '/api/admin/views',
  summary: 'The views that the caller saved, of all screens, in the order of saving',
  access: 'operator',
  topic: 'views',
  reply: z.array(savedView),
});

export const saveView = endpoint({
  method: 'POST',
  path: '/api/admin/views',
  summary: 'Save the filters of a screen under a name; a view of the same name gets the new ones',
  access: 'operator',
  act: 'view.save',
  refreshes: ['views'],
  body: z.strictObject({
    screen,
    name: text(VIEW_NAME_LENGTH_MAX),
    query: optionalText(1_000),
  }),
  status: 201,
  reply: savedView,
  refusals: ['views-full'],
});

export const removeView = endpoint({
  method: 'DELETE',
  path: '/api/admin/views/:id',
  summary: 'Remove a saved view',
  access: 'operator',
  act: 'view.remove',
  refreshes: ['views'],
  params: z.object({ id: rowId }),
  status: 204,
  reply: nothing,
  refusals: ['not-found'],
});
