import { surveyCategories, taskCategories } from '#contract/earning-catalogue.ts';
import { oneOf, textOf } from '#web/client/search-params.ts';

/** What the addresses of the lists of tasks and surveys name: a category, an order, and the open wall. */

const taskSorts = ['newest', 'reward', 'quickest'] as const;
type TasksSearch = {
  wall?: string;
  category?: (typeof taskCategories)[number];
  sort?: (typeof taskSorts)[number];
};
type SurveysSearch = { wall?: string; category?: (typeof surveyCategories)[number] };

export const tasksSearchOf = (search: Record<string, unknown>): TasksSearch => ({
  ...oneOf('category', taskCategories, search),
  ...oneOf('sort', taskSorts, search),
  ...textOf('wall', search),
});

export const surveysSearchOf = (search: Record<string, unknown>): SurveysSearch => ({
  ...oneOf('category', surveyCategories, search),
  ...textOf('wall', search),
});
