import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/**
 * The headers that every answer carries. A document gets all that tell a browser what it may do with a page; its own
 * content policy is set where documents are made. Any other answer is data, and gets only what keeps it from being
 * kept, guessed, framed or run. Both sets are fixed objects: set one by one by a plugin, the headers would cost as much
 * as the rest of a small answer.
 */
const forDocuments = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

const forData = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

const twoYears = { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' };

type Headers = Record<string, string>;

const transportOf = ({ publicUrl }: Pick<Config, 'publicUrl'>): Headers =>
  publicUrl.startsWith('https:') ? twoYears : {};

/** The headers of an answer that is no document. */
export const dataHeaders = (config: Pick<Config, 'publicUrl'>): Headers => ({
  ...forData,
  ...transportOf(config),
});

/** Addresses that answer with data. The page for people under `/api` is a document. */
const isData = (url: string): boolean =>
  (url.startsWith('/api') && !url.startsWith('/api/docs')) ||
  url.startsWith('/sandbox/') ||
  url === '/healthz' ||
  url === '/readyz';

export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  const documents: Headers = { ...forDocuments, ...transportOf(config) };
  const data = dataHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(isData(request.url) ? data : documents);
    if (request.raw.httpVersion === '1.1' && reply.raw.shouldKeepAlive) {
      // HTTP/1.1 keeps a connection by default: Node's two headers that say so are 48 bytes of every answer.
      reply.raw.removeHeader('connection');
    }
    done();
  });
}
