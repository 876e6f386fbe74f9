import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import fastifyCookie from '@fastify/cookie';
import fastifyUnderPressure from '@fastify/under-pressure';
import Fastify, {
  type FastifyInstance,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { countSources } from './admission.ts';
import { textOfBody } from './body-text.ts';
import { registerDraining } from './draining.ts';
import { readForwarded } from './forwarded-addresses.ts';
import type { Limits } from './limits.ts';
import { frameworkErrorAnswer, InvalidRequest, registerProblems } from './problem.ts';
import { dataHeaders, registerSecurityHeaders } from './security-headers.ts';

/**
 * Creates the HTTP server. It departs from the framework's defaults: the contract validates, without coercion or silent
 * removal; bodies are JSON, or CSV for an import; proxies are trusted only by address; messages of faults are
 * not sent.
 */
const BODY_BYTES_MAX = 256 * 1024;

/** The kernel asks whether a client is still there after this silence. */
const KEEP_ALIVE_AFTER_MS = 15_000;

/**
 * Calls are refused while turns of the event loop come over two seconds late on average of this time. In a second, one
 * stop of a busy machine would be the average.
 */
const LATENESS_SAMPLE_MS = 5_000;

/** How long a client may take to send a call. Node looks for late ones at an interval, which adds to each time. */
export type CallTimes = { headersMsMax: number; callMsMax: number; lookedAtEveryMs: number };

/** Headers and bodies that come too slowly end within 30 seconds. */
export const usualCallTimes: CallTimes = { headersMsMax: 15_000, callMsMax: 25_000, lookedAtEveryMs: 2_500 };

/** Makes request ids, unique across processes. A counter is cheap, and every request takes an id. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('base64url');
  let count = 0;
  return () => {
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

/** Refuses calls whose connection has gone, so that nothing knows their address. Limits and risk rules need it. */
function requireAddress(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    if (isIP(request.ip) !== 0) done();
    else done(new InvalidRequest([{ path: 'address', message: 'The connection has ended' }]));
  });
}

/**
 * Turns off Fastify's validator and serializer, which would take 5 MB of memory. `handle.ts` checks and limits shapes
 * by the contract, so no route has a schema.
 */
const noCompilers = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (value: unknown) => JSON.stringify(value),
};
export const withoutSchemas = { compilersFactory: noCompilers } as unknown as NonNullable<
  FastifyServerOptions['schemaController']
>;

export async function createServer(
  config: Config,
  log: Log,
  limits: Limits,
  { headersMsMax, callMsMax, lookedAtEveryMs }: CallTimes = usualCallTimes,
): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // A log line per request would cost almost half of the capacity. Outages and faults are logged in `problem.ts`.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    // Log lines get their request as a field, so no logger per request is needed.
    childLoggerFactory: (logger) => logger,
    trustProxy: config.trustedProxies.length === 0 ? false : config.trustedProxies,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: callMsMax,
    http: {
      headersTimeout: headersMsMax,
      connectionsCheckingInterval: lookedAtEveryMs,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_AFTER_MS,
    },
    // Without a byte in either direction, also while an answer is prepared.
    connectionTimeout: 60_000,
    keepAliveTimeout: 72_000,
    schemaController: withoutSchemas,
    routerOptions: { ignoreTrailingSlash: false, caseSensitive: true, maxParamLength: 300 },
    return503OnClosing: true,
    frameworkErrors: frameworkErrorAnswer(dataHeaders(config)),
  }) as unknown as FastifyInstance;

  app.decorateRequest('caller', undefined);
  app.decorateRequest('unreadForwarded', undefined);
  registerDraining(app);
  app.removeAllContentTypeParsers();
  const parseJson = promisify<FastifyRequest, string, unknown>(app.getDefaultJsonParser('error', 'error'));
  const readJson = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    const text = textOfBody(request, body);
    // A call without a payload may have the JSON content type and an empty body.
    return text === '' ? undefined : parseJson(request, text);
  };
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson);
  // An import may come as the file itself. The contract of every other call refuses the field.
  const readCsv = async (request: FastifyRequest, body: Buffer) => ({ csv: textOfBody(request, body) });
  app.addContentTypeParser('text/csv', { parseAs: 'buffer' }, readCsv);

  registerProblems(app, log);
  if (config.trustedProxies.length > 0) {
    readForwarded(app);
    requireAddress(app);
  }
  await app.register(fastifyCookie);
  registerSecurityHeaders(app, config);
  countSources(app, limits);
  await app.register(fastifyUnderPressure, {
    maxEventLoopDelay: 2_000,
    sampleInterval: LATENESS_SAMPLE_MS,
    maxEventLoopUtilization: 0,
    retryAfter: 5,
    exposeStatusRoute: false,
  });
  return app;
}
