import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { type NavigateOptions, useNavigate, useRouter, useSearch } from '@tanstack/react-router';
import type { Endpoint } from '#contract/endpoint.ts';
import type { OperatorList } from '#contract/operator-list.ts';
import { paginationOf } from '#contract/pages.ts';
import { type ApiError, call } from '#web/client/call.ts';
import { ALL, type FilterSearch, type ListSearch } from '#web/client/list-search.ts';
import { usePollMs } from '#web/client/live-waiting.ts';
import { keyOf, refreshTopics } from '#web/client/use-call.ts';
import { from } from '#web/ui/sizes.ts';

/** The state of a list, from the URL and the server. The server filters, sorts, searches and counts. */

export const ROWS_PER_PAGE = 20;

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Set on the entry that opened the sheet over the list, so that closing the sheet goes back. */
    isSheetOverList?: boolean;
  }
}

export type ListOptions = {
  /** As specified. What the live connection tells of is polled less often while that is open. */
  pollMs: number;
  /** The screen's default filters. Their values are left out of the URL. */
  defaultFilters?: Readonly<Record<string, string>>;
  /** The default sort for the given filters. */
  defaultSortFor?: (filters: Readonly<Record<string, string>>) => string;
};

/** An endpoint that the contract declares as a list. */
export type ListEndpoint = Endpoint & { list: OperatorList };

/** The first rows of a list, of how many. */
export type FirstRows<Row> = { rows: Row[]; totalCount: number };

export type ListPage<Row> = {
  rows: Row[];
  totalCount: number;
  totalPages: number;
  isCapped: boolean;
  /** The points of all matching rows; null where the list has none, and where too many match. */
  points: string | null;
};

/**
 * Reads a page of rows. The total is in the reply, or in a header if the reply is only an array. The header counts up
 * to 10,000 and marks a larger total with a plus.
 */
async function readPage<Row>(
  endpoint: ListEndpoint,
  query: Record<string, string>,
  signal?: AbortSignal,
): Promise<ListPage<Row>> {
  let header = '';
  let points: string | null = null;
  const onAnswer = ({ headers }: Response) => {
    header = headers.get('x-total-count') ?? '';
    points = headers.get('x-total-points');
  };
  const reply: unknown = await call(endpoint, { query, ...(signal && { signal }), onAnswer } as never);
  const { rows: field } = endpoint.list;
  if (field !== null) {
    const { pagination, ...others } = reply as { pagination: { totalCount: number; totalPages: number } };
    const rows = (others as Record<string, Row[]>)[field] ?? [];
    const { totalCount, totalPages } = pagination;
    return { rows, totalCount, totalPages, isCapped: false, points };
  }
  const rows = reply as Row[];
  const totalCount = Number.parseInt(header, 10) || rows.length;
  const { totalPages } = paginationOf({ page: 1, limit: Number(query.limit) }, totalCount);
  return { rows, totalCount, totalPages, isCapped: header.endsWith('+'), points };
}

/** The most rows that a list answers with at once. */
const READ_AT_ONCE = 100;

/** Reads the first rows of a list. One that moves to another page meanwhile is read once. */
async function readFirst<Row extends { id: string }>(
  endpoint: ListEndpoint,
  found: Record<string, string>,
  countMax: number,
): Promise<FirstRows<Row>> {
  const read = new Map<string, Row>();
  for (let page = 1; ; page += 1) {
    const query = { page: String(page), limit: String(READ_AT_ONCE), ...found };
    const { rows, totalCount, totalPages } = await readPage<Row>(endpoint, query);
    for (const row of rows) read.set(row.id, row);
    if (page >= totalPages || read.size >= countMax)
      return { rows: [...read.values()].slice(0, countMax), totalCount };
  }
}

/** The filters in effect: those in the URL, else the screen's defaults. */
function filtersOf(
  names: readonly string[],
  search: FilterSearch,
  defaults: Readonly<Record<string, string>>,
) {
  const set = names.map((name) => [name, search[name] ?? defaults[name]] as const);
  return Object.fromEntries(
    set
      .filter(([, value]) => value !== undefined && value !== ALL)
      .map(([name, value]) => [name, String(value)]),
  );
}

/** The filters in the URL that differ from the screen's defaults. */
const changedOf = (
  names: readonly string[],
  search: FilterSearch,
  defaults: Readonly<Record<string, string>>,
): string[] => names.filter((name) => search[name] !== undefined && String(search[name]) !== defaults[name]);

/** How a change of the URL enters the browser's history. */
type Entry = Pick<NavigateOptions, 'replace' | 'resetScroll' | 'state'>;

/**
 * A function that opens the sheet of a row; null closes it. A sheet over the list is an entry of the browser's history,
 * so that Back closes it.
 */
function useOpenRow(
  search: ListSearch & FilterSearch,
  go: (next: FilterSearch, entry: Entry) => void,
  isBeside: boolean,
) {
  const router = useRouter();
  return (id: string | null) => {
    const { isSheetOverList = false } = router.state.location.state;
    if (id === null && isSheetOverList) return router.history.back();
    const next = { ...search, open: id ?? undefined };
    const isNewEntry = id !== null && search.open === undefined && !isBeside;
    go(next, {
      replace: !isNewEntry,
      state: { isSheetOverList: isNewEntry || isSheetOverList },
      resetScroll: false,
    });
  };
}

export function useOperatorList<Row extends { id: string }>(
  endpoint: ListEndpoint,
  { pollMs: specifiedMs, defaultFilters = {}, defaultSortFor }: ListOptions,
) {
  const pollMs = usePollMs(specifiedMs, endpoint.topic);
  const search = useSearch({ strict: false }) as ListSearch & FilterSearch;
  const navigate = useNavigate();
  const client = useQueryClient();
  const filters = filtersOf(Object.keys(endpoint.list.filters), search, defaultFilters);
  const defaultSort = defaultSortFor?.(filters) ?? endpoint.list.defaultSort;
  const sort = search.sort ?? defaultSort;
  const page = search.page ?? 1;
  const q = search.q ?? '';
  const found = { sort, ...filters, ...(q === '' ? {} : { q }) };
  const query = { page: String(page), limit: String(ROWS_PER_PAGE), ...found };
  const read = useQuery<ListPage<Row>, ApiError>({
    queryKey: [...keyOf(endpoint), 'page', query],
    queryFn: ({ signal }) => readPage<Row>(endpoint, query, signal),
    placeholderData: keepPreviousData,
    refetchInterval: pollMs,
  });

  const changed = changedOf(Object.keys(endpoint.list.filters), search, defaultFilters);
  const isBeside = useMediaQuery(from('laptop')) ?? true;
  const go = (next: FilterSearch, entry: Entry = { replace: true }) => {
    const isDefaultValue = (name: string) =>
      next[name] === (name === 'sort' ? defaultSort : name === 'page' ? 1 : (defaultFilters[name] ?? ''));
    const kept = Object.entries(next).filter(([name, value]) => value !== undefined && !isDefaultValue(name));
    void navigate({ to: '.', ...entry, search: Object.fromEntries(kept) as never });
  };
  const open = useOpenRow(search, go, isBeside);

  return {
    endpoint,
    pollMs,
    read,
    rows: read.data?.rows ?? [],
    filters,
    sort,
    q,
    page,
    /** The filters that differ from the screen's defaults. */
    changed,
    /** Whether neither a filter nor a search differs from the screen's defaults. */
    isDefault: q === '' && changed.length === 0,
    openId: search.open ?? null,
    columns: search.columns?.split(',') ?? null,
    /** The query of the matching rows of all pages. */
    found,
    /** Reads the first matching rows, on whatever page they are. */
    readFirst: (countMax: number) => readFirst<Row>(endpoint, found, countMax),
    /** Whether the sheet is beside the table or covers it. */
    isBeside,
    /** Changes page, search or sort. Closes the sheet and returns to the first page unless one is given. */
    show: (change: Pick<ListSearch, 'page' | 'q' | 'sort'>) =>
      go({ ...search, page: undefined, open: undefined, ...change }),
    /** Sets filters; null removes one. */
    filter: (change: Readonly<Record<string, string | number | null>>) => {
      const none = (name: string) => (defaultFilters[name] === undefined ? undefined : ALL);
      const set = Object.entries(change).map(([name, value]) => [name, value ?? none(name)] as const);
      go({ ...search, page: undefined, open: undefined, ...Object.fromEntries(set) });
    },
    /** Ends the search and the filters, but those of the screen. */
    clear: () => go({ sort: search.sort, columns: search.columns }),
    chooseColumns: (keys: readonly string[] | null) => go({ ...search, columns: keys?.join(',') }),
    open,
    /** Fetches the list and everything else of its topic again. */
    refresh: () => refreshTopics(client, endpoint.topic === undefined ? [] : [endpoint.topic]),
  };
}

export type OperatorListState<Row extends { id: string }> = ReturnType<typeof useOperatorList<Row>>;

/** One row by its id, so that the sheet keeps a row that has left the list. */
export function useRow<Row extends { id: string }>({ endpoint, pollMs }: OperatorListState<Row>, id: string) {
  return useQuery<Row | null, ApiError>({
    queryKey: [...keyOf(endpoint), 'row', id],
    queryFn: async ({ signal }) => {
      const { rows } = await readPage<Row>(endpoint, { page: '1', limit: '1', id }, signal);
      return rows[0] ?? null;
    },
    refetchInterval: pollMs,
  });
}

/** The first row and the number of rows for other filters, for a total above the list. */
export function useFirstRow<Row>(
  endpoint: ListEndpoint,
  filters: Record<string, string>,
  specifiedMs: number,
) {
  const query = { page: '1', limit: '1', ...filters };
  return useQuery<ListPage<Row>, ApiError>({
    queryKey: [...keyOf(endpoint), 'first', query],
    queryFn: ({ signal }) => readPage<Row>(endpoint, query, signal),
    refetchInterval: usePollMs(specifiedMs, endpoint.topic),
  });
}
