import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import {
  type BodyOf,
  type Endpoint,
  none,
  noParams,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from '#contract/endpoint.ts';
import { type WaitingTopic, waitingTopics } from '#contract/events.ts';
import type { RefusalCode } from '#contract/refusals.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { admit, callerKey, refuseSuspended } from './admission.ts';
import type { CallerWith } from './caller.ts';
import { type Pieces, rowsIn, sendCsv } from './csv-reply.ts';
import { answerOnce, readIdempotencyKey } from './idempotency.ts';
import type { Limit } from './limits.ts';
import { countExport } from './list-exports.ts';
import { faultsOf, InvalidRequest } from './problem.ts';
import { pickerOf } from './reply-shape.ts';

/**
 * Binds an endpoint of the contract to a domain function: admits the caller, checks the input, calls the function and
 * sends its answer in the contract's shape. Admission, limits, idempotency, CSV and the shape of replies have files of
 * their own.
 */
export type Call<E extends Endpoint> = {
  params: ParamsOf<E>;
  query: QueryOf<E>;
  body: BodyOf<E>;
  /** The signed-in caller. Undefined only at public endpoints. */
  caller: CallerWith<E['access']>;
  ip: string;
  /** The value of `Idempotency-Key`; null if the endpoint takes none or the caller sent none. */
  idempotencyKey: string | null;
  request: FastifyRequest;
  reply: FastifyReply;
};

type Answer<E extends Endpoint> = (call: Call<E>) => Promise<ReplyOf<E>>;

type Keys = string | readonly string[] | null;

export type Options<E extends Endpoint> = {
  /** The schemas of body and reply for the OpenAPI document, if the feature knows more of them than the contract. */
  publishedBody?: z.ZodType;
  publishedReply?: z.ZodType;
  /** The status of a call that is answered with another than the contract's. */
  statusOf?: (call: Call<E>) => 200 | 202;
  /**
   * Limits of this endpoint, besides those on all calls. `by` gives the keys that a call counts by, or null for none.
   */
  limits?: readonly { limit: Limit; by: (call: Call<E>) => Keys | Promise<Keys> }[];
  /**
   * Reads all rows for `?format=csv` without a page, and may set headers first. Every list of the contract has one.
   */
  exportAll?: (call: Call<E>) => Pieces | Promise<Pieces>;
};

/** The refusal that a rule of the contract names. Other rules give `invalid-request`. */
const refusalOf = (issue: z.core.$ZodIssue): RefusalCode | undefined =>
  issue.code === 'custom' ? (issue.params?.refusal as RefusalCode | undefined) : undefined;

function failInput(error: z.ZodError): never {
  const [code, ...others] = new Set(error.issues.map(refusalOf));
  throw new InvalidRequest(faultsOf(error), others.length === 0 ? code : undefined);
}

function failParams(): never {
  throw refuse('not-found');
}

type Parser = (value: unknown) => unknown;

/** Most calls have no parameters and no payload: what declares none and was sent none is not parsed. */
function parserOf(schema: z.ZodType, fail: (error: z.ZodError) => never): Parser {
  const parse: Parser = (value) => {
    const { success, data, error } = schema.safeParse(value);
    return success ? data : fail(error);
  };
  if (schema === noParams) return () => ({});
  return schema === none ? (value) => (value === undefined ? undefined : parse(value)) : parse;
}

/** Makes a function that reads a request as a call of the endpoint. @throws InvalidRequest; Refusal `not-found` */
function callReader<E extends Endpoint>(endpoint: E) {
  const paramsOf = parserOf(endpoint.params, failParams);
  const queryOf = parserOf(endpoint.query, failInput);
  const bodyOf = parserOf(endpoint.body, failInput);
  return (request: FastifyRequest, reply: FastifyReply): Call<E> => ({
    params: paramsOf(request.params) as ParamsOf<E>,
    query: queryOf(request.query) as QueryOf<E>,
    body: bodyOf(request.body) as BodyOf<E>,
    // `admit` has refused calls without a caller if this access needs one.
    caller: request.caller as CallerWith<E['access']>,
    ip: request.ip,
    idempotencyKey: readIdempotencyKey(endpoint, request),
    request,
    reply,
  });
}

/**
 * Answers with JSON text that a feature wrote in the contract's shape, so that a cached answer is written once. It is
 * sent unchanged, so a test must compare it with the contract.
 */
export function writtenJson<Reply>(reply: FastifyReply, text: string): Reply {
  reply.header('content-type', 'application/json; charset=utf-8');
  return text as Reply;
}

const wantsCsv = <E extends Endpoint>({ query }: Call<E>): boolean =>
  (query as { format?: string }).format === 'csv';

function asksForPage<E extends Endpoint>({ request }: Call<E>): boolean {
  const asked = request.query as { page?: string; limit?: string };
  return asked.page !== undefined || asked.limit !== undefined;
}

/** Counts a call by its endpoint's limits, in order. @throws Refusal `rate-limited` */
async function countCall<E extends Endpoint>(
  { limits }: Platform,
  call: Call<E>,
  declared: NonNullable<Options<E>['limits']>,
): Promise<void> {
  for (const { limit, by } of declared) {
    const keys = (await by(call)) ?? [];
    for (const key of typeof keys === 'string' ? [keys] : keys) await limits.count(limit, key);
  }
}

/**
 * No HEAD for redirects: starting a sign-in with Google has side effects. No HEAD for lists and for endpoints with own
 * limits: it would run an export whose end nobody waits for.
 */
const hasHead = ({ method, status, list }: Endpoint, limits: unknown): boolean =>
  method === 'GET' && status !== 302 && list === undefined && limits === undefined;

/** The topics that other operators' screens read again after an operator's call. */
const waitingTopicsIn = (topics: Endpoint['refreshes']): WaitingTopic[] =>
  waitingTopics.filter((topic) => topics?.includes(topic));

/** What the route declares: see `route-access.ts`. */
const configOf = ({ access, whileSuspended }: Endpoint) => ({
  access,
  ...(whileSuspended === undefined ? {} : { whileSuspended }),
});

/** Binds `answer` to `endpoint`. Limits count after the check of the shape and before `answer` runs. */
export function handle<E extends Endpoint>(
  platform: Platform,
  endpoint: E,
  answer: Answer<E>,
  { limits, exportAll, statusOf, ...published }: Options<E> = {},
): void {
  assert(endpoint.access !== 'webhook', 'hooks.ts of a feature binds its webhooks');
  assert(endpoint.list === undefined || exportAll, `${endpoint.path} is a list, so it needs an export`);
  const pick = pickerOf(endpoint.reply);
  const callOf = callReader(endpoint);
  const answerKeyed = (call: Call<E>): Promise<ReplyOf<E>> => {
    const { idempotencyKey: key, reply, request } = call;
    if (key === null || request.caller === undefined) return answer(call);
    // The contract's schemas of both are objects.
    const asked = { params: call.params as object, query: call.query as object, body: call.body };
    const keyed = { endpoint, memberId: request.caller.id, key, asked, reply };
    return answerOnce(platform.database, keyed, () => answer(call));
  };
  platform.endpoints.push({ ...endpoint, ...published });
  platform.app.route({
    method: endpoint.method,
    url: endpoint.path,
    bodyLimit: endpoint.bodyBytesMax,
    exposeHeadRoute: hasHead(endpoint, limits),
    config: configOf(endpoint),
    onRequest: async (request) => {
      request.caller = await admit(platform, endpoint, request);
    },
    handler: async (request, reply) => {
      const call = callOf(request, reply);
      refuseSuspended(endpoint, request.caller);
      if (limits !== undefined) await countCall(platform, call, limits);
      const { path, list } = endpoint;
      if (list !== undefined && exportAll !== undefined && wantsCsv(call)) {
        const isWhole = !asksForPage(call);
        if (isWhole) await countExport(platform, callerKey(request.caller, request.ip), reply);
        const rows = isWhole ? await exportAll(call) : rowsIn(await answer(call), list.rows);
        return sendCsv(reply, { path, list }, rows);
      }
      const answered = await answerKeyed(call);
      if (endpoint.act !== undefined) platform.bus.announceWaiting(waitingTopicsIn(endpoint.refreshes));
      if (endpoint.status === 204) return reply.code(204).send();
      if (endpoint.status === 302) return reply.redirect(String(answered), 302);
      // A stream already has the contract's shape, like written JSON.
      const status = statusOf?.(call) ?? endpoint.status;
      return reply.code(status).send(answered instanceof Readable ? answered : pick(answered));
    },
  });
}
