import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMeasurable, optionalPages, screens, staticPages } from '#contract/screens.ts';
import type { Config } from '../config.ts';
import type { Platform } from '../platform.ts';
import { registerAssets } from './assets.ts';
import { registerBrandImages } from './brand-images.ts';
import { sessionCookieName } from './caller.ts';
import { encoded, encodingOf } from './content-encoding.ts';
import { documentPolicy } from './document-policy.ts';
import { type Documents, readDocuments, type SiteFacts, unbuiltDocument } from './documents.ts';
import { deviceLanguageOf, isLanguage, type Language } from './language.ts';
import { sendNotFound } from './problem.ts';
import { openToEverybody } from './route-access.ts';
import { registerSearchEngines } from './search-engines.ts';
import { documentHeaders, setDocumentHeaders } from './security-headers.ts';

/**
 * Serves all pages. The landing page and the pages of text are prerendered documents, the same for all readers and kept
 * compressed. All screens of the app share one document, which gets a new nonce for each answer. An unknown path
 * answers 404 with that document, which shows the not-found page.
 */
export type PageSources = {
  /** The folder of the built web. */
  distDir: string;
  /** The site's facts. Called for each document. */
  facts: () => Promise<Omit<SiteFacts, 'publicUrl'>>;
  /** Origins that may be framed: the enabled providers' walls. Called for each document. */
  frameOrigins: () => string[];
};

type Pages = { config: Config; documents: Documents; sources: PageSources };

const NONCE = '__CSP_NONCE__';
const varyingBy = 'Cookie, Accept-Language, Accept-Encoding';

/** The language of a request: from `?lang=`, else the device's. */
function languageOf(request: FastifyRequest): Language {
  const named = (request.query as Record<string, unknown>).lang;
  if (isLanguage(named)) return named;
  return deviceLanguageOf(request);
}

const readFacts = async ({ config, sources }: Pages): Promise<SiteFacts> => ({
  ...(await sources.facts()),
  publicUrl: config.publicUrl,
});

/** Whether analytics run: the site has a measurement id, the reader agreed, and the page is measurable. */
const isMeasured = (request: FastifyRequest, facts: SiteFacts): boolean =>
  facts.measurementId !== null &&
  request.cookies.analytics === 'granted' &&
  isMeasurable(request.url.split('?')[0] ?? '');

/** Sends a prerendered document. With `no-cache` a browser may keep it and revalidate it by its ETag. */
async function sendFinished(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  name: string,
  cacheControl: 'no-store' | 'no-cache',
): Promise<FastifyReply> {
  const { config, documents } = pages;
  const language = languageOf(request);
  const facts = await readFacts(pages);
  const encoding = encodingOf(request.headers['accept-encoding']);
  const made = documents.send(name, language, facts, encoding);
  const { bytes, etag } = made ?? unbuiltDocument;
  const policy = documentPolicy(config, {
    ...documents.hashesOf(name, language, facts),
    frames: [],
    isMeasured: isMeasured(request, facts),
  });
  reply
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-language', language)
    .header('cache-control', cacheControl)
    .header('vary', varyingBy)
    .header('content-security-policy', policy);
  if (cacheControl === 'no-cache') {
    reply.header('etag', etag);
    if (request.headers['if-none-match']?.split(/,\s*/).includes(etag)) return reply.code(304).send();
  }
  if (made !== undefined && encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply.send(bytes);
}

const isVisitor = (request: FastifyRequest, config: Config): boolean =>
  request.cookies[sessionCookieName(config.publicUrl)] === undefined;

/**
 * Sends the app's document, which search engines must not index. To somebody with a session it begins with the frame of
 * the screen.
 */
async function sendApp(
  pages: Pages,
  request: FastifyRequest,
  reply: FastifyReply,
  status: 200 | 404,
): Promise<FastifyReply> {
  const { config, documents, sources } = pages;
  const nonce = randomBytes(18).toString('base64');
  const facts = await readFacts(pages);
  const encoding = encodingOf(request.headers['accept-encoding']);
  const path = request.url.split('?')[0] ?? '/';
  const screen = isVisitor(request, config) ? undefined : documents.screen(path, languageOf(request), facts);
  const policy = documentPolicy(config, {
    scripts: [`'nonce-${nonce}'`],
    styles: [`'nonce-${nonce}'`],
    frames: sources.frameOrigins(),
    isMeasured: isMeasured(request, facts),
  });
  if (encoding !== 'identity') reply.header('content-encoding', encoding);
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('vary', varyingBy)
    .header('x-robots-tag', 'noindex')
    .header('content-security-policy', policy)
    .send(encoded((screen ?? documents.app(facts)).replaceAll(NONCE, nonce), encoding, false));
}

/** Serves the web manifest in the reader's language. */
function registerManifest(app: FastifyInstance, pages: Pages): void {
  app.get('/manifest.webmanifest', async (request, reply) => {
    const encoding = encodingOf(request.headers['accept-encoding']);
    const made = pages.documents.send('manifest', languageOf(request), await readFacts(pages), encoding);
    if (made === undefined) return sendNotFound(reply);
    if (encoding !== 'identity') reply.header('content-encoding', encoding);
    return reply
      .type('application/manifest+json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .header('etag', made.etag)
      .header('vary', varyingBy)
      .send(made.bytes);
  });
}

export async function registerPages(
  { app, config, database }: Pick<Platform, 'app' | 'config' | 'database'>,
  sources: PageSources,
): Promise<void> {
  const documents = readDocuments(sources.distDir);
  const pages: Pages = { config, documents, sources };
  await app.register(async (scope) => {
    openToEverybody(scope);
    scope.addHook('onRequest', documentHeaders(config));
    await registerAssets(scope, sources.distDir);
    registerDocuments(scope, pages);
  });
  await app.register(async (scope) => {
    openToEverybody(scope);
    registerBrandImages(scope, database);
  });
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const path = request.url.split('?')[0] ?? '/';
    const isDocument = request.method === 'GET' || request.method === 'HEAD';
    if (path.startsWith('/api') || path.startsWith('/sandbox') || path === '/ws' || !isDocument)
      return sendNotFound(reply);
    setDocumentHeaders(reply, config);
    const screen = screenWithSlash(path);
    if (screen !== undefined) return reply.redirect(screen + request.url.slice(path.length), 308);
    return sendApp(pages, request, reply, 404);
  });
}

/** The screen that an address names with a slash too many at its end. */
const screenWithSlash = (path: string): string | undefined =>
  screens.find((screen) => screen !== '/' && path === `${screen}/`);

/** The routes of all documents. */
function registerDocuments(app: FastifyInstance, pages: Pages): void {
  const { config, documents } = pages;
  registerManifest(app, pages);
  const texts = [...staticPages, ...optionalPages.filter((path) => documents.has(path.slice(1)))];
  registerSearchEngines(app, config.publicUrl, ['/', ...texts]);
  // `/` is the landing page for visitors and the app for members with a session cookie.
  app.get('/', (request, reply) => {
    return isVisitor(request, config)
      ? sendFinished(pages, request, reply, 'landing', 'no-store')
      : sendApp(pages, request, reply, 200);
  });
  for (const path of texts)
    app.get(path, (request, reply) => sendFinished(pages, request, reply, path.slice(1), 'no-cache'));
  // The service worker fetches this page while there is a network and shows it when there is none.
  app.get('/offline', (request, reply) => {
    reply.header('x-robots-tag', 'noindex');
    return sendFinished(pages, request, reply, 'offline', 'no-cache');
  });
  for (const screen of screens)
    if (screen !== '/') app.get(screen, (request, reply) => sendApp(pages, request, reply, 200));
}
