import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/**
 * The security headers of every answer. Documents get those that apply to pages; `pages.ts` adds their content policy.
 * Data answers get only those that prevent caching, sniffing, framing and running. Both sets are fixed objects, because
 * a plugin that sets the headers one by one would cost as much as the rest of a small answer.
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

/** The headers of a data answer. */
export const dataHeaders = (config: Pick<Config, 'publicUrl'>): Headers => ({
  ...forData,
  ...transportOf(config),
});

/** Whether a URL answers with data. `/api/docs` is a document. */
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
      // HTTP/1.1 keeps connections alive by default. Node's two headers for it would add 48 bytes to every answer.
      reply.raw.removeHeader('connection');
    }
    done();
  });
}
