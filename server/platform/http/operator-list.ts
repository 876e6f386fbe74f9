import type { FastifyReply } from 'fastify';
import { withAsciiDomain } from '#contract/email-text.ts';
import type { QueryOf, ReplyOf } from '#contract/endpoint.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import type { OperatorListEndpoint } from '#contract/operator-list.ts';
import { paginationOf } from '#contract/pages.ts';
import { type Reader, type Sql, sql, sqlText } from '../database.ts';
import { readInPages } from '../pages.ts';
import type { Platform } from '../platform.ts';
import { searchedName } from '../searched-name.ts';
import type { Pieces } from './csv-reply.ts';
import { handle, type Options } from './handle.ts';

/**
 * An operator's list in SQL. The contract declares filters, sorts and search; a feature declares their columns with
 * `ListSql`. The database makes pages, totals and the CSV of all matching rows.
 *
 * A page's keys and its total are read by the indexes of the list's table; the columns are read only for the rows of
 * the page. A CSV is read by the values of the sort, so that rows inserted meanwhile do not repeat others.
 */
export type ListSql<E extends OperatorListEndpoint> = {
  /** The table of the list, and its alias in the other parts. */
  table: Sql;
  alias: Sql;
  /** The unique column by which the rows of a page are read. */
  key: Sql;
  /** The condition for the row with an id. */
  withId: (terms: SearchTerms) => Sql;
  /** A condition on all rows of the list. */
  where?: Sql;
  /** The selected columns and their joins. A join must match at most one row. */
  columns: Sql;
  joins?: Sql;
  /** The columns of each sort, the last one unique. They hold integers, text or times in whole ms, not null. */
  sorts: Record<E['list']['sorts'][number], readonly Sql[]>;
  filters: { [Name in keyof E['list']['filters']]: (value: FilterValue<E, Name>) => Sql };
  /**
   * Selects the keys of the rows that match a search. Use a union of one select per column, so that each uses an index.
   */
  search: (terms: SearchTerms) => Sql;
  /** Reads a stored total instead of counting; undefined if none is stored for these filters. */
  findTotal?: (reader: Reader, query: QueryOf<E>) => Promise<bigint | undefined>;
  /** The points of a row of the table, which are summed beside a counted total. */
  points?: Sql;
};

type FilterValue<E extends OperatorListEndpoint, Name> = Name extends keyof QueryOf<E>
  ? NonNullable<QueryOf<E>[Name]>
  : never;

/** One row of a list's reply. */
export type RowOf<E extends OperatorListEndpoint> =
  ReplyOf<E> extends readonly (infer Row)[]
    ? Row
    : ReplyOf<E>[Exclude<keyof ReplyOf<E>, 'pagination'>] extends readonly (infer Row)[]
      ? Row
      : never;

/** The text of a search or an id, and its possible meanings. An impossible meaning is null, which no value equals. */
export type SearchTerms = {
  text: string;
  /** A pattern for `like`. */
  prefix: string;
  /** E-mail addresses and hashes are stored in lower case, addresses with their domain in ASCII. */
  lowerCase: string;
  lowerCasePrefix: string;
  uuid: string | null;
  /** The least and the greatest id that begins so; both are the id itself where the text is a whole one. */
  uuids: { from: string | null; to: string | null };
  memberId: number | null;
  rowId: bigint | null;
  /** For `members.named`. */
  name: string | null;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Members see the beginning of an id. A shorter text begins too many of them. */
const UUID_START_MIN = 8;
const UUID_DIGITS = 32;

/** The ids that begin with a text, with or without its hyphens, as a range that an index serves. */
function uuidsFrom(text: string): SearchTerms['uuids'] {
  const start = text.toLowerCase();
  const digits = start.replaceAll('-', '');
  const filledWith = (digit: string) =>
    digits.padEnd(UUID_DIGITS, digit).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  const isStart =
    digits.length >= UUID_START_MIN &&
    digits.length <= UUID_DIGITS &&
    /^[0-9a-f]+$/.test(digits) &&
    (start === digits || filledWith('0').startsWith(start));
  return isStart ? { from: filledWith('0'), to: filledWith('f') } : { from: null, to: null };
}

const prefixOf = (text: string): string => `${text.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;

/** The possible meanings of a text that somebody searches. */
export function searchTermsOf(text: string): SearchTerms {
  const lowerCase = withAsciiDomain(text.toLowerCase());
  return {
    text,
    prefix: prefixOf(text),
    lowerCase,
    lowerCasePrefix: prefixOf(lowerCase),
    uuid: UUID.test(text) ? text : null,
    uuids: uuidsFrom(text),
    memberId: MEMBER_ID.test(text) ? Number(text) : null,
    rowId: /^[1-9]\d{0,17}$/.test(text) ? BigInt(text) : null,
    name: searchedName(text),
  };
}

/** Totals are exact up to 10,000. A search reads at most one match more. */
const TOTAL_MAX = 10_000;
/** The points of more rows are not summed. */
const SUMMED_MAX = 1_000;
const EXPORT_ROWS = 1_000;

const joined = (parts: readonly Sql[], separator: string): Sql =>
  parts.reduce((left, right) => sql`${left}${sqlText(separator)}${right}`);

/** The conditions of a query. */
function conditionsOf<E extends OperatorListEndpoint>(
  { list }: E,
  source: ListSql<E>,
  query: QueryOf<E>,
): Sql {
  const conditions = [source.where ?? sql`true`];
  for (const name of Object.keys(list.filters) as (keyof E['list']['filters'])[]) {
    const value = query[name as keyof QueryOf<E>] as FilterValue<E, typeof name> | undefined;
    if (value !== undefined) conditions.push(source.filters[name](value));
  }
  if (query.id) conditions.push(source.withId(searchTermsOf(query.id)));
  if (query.q) conditions.push(sql`${source.key} in (${source.search(searchTermsOf(query.q))})`);
  return joined(conditions, ' and ');
}

type Order = { columns: readonly Sql[]; isDescending: boolean };

function orderOf<E extends OperatorListEndpoint>(source: ListSql<E>, { sort }: QueryOf<E>): Order {
  const isDescending = sort.startsWith('-');
  const name = (isDescending ? sort.slice(1) : sort) as E['list']['sorts'][number];
  return { columns: source.sorts[name], isDescending };
}

const orderBy = ({ columns, isDescending }: Order): Sql =>
  joined(isDescending ? columns.map((column) => sql`${column} desc`) : columns, ', ');

/** The rows of a query, under the table's alias. A search reads at most `TOTAL_MAX + 1` matches. */
function rowsOf<E extends OperatorListEndpoint>(endpoint: E, source: ListSql<E>, query: QueryOf<E>): Sql {
  const { table, alias } = source;
  const matching = sql`${table} ${alias} where ${conditionsOf(endpoint, source, query)}`;
  return query.q ? sql`(select ${alias}.* from ${matching} limit ${TOTAL_MAX + 1}) ${alias}` : matching;
}

/** Reads the rows of a page. */
export function readPage<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  endpoint: E,
  source: ListSql<E>,
  query: QueryOf<E>,
): Promise<Row[]> {
  const { table, alias, key, columns, joins = sql`` } = source;
  const order = orderBy(orderOf(source, query));
  return reader.rows<Row>(sql`
    select ${columns} from ${table} ${alias} ${joins}
    where ${key} in (
      select ${key} from ${rowsOf(endpoint, source, query)}
      order by ${order} limit ${query.limit} offset ${(query.page - 1) * query.limit})
    order by ${order}`);
}

/** Counts the matching rows, at most 10,001. */
export async function countRows<E extends OperatorListEndpoint>(
  reader: Reader,
  endpoint: E,
  source: ListSql<E>,
  query: QueryOf<E>,
): Promise<number> {
  const kept = query.id ? undefined : await source.findTotal?.(reader, query);
  if (kept !== undefined) return Number(kept);
  const { count } = await reader.one<{ count: bigint }>(sql`
    select count(*) as count
    from (select from ${rowsOf(endpoint, source, query)} limit ${TOTAL_MAX + 1}) as counted`);
  return Number(count);
}

/**
 * The points of the matching rows together. Undefined if the list has none, if its total is stored for these filters,
 * or if too many rows match.
 */
export async function sumPoints<E extends OperatorListEndpoint>(
  reader: Reader,
  endpoint: E,
  source: ListSql<E>,
  query: QueryOf<E>,
): Promise<bigint | undefined> {
  const { points } = source;
  const isStored = async () => (await source.findTotal?.(reader, query)) !== undefined;
  if (points === undefined || query.id || (await isStored())) return undefined;
  const { sum } = await reader.one<{ sum: bigint | null }>(sql`
    select case when count(*) <= ${SUMMED_MAX} then coalesce(sum(points), 0)::bigint end as sum
    from (select ${points} as points from ${rowsOf(endpoint, source, query)} limit ${SUMMED_MAX + 1}) as summed`);
  return sum ?? undefined;
}

type Placed<Row> = Row & Record<string, unknown>;

/** Reads the rows behind the values of the sort, in order; the first ones without values. */
function rowReaderOf<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  endpoint: E,
  source: ListSql<E>,
  query: QueryOf<E>,
) {
  const { table, alias, columns, joins = sql`` } = source;
  const order = orderOf(source, query);
  const places = order.columns.map((_, index) => `place_${index}`);
  const placed = order.columns.map((column, index) => sql`${column} as ${sqlText(places[index] as string)}`);
  const comparison = sqlText(order.isDescending ? '<' : '>');
  const conditions = conditionsOf(endpoint, source, query);
  const readBehind = (values: readonly unknown[] | undefined, limit: number) => {
    const after = values
      ? sql`(${joined(order.columns, ', ')}) ${comparison} (${joined(
          values.map((value) => sql`${value}`),
          ', ',
        )})`
      : sql`true`;
    return reader.rows<Placed<Row>>(sql`
      select ${columns}, ${joined(placed, ', ')} from ${table} ${alias} ${joins}
      where ${conditions} and ${after} order by ${orderBy(order)} limit ${limit}`);
  };
  return { readBehind, valuesOf: (row: Placed<Row>) => places.map((place) => row[place]) };
}

/** Reads all matching rows in order, piece by piece. */
export async function* readAllRows<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  endpoint: E,
  source: ListSql<E>,
  query: QueryOf<E>,
): AsyncGenerator<Row[]> {
  const { readBehind, valuesOf } = rowReaderOf<E, Row>(reader, endpoint, source, query);
  const readAfter = (last: Placed<Row> | undefined, limit: number) =>
    readBehind(last && valuesOf(last), limit);
  yield* readInPages(readAfter, EXPORT_ROWS);
}

/** Reads a page in the contract's shape, and the number and points of the matching rows. */
export async function readList<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  list: OperatorListBinding<E, Row>,
  query: QueryOf<E>,
  operatorId: number,
): Promise<{ rows: RowOf<E>[]; total: number; points: bigint | undefined }> {
  const { endpoint } = list;
  const source = await sourceOf(list, query, operatorId);
  const [rows, total, points] = await Promise.all([
    readPage<E, Row>(reader, endpoint, source, query),
    countRows(reader, endpoint, source, query),
    sumPoints(reader, endpoint, source, query),
  ]);
  return { rows: await repliesOf(list, rows), total, points };
}

/**
 * A list of the contract with its SQL. `toReply` turns a row into the contract's shape; `toReplies` turns those of a
 * page, if they need more than the SQL selects. The SQL is made for each query
 * if a search asks other features first, or if columns depend on the operator who reads; null is the command line.
 */
export type OperatorListBinding<E extends OperatorListEndpoint, Row> = {
  endpoint: E;
  source: ListSql<E> | ((query: QueryOf<E>, operatorId: number | null) => Promise<ListSql<E>>);
} & ({ toReply: (row: Row) => RowOf<E> } | { toReplies: (rows: readonly Row[]) => Promise<RowOf<E>[]> }) &
  Pick<Options<E>, 'publishedReply'>;

const repliesOf = async <E extends OperatorListEndpoint, Row>(
  list: OperatorListBinding<E, Row>,
  rows: readonly Row[],
): Promise<RowOf<E>[]> => ('toReplies' in list ? list.toReplies(rows) : rows.map(list.toReply));

const sourceOf = async <E extends OperatorListEndpoint, Row>(
  { source }: OperatorListBinding<E, Row>,
  query: QueryOf<E>,
  operatorId: number | null,
): Promise<ListSql<E>> => (typeof source === 'function' ? source(query, operatorId) : source);

/** Reads all matching rows in the contract's shape, piece by piece. */
async function* readReplies<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  list: OperatorListBinding<E, Row>,
  source: ListSql<E>,
  query: QueryOf<E>,
): AsyncGenerator<RowOf<E>[]> {
  for await (const rows of readAllRows<E, Row>(reader, list.endpoint, source, query))
    yield await repliesOf(list, rows);
}

/** Reads a whole list for the command line, which is no operator. `query` is checked as that of a call is. */
export async function* readWholeList<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  list: OperatorListBinding<E, Row>,
  query: Record<string, string>,
): AsyncGenerator<RowOf<E>[]> {
  const checked = list.endpoint.query.parse(query) as QueryOf<E>;
  yield* readReplies(reader, list, await sourceOf(list, checked, null), checked);
}

/**
 * Reads a piece of a list for the command line, behind the row with a number. The sort must be by the number alone.
 * `query` is checked as that of a call is.
 */
export async function readListAfter<E extends OperatorListEndpoint, Row>(
  reader: Reader,
  list: OperatorListBinding<E, Row>,
  query: Record<string, string>,
  { after, limit }: { after: bigint | undefined; limit: number },
): Promise<RowOf<E>[]> {
  const checked = list.endpoint.query.parse(query) as QueryOf<E>;
  const source = await sourceOf(list, checked, null);
  const { readBehind } = rowReaderOf<E, Row>(reader, list.endpoint, source, checked);
  return repliesOf(list, await readBehind(after === undefined ? undefined : [after], limit));
}

const setTotal = (reply: FastifyReply, total: number): FastifyReply =>
  reply.header('x-total-count', total > TOTAL_MAX ? `${TOTAL_MAX}+` : String(total));

/** Binds an operator's list to its endpoint. */
export function handleOperatorList<E extends OperatorListEndpoint, Row>(
  platform: Platform,
  list: OperatorListBinding<E, Row>,
): void {
  const { database } = platform;
  const { endpoint, publishedReply } = list;
  handle(
    platform,
    endpoint,
    async ({ query, caller, reply }) => {
      const { rows, total, points } = await readList(database, list, query, caller.id);
      if (points !== undefined) reply.header('x-total-points', String(points));
      if (endpoint.list.rows === null) {
        setTotal(reply, total);
        return rows as ReplyOf<E>;
      }
      const { page, limit } = query;
      return { [endpoint.list.rows]: rows, pagination: paginationOf({ page, limit }, total) } as ReplyOf<E>;
    },
    {
      ...(publishedReply === undefined ? {} : { publishedReply }),
      exportAll: async ({ query, caller, reply }) => {
        const source = await sourceOf(list, query, caller.id);
        // Headers are sent before the rows. A list in a field has its total there, so its CSV needs no count.
        if (endpoint.list.rows === null)
          setTotal(reply, await countRows(database.patient, endpoint, source, query));
        return readReplies(database, list, source, query) as Pieces;
      },
    },
  );
}
