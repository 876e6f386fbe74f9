import type { FastifyInstance, FastifyReply, onRequestHookHandler } from 'fastify';
import type { Config } from '../config.ts';

/**
 * The security headers of every answer. Every answer begins with the headers of data, whatever its URL: they prevent
 * caching, sniffing, framing and running. Routes of documents replace them by `documentHeaders`; `pages.ts` adds the
 * content policy. Both sets are fixed objects, because a plugin that sets the headers one by one would cost as much as
 * the rest of a small answer.
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

/** What an answer with data has on every site. */
export const forData = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'x-content-type-options': 'nosniff',
};

const TWO_YEARS = 'max-age=63072000';
const transportSecurity: Record<Config['hstsScope'], string> = {
  host: TWO_YEARS,
  subdomains: `${TWO_YEARS}; includeSubDomains`,
  preload: `${TWO_YEARS}; includeSubDomains; preload`,
};

type Headers = Record<string, string>;
type Site = Pick<Config, 'publicUrl' | 'hstsScope'>;

const transportOf = ({ publicUrl, hstsScope }: Site): Headers =>
  publicUrl.startsWith('https:') ? { 'strict-transport-security': transportSecurity[hstsScope] } : {};

/** The headers of a data answer. */
export const dataHeaders = (config: Site): Headers => ({
  ...forData,
  ...transportOf(config),
});

/** Replaces the headers of data by those of a document. */
export function setDocumentHeaders(reply: FastifyReply, config: Site): void {
  for (const name of Object.keys(forData)) reply.removeHeader(name);
  reply.headers({ ...forDocuments, ...transportOf(config) });
}

/** The `onRequest` hook of routes that answer with documents. */
export const documentHeaders =
  (config: Site): onRequestHookHandler =>
  (_request, reply, done) => {
    setDocumentHeaders(reply, config);
    done();
  };

export function registerSecurityHeaders(app: FastifyInstance, config: Config): void {
  const data = dataHeaders(config);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(data);
    if (request.raw.httpVersion === '1.1' && reply.raw.shouldKeepAlive) {
      // HTTP/1.1 keeps connections alive by default. Node's two headers for it would add 48 bytes to every answer.
      reply.raw.removeHeader('connection');
    }
    done();
  });
}
