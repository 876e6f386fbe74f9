import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic, { type FastifyStaticOptions } from '@fastify/static';
import type { FastifyError, FastifyInstance } from 'fastify';

/**
 * The web's files, each with its brotli and gzip form beside it from the build. Only those in `assets/`, which have a
 * hash in their names, may be kept for ever; the service worker is asked for again each time, so that no browser stays
 * with an old one.
 */
export async function registerAssets(app: FastifyInstance, distDir: string): Promise<void> {
  if (!existsSync(distDir)) return;
  // One route for the hundreds of hashed files: with one for each they cost every process 10 MB.
  await app.register(async (hashed) => {
    // A path that is refused as such (it leaves the folder, or has a dot or a slash too many) is one that is not there.
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
      // The policy of a worker is its own, whatever page started it.
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
