import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyError, FastifyInstance } from 'fastify';

/**
 * Serves the web's files. The build put a brotli and a gzip form beside each. Files in `assets/` have a hash in their
 * names and are cached for a year. The service worker is revalidated each time, so that browsers get a new one.
 */
export async function registerAssets(app: FastifyInstance, distDir: string): Promise<void> {
  if (!existsSync(distDir)) return;
  // One route for all hashed files. A route per file would take 10 MB of memory.
  await app.register(async (hashed) => {
    // A path that the plugin refuses (outside the folder, a dotfile, double slashes) answers 404 like a missing file.
    hashed.setErrorHandler((error: FastifyError, _request, reply) => {
      if (error.statusCode !== 400 && error.statusCode !== 403) throw error;
      reply.callNotFound();
    });
    await hashed.register(fastifyStatic, {
      ...shared,
      root: join(distDir, 'assets'),
      prefix: '/assets/',
      maxAge: '1y',
      immutable: true,
      allowedPath: (path) => !/\.(br|gz)$/.test(path),
    });
  });
  await app.register(fastifyStatic, {
    ...shared,
    root: distDir,
    wildcard: false,
    globIgnore: ['*.html', '.stamp', '.vite/**', 'assets/**', 'documents/**', '**/*.br', '**/*.gz'],
    setHeaders: (reply, path) => {
      const isWorker = /\/sw\.js(\.br|\.gz)?$/.test(path);
      reply.header('cache-control', isWorker ? 'no-cache' : 'public, max-age=3600');
      // A worker has a policy of its own, independent of the page that starts it.
      if (isWorker)
        reply.header(
          'content-security-policy',
          "default-src 'none'; connect-src 'self'; script-src 'self'; base-uri 'none'",
        );
    },
  });
}

const shared = {
  index: false,
  preCompressed: true,
  decorateReply: false,
} satisfies Partial<FastifyStaticOptions>;
