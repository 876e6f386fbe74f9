import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Problem, type RefusalCode, refusals } from '#contract/refusals.ts';
import { isDatabaseOutage } from '../database.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { sampleLines } from '../sampled-log.ts';
import { forData } from './security-headers.ts';

/**
 * Sends every failure as RFC 9457 problem details. The body of a refusal names its rule. The body of any other error
 * has only the id of the request, by which the log has the details.
 */

type Fault = { path: string; message: string };

const UNKNOWN_FIELD = 'Unknown field';
const FAULTS_MAX = 20;
const PATH_LENGTH_MAX = 200;

/**
 * The first faults of a wrong shape, each with the path of its field. A body may have thousands of unknown fields with
 * long names, and the answer must not be larger than the call. `place` is the path of the checked value.
 */
export function faultsOf({ issues }: z.ZodError, place: readonly string[] = []): Fault[] {
  const faultOf = (path: readonly string[], message: string): Fault => ({
    path: path.join('.').slice(0, PATH_LENGTH_MAX),
    message,
  });
  const faults = issues.slice(0, FAULTS_MAX).flatMap((issue) => {
    const path = [...place, ...issue.path.map(String)];
    if (issue.code === 'unrecognized_keys')
      return issue.keys.slice(0, FAULTS_MAX).map((key) => faultOf([...path, key], UNKNOWN_FIELD));
    return [faultOf(path, issue.code === 'invalid_key' ? UNKNOWN_FIELD : issue.message)];
  });
  return faults.slice(0, FAULTS_MAX);
}

/** A request of a wrong shape, with the path of each fault. */
export class InvalidRequest extends Refusal {
  constructor(errors: Fault[], code: RefusalCode = 'invalid-request') {
    super(code, errors[0]?.message, { errors });
    this.name = 'InvalidRequest';
  }
}

function titleOf(code: RefusalCode): string {
  const words = code.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function problemOf(refusal: Refusal): Problem {
  return {
    type: 'about:blank',
    title: titleOf(refusal.code),
    status: refusal.status,
    detail: refusal.message,
    code: refusal.code,
    ...refusal.extensions,
  };
}

/** PostgreSQL's error codes for values that it can't store. The caller sent such a value, so the call is refused. */
const badValueCodes = new Set(['22003', '22021', '22P02', '22P05']);

/** The refusal for an error of the framework or the database; undefined for a fault of the program. */
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
    .headers(forData)
    .serializer((value: unknown) => JSON.stringify(value))
    .send(problem);
}

export function registerProblems(app: FastifyInstance, log: Log): void {
  const logRefusal = sampleLines((fields) => log.info(fields, 'refused'));
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    const refusal = refusalBehind(error);
    if (refusal !== undefined) {
      // An external service failed. The caller gets the refusal; the log gets the cause.
      if (refusal.cause !== undefined)
        log.warn({ req: request, code: refusal.code, error: refusal.cause }, 'an outside party failed');
      if (refusal.status === 403)
        logRefusal(`${refusal.code} ${request.routeOptions.url}`, () => ({
          req: request,
          code: refusal.code,
        }));
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
 * Answers 404 to URLs that the framework refuses before any hook runs: malformed ones and those with too long
 * parameters. `headers` are those of data answers.
 */
export const frameworkErrorAnswer =
  (headers: Record<string, string>) =>
  (_error: FastifyError, _request: unknown, reply: unknown): void => {
    sendNotFound((reply as FastifyReply).headers(headers));
  };

/** The answer to an API path that does not exist. */
export const sendNotFound = (reply: FastifyReply): FastifyReply =>
  send(reply, { ...problemOf(new Refusal('not-found')), title: refusals['not-found'].detail }, null);
