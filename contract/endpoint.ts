import { z } from 'zod';
import type { Act } from './acts.ts';
import type { Topic } from './events.ts';
import type { RefusalCode } from './refusals.ts';

/**
 * An endpoint is declared once, as a value. The server binds it to a domain function, the web calls it, and the OpenAPI
 * document is generated from it, so the three agree.
 *
 * `access` is the kind of caller: anyone (`public`), a signed-in member, an operator, or a provider's server
 * (`webhook`, which is signed and exempt from the same-origin rule).
 */
export type Access = 'public' | 'member' | 'operator' | 'webhook';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A list that is also sent as CSV. */
export type List = {
  /** The reply's field with the rows; null if the reply is the array of rows. */
  rows: string | null;
  /** The fields of a row that are columns of the CSV, in their order. */
  columns: readonly string[];
};

export type Endpoint<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
  Who extends Access = Access,
> = {
  method: Method;
  /** Path with parameters as `:name`. */
  path: string;
  summary: string;
  access: Who;
  /** Path parameters. A malformed value answers 404, because no such object can exist. */
  params: Params;
  query: Query;
  /** `none` for a call without a payload, which accepts no body or `{}`. */
  body: Body;
  /** The largest body in bytes. 64 KiB unless declared. */
  bodyBytesMax: number;
  /** 302 for a call that a browser navigates to. Its reply is the location. */
  status: 200 | 201 | 202 | 204 | 302;
  reply: Reply;
  /**
   * Refusals besides those of every call with this access. With `earnings-suspended` or `withdrawals-suspended` a
   * member's endpoint is closed to callers under that suspension.
   */
  refusals: readonly RefusalCode[];
  /** Accepts the `Idempotency-Key` header. */
  idempotent?: true;
  /** Set on a list that takes `?format=csv`. */
  list?: List;
  /** Mail programs call it: without cookies and from no page, so the same-origin rule does not hold for it. */
  fromAnywhere?: true;
  /** Open to fully suspended callers. Without it an endpoint that needs a session is closed to them. */
  whileSuspended?: true;
  /**
   * Accepts a session that was read up to a second ago, because the endpoint's own statement checks suspensions under
   * the wallet's lock. All other calls that change something read their session from the database.
   */
  acceptsCachedSession?: true;
  /** The topic of the answer. The web reads it again after calls that refresh the topic. */
  topic?: Topic;
  /** The topics that a call changes for its caller. The web reads their answers again after it. */
  refreshes?: readonly Topic[];
  /** The act that an operator's call leaves in the audit trail, once for each thing that it changes. */
  act?: Act;
};

export const none = z.strictObject({}).optional();
export const nothing = z.null();
export const noParams = z.object({});

type Declaration<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
  W extends Access,
> = Pick<Endpoint<P, Q, B, R, W>, 'method' | 'path' | 'summary' | 'access' | 'reply'> &
  Partial<
    Pick<
      Endpoint<P, Q, B, R, W>,
      | 'params'
      | 'query'
      | 'body'
      | 'bodyBytesMax'
      | 'status'
      | 'refusals'
      | 'idempotent'
      | 'list'
      | 'whileSuspended'
      | 'fromAnywhere'
      | 'acceptsCachedSession'
      | 'topic'
      | 'refreshes'
      | 'act'
    >
  >;

/** Declares an endpoint. The defaults are: no parameters, no payload, 64 KiB, status 200, no own refusals. */
export function endpoint<
  P extends z.ZodType = typeof noParams,
  Q extends z.ZodType = typeof noParams,
  B extends z.ZodType = typeof none,
  R extends z.ZodType = typeof nothing,
  W extends Access = Access,
>(declaration: Declaration<P, Q, B, R, W>): Endpoint<P, Q, B, R, W> {
  return {
    params: noParams as unknown as P,
    query: noParams as unknown as Q,
    body: none as unknown as B,
    bodyBytesMax: 64 * 1024,
    status: 200,
    refusals: [],
    ...declaration,
  };
}

export type ParamsOf<E extends Endpoint> = z.output<E['params']>;
export type QueryOf<E extends Endpoint> = z.output<E['query']>;
export type BodyOf<E extends Endpoint> = z.output<E['body']>;
export type BodyInputOf<E extends Endpoint> = z.input<E['body']>;
export type ReplyOf<E extends Endpoint> = z.output<E['reply']>;
