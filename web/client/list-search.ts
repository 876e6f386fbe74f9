import type { Filter, OperatorList } from '#contract/operator-list.ts';
import { oneOf, pageOf, textOf } from './search-params.ts';

/**
 * The URL search of an operators' list: the declared filters and sorts, and the state of the screen. A value that the
 * declaration doesn't allow is left out.
 */
export type ListSearch = {
  page?: number | undefined;
  q?: string | undefined;
  sort?: string | undefined;
  /** The id of the row in the side sheet. */
  open?: string | undefined;
  /** The keys of the chosen columns, separated by commas. */
  columns?: string | undefined;
};

/** The declared filters. Numbers stay numbers, so that the URL has no quotation marks. */
export type FilterSearch = Record<string, string | number | undefined>;

/** The value that shows every row, even if the screen's default is another choice. */
export const ALL = 'all';

/** The least and the largest number of a filter. A member's id has nine digits. */
const numbers = {
  points: [0, 999_999_999_999_999],
  hours: [1, 100_000],
  member: [100_000_000, 999_999_999],
} as const;

/** The form of a filter's text. */
const patterns: Partial<Record<Filter['kind'], RegExp>> = {
  id: /^[a-z][a-z0-9-]{1,39}$/,
  day: /^(19[7-9]|[2-9]\d\d)\d-\d{2}-\d{2}$/,
  text: /^.{1,254}$/,
};

function filterOf(name: string, filter: Filter, search: Record<string, unknown>): FilterSearch {
  if (filter.kind === 'choice') return oneOf(name, [ALL, ...filter.choices], search);
  const pattern = patterns[filter.kind];
  if (pattern !== undefined) {
    const { [name]: text } = textOf(name, search);
    return text !== undefined && pattern.test(text) ? { [name]: search[name] as string | number } : {};
  }
  const value = Number(search[name] ?? Number.NaN);
  const [min, max] = numbers[filter.kind as keyof typeof numbers];
  return Number.isInteger(value) && value >= min && value <= max ? { [name]: value } : {};
}

/** Leaves out a minimum above its maximum, with the maximum, because together they match no row. */
function withoutReversed(search: FilterSearch): FilterSearch {
  const reversed = Object.keys(search).filter((name) => {
    const least = search[name.replace(/^max/, 'min')];
    const most = search[name.replace(/^min/, 'max')];
    return typeof least === 'number' && typeof most === 'number' && least > most;
  });
  return Object.fromEntries(Object.entries(search).filter(([name]) => !reversed.includes(name)));
}

/** Makes the `validateSearch` of a list screen from the list's declaration. */
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
    ...withoutReversed(
      Object.assign({}, ...Object.entries(filters).map(([name, filter]) => filterOf(name, filter, search))),
    ),
  });

/** Adds the member whose page led to a list's screen, for its form, and the points to take of one who is away. */
export const fromMember =
  (parse: (search: Record<string, unknown>) => ListSearch) =>
  (search: Record<string, unknown>): ListSearch & { from?: string; away?: string } => ({
    ...parse(search),
    ...textOf('from', search),
    ...textOf('away', search),
  });
