import { z } from 'zod';
import { type Endpoint, endpoint, type List, type none, type noParams } from './endpoint.ts';
import type { Topic } from './events.ts';
import { givenDay, memberId, optionalText, pagination, wholeNumber } from './fields.ts';

/**
 * An operator's list is declared once: columns, sorts, filters and searched fields. The declaration makes the query's
 * schema. The server builds SQL from it (`platform/http/operator-list.ts`), and the web a table with filters. `list`
 * holds plain values without schemas, because the web loads it.
 */

/**
 * The values of a filter: one of the choices, a registered id or a member's (the server has the list), points, hours, a
 * site day, or a text as it is stored.
 */
export type Filter =
  | { kind: 'choice'; choices: readonly string[] }
  | { kind: 'id' }
  | { kind: 'points' }
  | { kind: 'hours' }
  | { kind: 'member' }
  | { kind: 'day' }
  | { kind: 'text' };
export type Filters = Readonly<Record<string, Filter>>;

export type OperatorList<F extends Filters = Filters, S extends string = string> = List & {
  /** The sorts of the rows. A minus in front sorts descending. */
  sorts: readonly S[];
  defaultSort: S | `-${S}`;
  filters: F;
  /** The fields that `q` searches. */
  searches: readonly string[];
};

type FilterValue<One extends Filter> = One extends { kind: 'choice'; choices: readonly (infer Choice)[] }
  ? Choice
  : One extends { kind: 'hours' }
    ? number
    : string;

/** The parsed query of a list. Points are decimal text. */
export type ListQuery<F extends Filters = Filters, S extends string = string> = {
  page: number;
  limit: number;
  /** The id of one row. */
  id?: string | undefined;
  q?: string | undefined;
  sort: S | `-${S}`;
  format: 'json' | 'csv';
} & { [Name in keyof F]?: FilterValue<F[Name]> | undefined };

type ReplyWith<Row extends z.ZodObject, Rows extends string | null> = Rows extends string
  ? z.ZodObject<{ [Field in Rows]: z.ZodArray<Row> } & { pagination: typeof pagination }>
  : z.ZodArray<Row>;

export type OperatorListEndpoint<
  F extends Filters = Filters,
  S extends string = string,
  Reply extends z.ZodType = z.ZodType,
> = Endpoint<typeof noParams, z.ZodType<ListQuery<F, S>>, typeof none, Reply, 'operator'> & {
  list: OperatorList<F, S>;
};

type Declaration<Row extends z.ZodObject, F extends Filters, S extends string, Rows extends string | null> = {
  path: string;
  summary: string;
  topic?: Topic;
  row: Row;
  /** The shape whose fields are the columns of the CSV. Without it they are the row's fields. */
  csvRow?: z.ZodObject;
  sorts: readonly [S, ...S[]];
  defaultSort: S | `-${S}`;
  filters: F;
  searches: readonly string[];
  /** The reply's field of rows. Without it the reply is the array, and the total is the header `X-Total-Count`. */
  rows?: Rows;
};

const HOURS_MAX = 100_000;

function filterSchemaOf(filter: Filter): z.ZodType {
  if (filter.kind === 'choice') return z.enum(filter.choices as [string, ...string[]]);
  if (filter.kind === 'id') return z.string().regex(/^[a-z][a-z0-9-]{1,39}$/, 'Must be an id in lower case');
  if (filter.kind === 'hours') return wholeNumber(HOURS_MAX);
  if (filter.kind === 'member') return memberId;
  if (filter.kind === 'day') return givenDay;
  if (filter.kind === 'text') return optionalText(254);
  return z.string().regex(/^(0|[1-9]\d{0,14})$/, 'Must be whole points');
}

function queryOf(filters: Filters, sorts: readonly string[], defaultSort: string): z.ZodType {
  const directions = sorts.flatMap((sort) => [sort, `-${sort}`]) as [string, ...string[]];
  const message = `Must be ${sorts.join(' or ')}, with or without a minus`;
  return z.object({
    page: wholeNumber(999_999_999).default(1),
    limit: wholeNumber(100).default(20),
    id: optionalText(64).optional(),
    q: optionalText(254).optional(),
    sort: z.enum(directions, message).default(defaultSort),
    format: z.enum(['json', 'csv']).default('json'),
    ...Object.fromEntries(
      Object.entries(filters).map(([name, filter]) => [name, filterSchemaOf(filter).optional()]),
    ),
  });
}

/** Declares an operator's list as a GET endpoint. */
export function operatorList<
  Row extends z.ZodObject,
  const F extends Filters,
  const S extends string,
  const Rows extends string | null = null,
>({
  path,
  summary,
  topic,
  row,
  csvRow = row,
  rows,
  ...shape
}: Declaration<Row, F, S, Rows>): OperatorListEndpoint<F, S, ReplyWith<Row, Rows>> {
  const list = { ...shape, rows: rows ?? null, columns: Object.keys(csvRow.shape) };
  const reply = list.rows === null ? z.array(row) : z.object({ [list.rows]: z.array(row), pagination });
  const declared = endpoint({
    method: 'GET',
    path,
    summary,
    access: 'operator',
    ...(topic === undefined ? {} : { topic }),
    query: queryOf(shape.filters, shape.sorts, shape.defaultSort) as z.ZodType<ListQuery<F, S>>,
    reply,
  });
  return { ...declared, reply: reply as unknown as ReplyWith<Row, Rows>, list };
}
