import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { BodyOf, Endpoint, ParamsOf, QueryOf, ReplyOf } from '#contract/endpoint.ts';
import type { ServerEvent } from '#contract/events.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { asCsv, csvLines } from './csv.ts';
import { answerOnce } from './idempotency.ts';
import { InvalidRequest } from './problem.ts';
import { isCrossSite } from './same-origin.ts';

/**
 * Binds an endpoint of the contract to a domain function. Access, limits, the same-origin rule, validation of
 * what comes in, the shape of what goes out, idempotency and the news that follow a commit are all settled
 * here, once, so that a route is a sentence.
 */

/** Who calls, as the session says. */
export type Caller = {
  id: number;
  role: 'user' | 'admin' | 'banned';
  sessionId: string;
  /** Fully suspended: may see who they are and why, and nothing else. */
  isSuspended: boolean;
};

/** Finds the caller behind a session token. The members feature provides it; the platform knows no members. */
export type Authenticate = (token: string, freshness: 'cached' | 'fresh') => Promise<Caller | undefined>;

export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The signed-in caller. Only `public` endpoints may be called without one: reading it there is a fault. */
  readonly caller: Caller;
  ip: string;
  /** The value of `Idempotency-Key`, where the endpoint takes one and the caller sent it. */
  idempotencyKey: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
  /** News to deliver to a member's sockets on every node. Call it after the commit. */
  announce(memberId: number, event: ServerEvent): void;
  /** The exact number behind an operator's list, for `X-Total-Count`. */
  total(count: number | string): void;
};

const EXPORT_ROWS_MAX = 10_000;

type Pieces = AsyncIterable<readonly Record<string, unknown>[]>;
type Export<E extends Endpoint> = (call: Call<E>) => Pieces;

export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-sid' : 'sid';

/** The JSON Schema of a reply, in the form that Fastify's serializer compiles: fields not in it never leave. */
export function replySchemaOf(reply: z.ZodType): Record<string, unknown> {
  const schema = z.toJSONSchema(reply, {
    target: 'draft-7',
    io: 'output',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // `anyOf [X, null]` is serialised by trying each; a list of types says the same and is compiled to one test.
      const options = jsonSchema.anyOf;
      if (options?.length !== 2) return;
      const [value, last] = options;
      if (typeof value !== 'object' || typeof last !== 'object' || last.type !== 'null') return;
      if (typeof value.type !== 'string' || value.type === 'object' || value.type === 'array') return;
      delete jsonSchema.anyOf;
      Object.assign(jsonSchema, value, { type: [value.type, 'null'] });
    },
  }) as Record<string, unknown>;
  delete schema.$schema;
  return schema;
}

const placeOf = (issue: z.core.$ZodIssue): string => issue.path.map(String).join('.');

/** The refusal that a rule of the contract names for itself; other rules make an `invalid-request`. */
const refusalOf = (issue: z.core.$ZodIssue): RefusalCode | undefined =>
  issue.code === 'custom' ? (issue.params?.refusal as RefusalCode | undefined) : undefined;

function parse<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const [code, ...others] = new Set(issues.map(refusalOf));
  throw new InvalidRequest(
    issues.map((issue) => ({ path: placeOf(issue), message: issue.message })),
    others.length === 0 ? code : undefined,
  );
}

async function admit(
  platform: Platform,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<Caller | undefined> {
  if (endpoint.access === 'webhook') return undefined;
  if (endpoint.method !== 'GET' && isCrossSite(request.headers, platform.config)) throw refuse('cross-site');
  const token = request.cookies[sessionCookieName(platform.config.publicUrl)];
  const mayBeKept = endpoint.method === 'GET' || endpoint.judgesCaller === true;
  const freshness = endpoint.access !== 'operator' && mayBeKept ? 'cached' : 'fresh';
  const caller = token === undefined ? undefined : await platform.authenticate(token, freshness);
  await platform.limits.countCall(caller === undefined ? request.ip : `member:${caller.id}`);
  if (endpoint.access === 'public') return caller;
  if (caller === undefined) throw refuse('unauthenticated');
  if (endpoint.access === 'operator' && caller.role !== 'admin') throw refuse('forbidden');
  return caller;
}

function readIdempotencyKey(endpoint: Endpoint, request: FastifyRequest): string | null {
  if (endpoint.idempotent !== true) return null;
  const key = request.headers['idempotency-key'];
  if (key === undefined) return null;
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    throw new InvalidRequest([
      { path: 'Idempotency-Key', message: 'Must be 1 to 255 visible ASCII characters' },
    ]);
  return key;
}

type Answer<E extends Endpoint> = (call: Call<E>) => Promise<ReplyOf<E>>;

const readNobody = (): never => {
  throw new Error('An endpoint that anybody may call read its caller without looking whether there is one');
};
/**
 * The caller where there is none. It is one object for all calls: a getter on each call would give each a
 * hidden class of its own, which keeps the whole request alive until the next full collection.
 */
const nobody: Caller = Object.defineProperties(
  {} as Caller,
  Object.fromEntries(['id', 'role', 'sessionId', 'isSuspended'].map((name) => [name, { get: readNobody }])),
);

function callOf<E extends Endpoint>(
  platform: Platform,
  endpoint: E,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const params = endpoint.params.safeParse(request.params);
  if (!params.success) throw refuse('not-found');
  const call: Call<E> = {
    params: params.data as ParamsOf<E>,
    query: parse(endpoint.query, request.query) as QueryOf<E>,
    body: parse(endpoint.body, request.body) as BodyOf<E>,
    caller: (request as FastifyRequest & { caller?: Caller }).caller ?? nobody,
    ip: request.ip,
    idempotencyKey: readIdempotencyKey(endpoint, request),
    request,
    reply,
    announce: (memberId, event) => platform.bus.announce({ memberId, event }),
    total: (count) => {
      reply.header('x-total-count', typeof count === 'number' && count > 10_000 ? '10000+' : String(count));
    },
  };
  return call;
}

/** The caller of a public endpoint, where there is one. */
export const callerOf = (request: FastifyRequest): Caller | undefined =>
  (request as FastifyRequest & { caller?: Caller }).caller;

/**
 * An answer that the database wrote as JSON text in the contract's shape, for the few reads where making objects and
 * writing them again would cost as much as the call. It is sent as it is, so a test must hold it to the contract.
 */
export function writtenJson<Reply>(reply: FastifyReply, text: string): Reply {
  reply.header('content-type', 'application/json; charset=utf-8');
  return text as Reply;
}

/** A list as CSV: its rows, or what reads all of them piece by piece, for a list without bound. */
function sendCsv(
  reply: FastifyReply,
  endpoint: Endpoint,
  rows: readonly Record<string, unknown>[] | Pieces,
): FastifyReply {
  const name = endpoint.path.split('/').at(-1) ?? 'export';
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .serializer((text: unknown) => String(text))
    .send(
      Symbol.asyncIterator in rows
        ? Readable.from(linesOf(rows, columnsOf(endpoint.reply)))
        : asCsv(rows, columnsOf(endpoint.reply)),
    );
}

async function* linesOf(pieces: Pieces, columns: string[]): AsyncGenerator<string> {
  yield asCsv([], columns);
  for await (const rows of pieces) yield csvLines(rows, columns);
}

/** The fields of a list's rows, as the contract names them: what is not in it never leaves, here as in JSON. */
function columnsOf(reply: z.ZodType): string[] {
  if (reply instanceof z.ZodArray) return columnsOf(reply.element as z.ZodType);
  if (!(reply instanceof z.ZodObject)) return [];
  const list = Object.values(reply.shape).find((field) => field instanceof z.ZodArray);
  return list === undefined || !('pagination' in reply.shape) ? Object.keys(reply.shape) : columnsOf(list);
}

const wantsCsv = <E extends Endpoint>(call: Call<E>): boolean =>
  (call.query as { format?: string }).format === 'csv';

function asksForPage<E extends Endpoint>(call: Call<E>): boolean {
  const asked = call.request.query as { page?: string; limit?: string };
  return asked.page !== undefined || asked.limit !== undefined;
}

const EXPORT_PAGE_ROWS = 100;

/** Every row of a list, page by page, up to a bound; the page that was asked for, where one was. */
async function readAllRows<E extends Endpoint>(
  call: Call<E>,
  answer: Answer<E>,
): Promise<Record<string, unknown>[]> {
  if (asksForPage(call)) return rowsOf(await answer(call));
  const rows: Record<string, unknown>[] = [];
  for (let page = 1; rows.length < EXPORT_ROWS_MAX; page += 1) {
    call.query = { ...(call.query as object), page, limit: EXPORT_PAGE_ROWS } as QueryOf<E>;
    const more = rowsOf(await answer(call));
    rows.push(...more);
    if (more.length < EXPORT_PAGE_ROWS) break;
  }
  return rows;
}

const rowsOf = (answer: unknown): Record<string, unknown>[] =>
  (Array.isArray(answer)
    ? answer
    : ((answer as { data?: unknown[]; withdrawals?: unknown[] }).data ??
      (answer as { withdrawals?: unknown[] }).withdrawals ??
      [])) as Record<string, unknown>[];

/** After the shape, which is judged first for everybody. Public calls are open to the suspended too. */
function refuseSuspended(endpoint: Endpoint, caller: Caller): void {
  const isOpen = endpoint.access === 'public' || endpoint.whileSuspended === true;
  if (!isOpen && caller.isSuspended) throw refuse('account-suspended');
}

const hasBody = ({ status }: Endpoint): boolean => status !== 204 && status !== 302;

/** Binds `answer` to `endpoint`. `exportAll` reads what `?format=csv` gives where no page is asked for. */
export function handle<E extends Endpoint>(
  platform: Platform,
  endpoint: E,
  answer: Answer<E>,
  exportAll?: Export<E>,
): void {
  platform.endpoints.push(endpoint);
  platform.app.route({
    method: endpoint.method,
    url: endpoint.path,
    // HEAD must change nothing, and a way through another site does.
    exposeHeadRoute: endpoint.access !== 'webhook' && endpoint.method === 'GET' && endpoint.status !== 302,
    schema: hasBody(endpoint) ? { response: { [endpoint.status]: replySchemaOf(endpoint.reply) } } : {},
    onRequest: async (request) => {
      const caller = await admit(platform, endpoint, request);
      if (caller !== undefined) (request as FastifyRequest & { caller?: Caller }).caller = caller;
    },
    handler: async (request, reply) => {
      const call = callOf(platform, endpoint, request, reply);
      refuseSuspended(endpoint, call.caller);
      if (wantsCsv(call)) {
        const isWhole = exportAll !== undefined && !asksForPage(call);
        return sendCsv(reply, endpoint, isWhole ? exportAll(call) : await readAllRows(call, answer));
      }
      const answered =
        call.idempotencyKey === null
          ? await answer(call)
          : await answerOnce(platform.database, endpoint, call, call.idempotencyKey, () => answer(call));
      if (endpoint.status === 204) return reply.code(204).send();
      if (endpoint.status === 302) return reply.redirect(String(answered), 302);
      return reply.code(endpoint.status).send(answered);
    },
  });
}
