import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Endpoint } from '#contract/endpoint.ts';
import type { OperatorList } from '#contract/operator-list.ts';
import { type ApiError, addressOf, call } from '#web/client/call.ts';
import { ALL, type FilterSearch, type ListSearch } from '#web/client/list-search.ts';
import { keyOf, refreshTopics } from '#web/client/use-call.ts';

/** A list as it stands in the address and on the server. The server filters, sorts, searches and counts. */

export const ROWS_PER_PAGE = 20;

export type ListOptions = {
  pollMs: number;
  /** The filters with which the screen begins. Their values are left out of the address. */
  usualFilters?: Readonly<Record<string, string>>;
  /** The order in which the screen shows rows of these filters, where the operator chose none. */
  usualSort?: (filters: Readonly<Record<string, string>>) => string;
};

/** A list that the contract declares, of whatever rows. */
export type ListEndpoint = Endpoint & { list: OperatorList };

export type ListPage<Row> = { rows: Row[]; totalCount: number; totalPages: number; isCapped: boolean };

/**
 * A page of rows. The total stands in the reply, or in a header beside a reply that is only rows; that header counts
 * up to 10,000 and then says so.
 */
async function readPage<Row>(
  endpoint: ListEndpoint,
  query: Record<string, string>,
  signal: AbortSignal,
): Promise<ListPage<Row>> {
  let header = '';
  const onAnswer = ({ headers }: Response) => {
    header = headers.get('x-total-count') ?? '';
  };
  const reply: unknown = await call(endpoint, { query, signal, onAnswer } as never);
  const { rows: field } = endpoint.list;
  if (field !== null) {
    const { pagination, ...others } = reply as { pagination: { totalCount: number; totalPages: number } };
    const rows = (others as Record<string, Row[]>)[field] ?? [];
    return { rows, totalCount: pagination.totalCount, totalPages: pagination.totalPages, isCapped: false };
  }
  const rows = reply as Row[];
  const totalCount = Number.parseInt(header, 10) || rows.length;
  const totalPages = Math.max(1, Math.ceil(totalCount / Number(query.limit)));
  return { rows, totalCount, totalPages, isCapped: header.endsWith('+') };
}

/** The filters that are set, by the address or by the screen's beginning. */
function filtersOf(names: readonly string[], search: FilterSearch, usual: Readonly<Record<string, string>>) {
  const set = names.map((name) => [name, search[name] ?? usual[name]] as const);
  return Object.fromEntries(
    set
      .filter(([, value]) => value !== undefined && value !== ALL)
      .map(([name, value]) => [name, String(value)]),
  );
}

export function useOperatorList<Row>(
  endpoint: ListEndpoint,
  { pollMs, usualFilters = {}, usualSort }: ListOptions,
) {
  const search = useSearch({ strict: false }) as ListSearch & FilterSearch;
  const navigate = useNavigate();
  const client = useQueryClient();
  const filters = filtersOf(Object.keys(endpoint.list.filters), search, usualFilters);
  const ownSort = usualSort?.(filters) ?? endpoint.list.defaultSort;
  const sort = search.sort ?? ownSort;
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

  const go = (next: FilterSearch) => {
    const isUsual = (name: string) =>
      next[name] === (name === 'sort' ? ownSort : name === 'page' ? 1 : (usualFilters[name] ?? ''));
    const kept = Object.entries(next).filter(([name, value]) => value !== undefined && !isUsual(name));
    void navigate({ to: '.', replace: true, search: Object.fromEntries(kept) as never });
  };

  return {
    endpoint,
    pollMs,
    read,
    rows: read.data?.rows ?? [],
    filters,
    sort,
    q,
    page,
    /** Nothing is filtered or searched beyond how the screen begins. */
    isAsUsual: q === '' && !Object.keys(endpoint.list.filters).some((name) => search[name] !== undefined),
    openId: search.open ?? null,
    columns: search.columns?.split(',') ?? null,
    exportPath: addressOf(endpoint, { query: { ...found, format: 'csv' } }),
    /** Changes what is shown. It begins at the first page, with the sheet closed. */
    show: (change: Pick<ListSearch, 'page' | 'q' | 'sort'>) =>
      go({ ...search, page: undefined, open: undefined, ...change }),
    /** Sets a filter, or with null shows the rows of every value. */
    filter: (change: Readonly<Record<string, string | number | null>>) => {
      const none = (name: string) => (usualFilters[name] === undefined ? undefined : ALL);
      const set = Object.entries(change).map(([name, value]) => [name, value ?? none(name)] as const);
      go({ ...search, page: undefined, open: undefined, ...Object.fromEntries(set) });
    },
    chooseColumns: (keys: readonly string[] | null) => go({ ...search, columns: keys?.join(',') }),
    open: (id: string | null) => go({ ...search, open: id ?? undefined }),
    /** Reads the list again, and what else is of its topic. */
    refresh: () => refreshTopics(client, endpoint.topic === undefined ? [] : [endpoint.topic]),
  };
}

export type OperatorListState<Row> = ReturnType<typeof useOperatorList<Row>>;

/** One row by its id, wherever it stands, so that the sheet keeps it when it has left the list. */
export function useRow<Row extends { id: string }>({ endpoint, pollMs }: OperatorListState<Row>, id: string) {
  return useQuery<Row | null, ApiError>({
    queryKey: [...keyOf(endpoint), 'row', id],
    queryFn: async ({ signal }) => {
      const { rows } = await readPage<Row>(endpoint, { page: '1', limit: '1', q: id }, signal);
      return rows[0] ?? null;
    },
    refetchInterval: pollMs,
  });
}

/** The first row of other filters, and how many rows they find, for a total above the list. */
export function useFirstRow<Row>(endpoint: ListEndpoint, filters: Record<string, string>, pollMs: number) {
  const query = { page: '1', limit: '1', ...filters };
  return useQuery<ListPage<Row>, ApiError>({
    queryKey: [...keyOf(endpoint), 'first', query],
    queryFn: ({ signal }) => readPage<Row>(endpoint, query, signal),
    refetchInterval: pollMs,
  });
}
