import type { z } from 'zod';
import type { BodyInputOf, Endpoint, ReplyOf } from '#contract/endpoint.ts';
import type { Problem, RefusalCode } from '#contract/refusals.ts';
import { forgetFirstCalls, takeFirstCall } from './first-calls.ts';

/**
 * Every call from a screen to the server. A call names an endpoint of the contract and passes its parts; the reply has
 * the endpoint's type. A refusal is thrown as an `ApiError`, whose code the screens translate.
 */

type Part<Key extends string, Value> =
  Record<never, never> extends Value ? { [K in Key]?: Value } : { [K in Key]: Value };

export type CallInput<E extends Endpoint> = Part<'params', z.input<E['params']>> &
  Part<'query', z.input<E['query']>> &
  Part<'body', BodyInputOf<E>> & {
    idempotencyKey?: string;
    signal?: AbortSignal;
    /** Called with the response of a successful call, to read its headers. */
    onAnswer?: (answer: Response) => void;
  };

/** `unreachable` exists in the browser only: no complete answer arrived. */
export type FailureCode = RefusalCode | 'unreachable';

/** A failed call. The specification gives the form of the message: `{status}: {detail}`. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: FailureCode;
  readonly problem: Problem | null;
  /** The seconds after which the server may answer otherwise, if it says so. */
  readonly retryAfterS: number | null;

  constructor(
    status: number,
    code: FailureCode,
    detail: string,
    problem: Problem | null,
    retryAfterS: number | null = null,
  ) {
    super(`${status}: ${detail}`);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.problem = problem;
    this.retryAfterS = retryAfterS;
  }
}

export const isApiError = (error: unknown): error is ApiError => error instanceof ApiError;

/** The id of the failed request in the server's log, or null. */
export function requestIdOf(error: unknown): string | null {
  return isApiError(error) ? (error.problem?.requestId ?? null) : null;
}

type Parts = {
  params?: unknown;
  query?: unknown;
  body?: unknown;
  idempotencyKey?: string;
  signal?: AbortSignal;
  onAnswer?: (answer: Response) => void;
};

/** The URL of an endpoint with its parameters and query. Undefined, null and empty query values are left out. */
export function addressOf(endpoint: Endpoint, parts: Parts): string {
  const params = (parts.params ?? {}) as Record<string, string>;
  const path = endpoint.path.replace(/:([a-zA-Z]+)/g, (_, name: string) =>
    encodeURIComponent(params[name] ?? ''),
  );
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((parts.query ?? {}) as Record<string, unknown>)) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

type Observed = { endpoint: Endpoint; body: unknown; params: unknown; reply: unknown };
let observe: ((call: Observed) => void) | null = null;

/** Sets the single listener that is called after every successful call. */
export function observeCalls(listener: (call: Observed) => void): void {
  observe = listener;
}

/**
 * Calls an endpoint and returns its reply.
 *
 * @throws ApiError with the server's refusal, or with `unreachable` if no complete answer arrived.
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  ...[input]: Record<never, never> extends CallInput<E> ? [CallInput<E>?] : [CallInput<E>]
): Promise<ReplyOf<E>> {
  const parts = (input ?? {}) as Parts;
  const response = await send(endpoint, parts);
  const text = await complete(response.text(), parts.signal);
  if (!response.ok) throw failureOf(response, text);
  // Not parsed with the contract's schema, because the server already validates its replies with it.
  const reply = (response.status === 204 ? null : parse(text)) as ReplyOf<E>;
  parts.onAnswer?.(response);
  observe?.({ endpoint, body: parts.body, params: parts.params, reply });
  return reply;
}

/**
 * Calls an endpoint that answers with a file, and returns the file with the name that the server gave it.
 *
 * @throws ApiError as `call` does.
 */
export async function callForFile<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<File> {
  const parts = input as Parts;
  const response = await send(endpoint, parts);
  if (!response.ok) throw failureOf(response, await complete(response.text(), parts.signal));
  const [, name = ''] = /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  const type = response.headers.get('content-type') ?? '';
  return new File([await complete(response.blob(), parts.signal)], name, { type });
}

/** The response of a call, its body still unread. */
async function send(endpoint: Endpoint, parts: Parts): Promise<Response> {
  const headers = new Headers({ accept: 'application/json' });
  if (parts.body !== undefined) headers.set('content-type', 'application/json');
  if (parts.idempotencyKey !== undefined) headers.set('idempotency-key', parts.idempotencyKey);
  const init: RequestInit = { method: endpoint.method, headers, credentials: 'include' };
  if (parts.body !== undefined) init.body = JSON.stringify(parts.body);
  if (parts.signal !== undefined) init.signal = parts.signal;

  let response: Response;
  try {
    const address = addressOf(endpoint, parts);
    if (endpoint.method !== 'GET') forgetFirstCalls();
    const started = endpoint.method === 'GET' ? takeFirstCall(address) : undefined;
    response = await (started ?? fetch(address, init));
  } catch (cause) {
    if (parts.signal?.aborted) throw cause;
    throw noAnswer();
  }
  if (response.status === 401) forgetFirstCalls();
  return response;
}

/** The complete body. A truncated answer counts as no answer, because its result is unknown. */
async function complete<Body>(body: Promise<Body>, signal: AbortSignal | undefined): Promise<Body> {
  try {
    return await body;
  } catch (cause) {
    if (signal?.aborted) throw cause;
    throw noAnswer();
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw noAnswer();
  }
}

const noAnswer = () => new ApiError(0, 'unreachable', 'The server did not answer.', null);

function failureOf(response: Response, text: string): ApiError {
  if (response.headers.get('content-type')?.includes('json')) {
    const problem = parse(text) as Problem;
    const retryAfter = response.headers.get('retry-after');
    const retryAfterS = retryAfter === null ? null : Number(retryAfter);
    return new ApiError(response.status, problem.code, problem.detail, problem, retryAfterS);
  }
  const code: FailureCode = response.status === 503 ? 'overloaded' : 'internal';
  return new ApiError(response.status, code, text === '' ? response.statusText : text.slice(0, 300), null);
}
