import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import fastifyCookie from '@fastify/cookie';
import fastifyUnderPressure from '@fastify/under-pressure';
import Fastify, { type FastifyInstance, type FastifyServerOptions, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { registerDraining } from './draining.ts';
import { frameworkErrorAnswer, InvalidRequest, registerProblems } from './problem.ts';
import { dataHeaders, registerSecurityHeaders } from './security-headers.ts';

/**
 * The HTTP server with the framework's risky defaults off: no coercion and no silent removal (validation is the
 * contract's), JSON as the only body, proxies believed only by address, no message of a fault sent out, and a
 * policy of nothing on every answer that is not a document.
 */
const BODY_BYTES_MAX = 256 * 1024;

/** Ids of requests: unique among all processes, and cheap, because every request takes one. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

/**
 * A trusted proxy that says no address leaves nothing to limit, judge or store a call by. Refusing it at the door says
 * so at once, instead of a fault wherever the address is needed.
 */
function requireAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isIP(request.ip) !== 0) done();
    else done(new InvalidRequest([{ path: 'X-Forwarded-For', message: 'Must end in an IP address' }]));
  });
}

/**
 * Turns off Fastify's own validator and serializer, which would take 5 MB of memory. `handle.ts` checks and limits
 * shapes by the contract, so that no route declares a schema of its own.
 */
const noCompilers = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
};
export const withoutSchemas = { compilersFactory: noCompilers } as unknown as NonNullable<
  FastifyServerOptions['schemaController']
>;

export async function createServer(config: Config, log: Log): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // A line per request costs almost half of the capacity; refusals and faults log themselves.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    // Log lines name their request themselves; a logger for each would be made for nothing.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    schemaController: withoutSchemas,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 300 },
    return503OnClosing: true,
    frameworkErrors: frameworkErrorAnswer(dataHeaders(config)),
  }) as unknown as FastifyInstance;

  app.decorateRequest('caller', undefined);
  registerDraining(app);
  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // A call without payload may send the JSON content type and nothing.
    if (text === '') done(null, undefined);
    else parseJson(request, text as string, done);
  });

  registerProblems(app, log);
  if (config.trustedProxies.length > 0) requireAddress(app);
  await app.register(fastifyCookie);
  registerSecurityHeaders(app, config);
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: 2_000,
    maxEventLoopUtilization: 0,
    retryAfter: 5,
    exposeStatusRoute: false,
  });
  return app;
}
