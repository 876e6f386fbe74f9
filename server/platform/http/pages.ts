import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { screens } from '#contract/screens.ts';
import type { Config } from '../config.ts';
import { sendNotFound } from './problem.ts';
import { ownOrigins } from './same-origin.ts';

/**
 * The web's files: hashed assets that never change, and the one document behind every screen, with a nonce and
 * a content security policy of its own per response. An unknown path answers 404 with the same document, which
 * shows the not-found page.
 */
export type PageSources = {
  /** Where the built web lies. */
  distDir: string;
  /** Origins that may stand in a frame: the enabled providers' walls. Asked for at each document. */
  frameOrigins: () => string[];
};

const NONCE = '__CSP_NONCE__';
const captchaOrigins = ['https://hcaptcha.com', 'https://*.hcaptcha.com'];

function socketOrigins(config: Config): string[] {
  return ownOrigins(config).map((origin) => origin.replace(/^http/, 'ws'));
}

/** The policy of a document. Inline style attributes are allowed on purpose: the component library sets them. */
export function documentPolicy(config: Config, nonce: string, frameOrigins: readonly string[]): string {
  const captcha = config.mode === 'live' ? captchaOrigins : [];
  const directives: Record<string, readonly string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'", `'nonce-${nonce}'`, ...captcha],
    'style-src': ["'self'", `'nonce-${nonce}'`, ...captcha],
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...socketOrigins(config), ...captcha],
    'frame-src': [...new Set([...frameOrigins, ...captcha])],
    'manifest-src': ["'self'"],
    'worker-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
  };
  return Object.entries(directives)
    .map(([name, values]) => `${name} ${values.length === 0 ? "'none'" : values.join(' ')}`)
    .join('; ');
}

const unbuilt =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Earnest</title></head><body>' +
  '<p>The web has not been built. Run <code>npm start</code>.</p></body></html>';

export async function registerPages(
  app: FastifyInstance,
  config: Config,
  sources: PageSources,
): Promise<void> {
  const indexPath = join(sources.distDir, 'index.html');
  const template = existsSync(indexPath) ? readFileSync(indexPath, 'utf8') : unbuilt;
  if (existsSync(sources.distDir))
    await app.register(fastifyStatic, {
      root: sources.distDir,
      index: false,
      wildcard: false,
      globIgnore: ['index.html', '.stamp', '.vite/**'],
      maxAge: '1y',
      immutable: true,
      cacheControl: true,
      setHeaders: (reply, path) => {
        // Only names with a hash in them may be kept for ever.
        if (!path.includes('/assets/')) reply.header('cache-control', 'public, max-age=3600');
      },
    });

  const sendDocument = (reply: FastifyReply, status: 200 | 404) => {
    const nonce = randomBytes(18).toString('base64');
    return reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Cookie')
      .header('content-security-policy', documentPolicy(config, nonce, sources.frameOrigins()))
      .send(template.replaceAll(NONCE, nonce));
  };
  for (const screen of screens) app.get(screen, (_request, reply) => sendDocument(reply, 200));
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isDocument = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api') || path.startsWith('/sandbox') || path === '/ws' || !isDocument)
      return sendNotFound(reply);
    return sendDocument(reply, 404);
  });
}
