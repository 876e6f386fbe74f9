import { sql } from '../database.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { uncounted } from './admission.ts';
import { isDraining } from './draining.ts';
import { type DocsPage, docsPageOf, openApiOf } from './openapi.ts';
import { documentHeaders } from './security-headers.ts';

/** Endpoints for operations: liveness, readiness and the documents of the wire contract. */

export function registerHealth(platform: Platform): void {
  const { app, database } = platform;
  app.get('/healthz', { exposeHeadRoute: true, config: uncounted }, async () => ({ status: 'ok' }));
  app.get('/readyz', { exposeHeadRoute: true, config: uncounted }, async () => {
    if (isDraining(app)) throw refuse('overloaded', 'Stopping.');
    await database.one(sql`select count(*)::integer as applied from platform.migrations`);
    return { status: 'ready' };
  });
}

export function registerDocs(platform: Platform): void {
  const { app, config, endpoints } = platform;
  const brandName = 'Earnest';
  /** Made once, at the first call. Each takes tens of milliseconds. */
  let document: string | undefined;
  let page: DocsPage | undefined;
  app.get('/api/openapi.json', async (_request, reply) => {
    document ??= JSON.stringify(openApiOf(endpoints, brandName, config.publicUrl));
    return reply.header('content-type', 'application/json; charset=utf-8').send(document);
  });
  app.get('/api/docs', { onRequest: documentHeaders(config) }, async (_request, reply) => {
    page ??= docsPageOf(endpoints, brandName);
    const policy = `default-src 'none'; style-src '${page.styleHash}'; base-uri 'none'; frame-ancestors 'none'`;
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', `${policy}; form-action 'none'`)
      .send(page.html);
  });
}
