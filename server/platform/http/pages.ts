import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { screens } from '#contract/screens.ts';
import type { Config } from '../config.ts';
import { sessionCookieName } from './handle.ts';
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
  brand: { name: string; supportEmail: string };
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

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The language that a visitor chose here before, else the one the browser asks for first. */
function languageOf(request: FastifyRequest): 'en' | 'ko' {
  const chosen = request.cookies.language;
  if (chosen === 'en' || chosen === 'ko') return chosen;
  return request.headers['accept-language']?.trim().toLowerCase().startsWith('ko') ? 'ko' : 'en';
}

type Documents = { app: string; landing: { en: string; ko: string } };

function readDocuments({ distDir, brand }: PageSources): Documents {
  const read = (name: string) => {
    const path = join(distDir, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : unbuilt;
  };
  const landing = (language: 'en' | 'ko') =>
    read(`landing.${language}.html`)
      .replaceAll('__BRAND_NAME__', () => escaped(brand.name))
      .replaceAll('__SUPPORT_EMAIL__', () => escaped(brand.supportEmail));
  return { app: read('index.html'), landing: { en: landing('en'), ko: landing('ko') } };
}

async function registerAssets(app: FastifyInstance, distDir: string): Promise<void> {
  if (!existsSync(distDir)) return;
  await app.register(fastifyStatic, {
    root: distDir,
    index: false,
    wildcard: false,
    globIgnore: ['*.html', '.stamp', '.vite/**'],
    maxAge: '1y',
    immutable: true,
    setHeaders: (reply, path) => {
      // Only names with a hash in them may be kept for ever.
      if (!path.includes('/assets/')) reply.header('cache-control', 'public, max-age=3600');
    },
  });
}

export async function registerPages(
  app: FastifyInstance,
  config: Config,
  sources: PageSources,
): Promise<void> {
  const documents = readDocuments(sources);
  await registerAssets(app, sources.distDir);
  const sendDocument = (reply: FastifyReply, status: 200 | 404, template: string) => {
    const nonce = randomBytes(18).toString('base64');
    return reply
      .code(status)
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('vary', 'Cookie, Accept-Language')
      .header('content-security-policy', documentPolicy(config, nonce, sources.frameOrigins()))
      .send(template.replaceAll(NONCE, nonce));
  };
  // The front page is finished HTML for a visitor and the app for whoever has a session.
  app.get('/', (request, reply) => {
    const isVisitor = request.cookies[sessionCookieName(config.publicUrl)] === undefined;
    return sendDocument(reply, 200, isVisitor ? documents.landing[languageOf(request)] : documents.app);
  });
  for (const screen of screens)
    if (screen !== '/') app.get(screen, (_request, reply) => sendDocument(reply, 200, documents.app));
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isDocument = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api') || path.startsWith('/sandbox') || path === '/ws' || !isDocument)
      return sendNotFound(reply);
    return sendDocument(reply, 404, documents.app);
  });
}
