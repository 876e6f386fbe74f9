import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Problem, type RefusalCode, refusals } from '#contract/refusals.ts';
import { isDatabaseOutage } from '../database.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';

/**
 * Every failure leaves as RFC 9457 problem details, and this is the only place that makes them. A refusal says
 * its rule; anything else is a fault and says nothing but the id under which the log holds it.
 */

/** A request whose shape is wrong, with the place of each fault. */
export class InvalidRequest extends Refusal {
  constructor(errors: { path: string; message: string }[], code: RefusalCode = 'invalid-request') {
    super(code, errors[0]?.message, { errors });
    this.name = 'InvalidRequest';
  }
}

function titleOf(code: RefusalCode): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

export function problemOf(refusal: Refusal): Problem {
  return {
    type: 'about:blank',
    title: titleOf(refusal.code),
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    ...refusal.extensions,
  };
}

/** PostgreSQL's own words for values it can't hold: what the caller sent, so not a fault of ours. */
const badValueCodes = new Set(['22003', '22021', '22P02', '22P05']);

/** The refusal behind an error of the framework or the database, or undefined where our own assumption broke. */
function refusalBehind(error: FastifyError): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error.code === 'FST_UNDER_PRESSURE') return new Refusal('overloaded', undefined, {}, 5);
  if (error.code !== undefined && badValueCodes.has(error.code)) return new Refusal('invalid-request');
  if (error.statusCode === 413) return new Refusal('too-large');
  if (error.statusCode === 415) return new Refusal('unsupported-media-type');
  if (error.statusCode === 404) return new Refusal('not-found');
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500)
    return new Refusal('invalid-request');
  return undefined;
}

function send(reply: FastifyReply, problem: Problem, retryAfterS: number | null): FastifyReply {
  if (retryAfterS !== null) reply.header('retry-after', String(retryAfterS));
  return reply
    .code(problem.status)
    .header('content-type', 'application/problem+json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(problem);
}

export function registerProblems(app: FastifyInstance, log: Log): void {
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalBehind(error);
    if (refusal !== undefined) {
      // Somebody else failed: the caller hears a refusal, the operator why.
      if (refusal.cause !== undefined)
        log.warn({ req: request, code: refusal.code, error: refusal.cause }, 'an outside party failed');
      if (refusal.status === 403) log.info({ req: request, code: refusal.code }, 'refused');
      return send(reply, problemOf(refusal), refusal.retryAfterS);
    }
    if (isDatabaseOutage(error)) {
      log.error({ req: request, error }, 'the database does not answer');
      const overloaded = new Refusal('overloaded');
      return send(reply, problemOf(overloaded), overloaded.retryAfterS);
    }
    log.error({ req: request, error }, 'fault');
    return send(reply, { ...problemOf(new Refusal('internal')), requestId: request.id }, null);
  });
}

/**
 * Answers what the framework refuses before any hook runs: addresses that it can't read or whose parts are too long.
 * Nothing is there. `headers` are those of every answer that is no document.
 */
export const frameworkErrorAnswer =
  (headers: Record<string, string>) =>
  (_error: FastifyError, _request: unknown, reply: unknown): void => {
    sendNotFound((reply as FastifyReply).headers(headers));
  };

/** The answer to an API path that does not exist. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  send(reply, { ...problemOf(new Refusal('not-found')), title: refusals['not-found'].detail }, null);
