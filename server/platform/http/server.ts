import { randomBytes } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastifyHelmet from '@fastify/helmet';
import fastifyUnderPressure from '@fastify/under-pressure';
import Fastify, { type FastifyInstance, LogController } from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { registerProblems } from './problem.ts';

/**
 * The HTTP server with the framework's risky defaults off: no coercion and no silent removal (validation is the
 * contract's), JSON as the only body, proxies believed only by address, no message of a fault sent out, and a
 * policy of nothing on every answer that is not a document.
 */
const BODY_BYTES_MAX = 256 * 1024;

const apiPolicy = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox";
const permissions = 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()';

export async function createServer(config: Config, log: Log): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // A line per request costs almost half of the capacity; refusals and faults log themselves.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => randomBytes(9).toString('base64url'),
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: 30_000,
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, useDefaults: false } },
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 300 },
    return503OnClosing: true,
  }) as unknown as FastifyInstance;

  app.removeAllContentTypeParsers();
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, text, done) => {
    // A call without payload may send the JSON content type and nothing.
    if (text === '') done(null, undefined);
    else parseJson(request, text as string, done);
  });

  registerProblems(app, log);
  await app.register(fastifyCookie);
  await app.register(fastifyHelmet, {
    global: true,
    contentSecurityPolicy: false,
    crossOriginEmbedderPolicy: false,
    crossOriginOpenerPolicy: { policy: 'same-origin' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
    strictTransportSecurity: config.publicUrl.startsWith('https:')
      ? { maxAge: 63_072_000, includeSubDomains: true, preload: true }
      : false,
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('permissions-policy', permissions);
    if (!request.url.startsWith('/api') && !request.url.startsWith('/sandbox/')) return;
    reply.header('cache-control', 'no-store');
    reply.header('content-security-policy', apiPolicy);
  });
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: 2_000,
    maxEventLoopUtilization: 0,
    retryAfter: 5,
    exposeStatusRoute: false,
  });
  return app;
}
