import type { Filter, OperatorList } from '#contract/operator-list.ts';
import { oneOf, pageOf, textOf } from './search-params.ts';

/**
 * What the screen of an operators' list reads from its address: the declared filters and sorts, and what only the
 * screen knows. A value that the declaration doesn't allow is left out.
 */
export type ListSearch = {
  page?: number | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  /** The id of the row in the side sheet. */
  open?: string | undefined;
  /** The keys of the columns that the operator chose, with commas between them. */
  columns?: string | undefined;
};

/** The declared filters. Numbers stay numbers, so that the address has no quotation marks. */
export type FilterSearch = Record<string, string | number | undefined>;

/** The value of a choice that shows every row, also where the screen begins with another choice. */
export const ALL = 'all';

const POINTS_MAX = 999_999_999_999_999;

function filterOf(name: string, filter: Filter, search: Record<string, unknown>): FilterSearch {
  if (filter.kind === 'choice') return oneOf(name, [ALL, ...filter.choices], search);
  if (filter.kind === 'id') {
    const value = search[name];
    return typeof value === 'string' && /^[a-z][a-z0-9-]{1,39}$/.test(value) ? { [name]: value } : {};
  }
  const value = Number(search[name] ?? Number.NaN);
  const [min, max] = filter.kind === 'points' ? [0, POINTS_MAX] : [1, 100_000];
  return Number.isInteger(value) && value >= min && value <= max ? { [name]: value } : {};
}

/** The `validateSearch` of a list's screen, made from the list's declaration. */
export const listSearchOf =
  ({ filters, sorts }: Pick<OperatorList, 'filters' | 'sorts'>) =>
  (search: Record<string, unknown>): ListSearch => ({
    ...pageOf(search.page),
    ...textOf('q', search),
    ...oneOf(
      'sort',
      sorts.flatMap((sort) => [sort, `-${sort}`]),
      search,
    ),
    ...textOf('open', search),
    ...textOf('columns', search),
    ...Object.assign({}, ...Object.entries(filters).map(([name, filter]) => filterOf(name, filter, search))),
  });
