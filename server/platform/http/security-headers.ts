import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/**
 * The headers by which a browser is told to trust nothing that an answer does not say itself. They are the same for
 * every answer, so they are two fixed records: set one by one by a plugin they cost as much as the rest of a small
 * answer. What a document may do is its own policy, set where documents are made.
 */
const everywhere = {
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** For answers that are no documents: nothing in them may be run, framed or kept. */
const forApi = {
  ...everywhere,
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'; sandbox",
};

const twoYears = { 'strict-transport-security': 'max-age=63072000; includeSubDomains; preload' };

export function registerSecurityHeaders(app: FastifyInstance, { publicUrl }: Config): void {
  const transport = publicUrl.startsWith('https:') ? twoYears : {};
  const pageHeaders = { ...everywhere, ...transport };
  const apiHeaders = { ...forApi, ...transport };
  app.addHook('onRequest', (request, reply, done) => {
    const isApi = request.url.startsWith('/api') || request.url.startsWith('/sandbox/');
    reply.headers(isApi ? apiHeaders : pageHeaders);
    done();
  });
}
