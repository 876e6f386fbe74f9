import { existsSync } from 'node:fs';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

/**
 * The web's files, each with its brotli and gzip form beside it from the build. Only names with a hash in them may be
 * kept for ever; the service worker is asked for again each time, so that no browser stays with an old one.
 */
export async function registerAssets(app: FastifyInstance, distDir: string): Promise<void> {
  if (!existsSync(distDir)) return;
  await app.register(fastifyStatic, {
    root: distDir,
    index: false,
    wildcard: false,
    preCompressed: true,
    globIgnore: ['*.html', '.stamp', '.vite/**', 'documents/**', '**/*.br', '**/*.gz'],
    maxAge: '1y',
    immutable: true,
    setHeaders: (reply, path) => {
      if (path.includes('/assets/')) return;
      const isWorker = /\/sw\.js(\.br|\.gz)?$/.test(path);
      reply.header('cache-control', isWorker ? 'no-cache' : 'public, max-age=3600');
      // The policy of a worker is its own, whatever page started it.
      if (isWorker)
        reply.header(
          'content-security-policy',
          "default-src 'none'; connect-src 'self'; script-src 'self'; base-uri 'none'",
        );
    },
  });
}
