import { setTimeout as sleep } from 'node:timers/promises';
import { readHealth } from '#contract/health.ts';
import { isDatabaseOutage, sql, sqlState } from '../database.ts';
import { migrationNames } from '../database-migrations.ts';
import type { Trouble } from '../health.ts';
import type { Platform } from '../platform.ts';
import { refuse } from '../refusal.ts';
import { uncounted } from './admission.ts';
import { isDraining } from './draining.ts';
import { handle } from './handle.ts';
import { type DocsPage, docsPageOf, openApiOf } from './openapi.ts';
import { forEverybody } from './route-access.ts';
import { documentHeaders } from './security-headers.ts';

/** Endpoints for operations: liveness, readiness and the documents of the wire contract. */

/** Less than the 2 seconds in which `/readyz` answers. */
const MIGRATIONS_READ_MS_MAX = 1_500;
const UNDEFINED_TABLE = '42P01';

/**
 * `/readyz` fails only while this node can't serve. What is degraded stands in its body alone: one dead lease must not
 * take every node out of the load balancer. What an operator stopped by choice stands apart from it, as `stops`.
 */
export function registerHealth(platform: Platform): void {
  const { app, database, health } = platform;
  const isMigrated = watchMigrations(platform);
  const open = { exposeHeadRoute: true, config: { ...uncounted, ...forEverybody } };
  app.get('/healthz', open, async () => ({ status: 'ok' }));
  app.get('/readyz', open, async () => {
    const namesOf = (parts: readonly Trouble[]) => parts.map(({ name }) => name);
    const told = { degraded: namesOf(health.troubles()), stops: namesOf(health.stops()) };
    if (isDraining(app)) throw refuse('overloaded', 'Stopping.', told);
    if (database.isSilent()) throw refuse('overloaded', 'The database does not answer.', told);
    if (!(await isMigrated())) throw refuse('overloaded', 'Migrations are missing.', told);
    return { status: 'ready', ...told };
  });
  const partsOf = (parts: readonly Trouble[]) =>
    parts.map(({ since, ...part }) => ({ ...part, since: since.toISOString() }));
  handle(platform, readHealth, async () => ({
    troubles: partsOf(health.troubles()),
    stops: partsOf(health.stops()),
  }));
}

/**
 * Makes a function that tells whether every migration of this release is applied. It waits 1.5 seconds at most: while
 * all connections are busy, the last finding stands.
 */
function watchMigrations({ database }: Pick<Platform, 'database'>): () => Promise<boolean> {
  const expected = migrationNames();
  let isComplete = true;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      const rows = await database.rows<{ name: string }>(sql`select name from platform.migrations`);
      const applied = new Set(rows.map(({ name }) => name));
      isComplete = expected.every((name) => applied.has(name));
    } catch (error) {
      if (sqlState(error) === UNDEFINED_TABLE) isComplete = false;
      // Whether the database is there is the probe's finding. A restart of a second takes no node out.
      else if (!isDatabaseOutage(error)) throw error;
    }
  };
  return async () => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await Promise.race([reading, sleep(MIGRATIONS_READ_MS_MAX, undefined, { ref: false })]);
    return isComplete;
  };
}

export function registerDocs(platform: Platform): void {
  const { app, config, endpoints, settings } = platform;
  /** Made at the first call with a name of the site. Each takes tens of milliseconds. */
  let document: { name: string; text: string } | undefined;
  let page: (DocsPage & { name: string }) | undefined;
  const readName = async () => (await settings.readForPage()).brand.name;
  app.get('/api/openapi.json', { config: forEverybody }, async (_request, reply) => {
    const name = await readName();
    if (document?.name !== name)
      document = { name, text: JSON.stringify(openApiOf(endpoints, name, config.publicUrl)) };
    return reply.header('content-type', 'application/json; charset=utf-8').send(document.text);
  });
  app.get(
    '/api/docs',
    { onRequest: documentHeaders(config), config: forEverybody },
    async (_request, reply) => {
      const name = await readName();
      if (page?.name !== name) page = { name, ...docsPageOf(endpoints, name) };
      const policy = `default-src 'none'; style-src '${page.styleHash}'; base-uri 'none'; frame-ancestors 'none'`;
      return reply
        .header('content-type', 'text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        .header('content-security-policy', `${policy}; form-action 'none'`)
        .send(page.html);
    },
  );
}
