import { z } from 'zod';
import type { Topic } from './events.ts';
import type { RefusalCode } from './refusals.ts';

/**
 * An endpoint is declared once, as a value. The server binds it to a domain function, the web calls it, and the
 * OpenAPI document is generated from it, so the three can't disagree.
 *
 * `access` says who may call: anyone (`public`), a signed-in member, an operator, or a provider's server
 * (`webhook`, which carries its own signature and is exempt from the same-origin rule).
 */
export type Access = 'public' | 'member' | 'operator' | 'webhook';
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Where a list's rows are in the reply: in this field, or null where the reply is the array of rows. */
export type List = { rows: string | null };

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
  /** Path parameters. A value that does not fit answers 404, because no such thing can exist. */
  params: Params;
  query: Query;
  /** `none` for a call without payload: it takes no body or `{}`. */
  body: Body;
  /** 302 for a call that a browser navigates to: its reply is where to go. */
  status: 200 | 201 | 202 | 204 | 302;
  reply: Reply;
  /** Refusals beyond those that every call of its access may give. */
  refusals: readonly RefusalCode[];
  /** Accepts the `Idempotency-Key` header. */
  idempotent?: true;
  /** Set on a list that takes `?format=csv`. */
  list?: List;
  /** May be called by a member whose account is fully suspended. */
  whileSuspended?: true;
  /**
   * Accepts a session that was read up to a second ago, because the endpoint's own statement checks suspensions under
   * the lock that guards the money. Every other call that changes something reads its session from the database.
   */
  acceptsCachedSession?: true;
  /** What the answer tells of. It is read again when that has changed. */
  topic?: Topic;
  /** What a call changes for its caller, so that every answer of these topics is read again after it. */
  refreshes?: readonly Topic[];
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
      | 'status'
      | 'refusals'
      | 'idempotent'
      | 'list'
      | 'whileSuspended'
      | 'acceptsCachedSession'
      | 'topic'
      | 'refreshes'
    >
  >;

/** Declares an endpoint; what is left out is: no parameters, no payload, 200, no refusal of its own. */
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
