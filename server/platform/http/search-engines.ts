import type { FastifyInstance } from 'fastify';

/**
 * Serves `robots.txt` and the sitemap: the public pages, each in its languages. The rules list allowed paths only, so
 * that they do not reveal the operators' paths.
 */
export function registerSearchEngines(
  app: FastifyInstance,
  publicUrl: string,
  paths: readonly string[],
): void {
  const robots = [
    'User-agent: *',
    'Allow: /$',
    'Allow: /?lang=',
    'Allow: /assets/',
    'Allow: /icons/',
    'Allow: /icon.svg',
    'Allow: /brand/',
    'Allow: /manifest.webmanifest',
    ...paths.filter((path) => path !== '/').map((path) => `Allow: ${path}`),
    'Disallow: /',
    '',
    `Sitemap: ${publicUrl}/sitemap.xml`,
    '',
  ].join('\n');
  const sitemap = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">',
    ...paths.flatMap((path) => [`${publicUrl}${path}`, `${publicUrl}${path}?lang=ko`].map(urlEntry)),
    '</urlset>',
    '',
  ].join('\n');
  const anHour = 'public, max-age=3600';
  app.get('/robots.txt', (_request, reply) =>
    reply.type('text/plain; charset=utf-8').header('cache-control', anHour).send(robots),
  );
  app.get('/sitemap.xml', (_request, reply) =>
    reply.type('application/xml; charset=utf-8').header('cache-control', anHour).send(sitemap),
  );
}

/** One sitemap entry with its languages. English is the default. */
function urlEntry(url: string): string {
  const english = url.replace('?lang=ko', '');
  const links = [
    ['en', english],
    ['ko', `${english}?lang=ko`],
    ['x-default', english],
  ].map(([language, href]) => `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`);
  return `<url><loc>${url}</loc>${links.join('')}</url>`;
}
