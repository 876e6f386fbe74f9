import type { FastifyInstance, FastifyReply } from 'fastify';
import { LOGO_NAME, LOGO_PATH } from '#contract/brand.ts';
import { grounds } from '#contract/brand-colors.ts';
import type { BrandColors } from '#contract/brand-styles.ts';
import type { Database } from '../database.ts';
import { findLogo } from '../logos.ts';
import { sendNotFound } from './problem.ts';

/**
 * Serves the images of the brand: the operator's logo, and the site's mark in the operator's colour. Each URL names its
 * content, so browsers keep it for a year. The answers have the headers of data: nothing in them can run.
 */
const types: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const FOREVER = 'public, max-age=31536000, immutable';
const MARK_NAME = /^mark-([0-9A-F]{6})-([0-9A-F]{6})\.svg$/;
/** The newest logos in memory, because every page shows one. */
const KEPT_MAX = 4;

/** The mark's URL in these colours. */
export const markUrlOf = (tokens: NonNullable<BrandColors['light']>): string => {
  const [cover = '', ticks = ''] = [tokens.cover, tokens['on-cover-2']].map((color) => color?.slice(1));
  return `${LOGO_PATH}mark-${cover}-${ticks}.svg`;
};

const markOf = (cover: string, ticks: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>e</title>` +
  `<circle cx="16" cy="16" r="15" fill="#${cover}"/>` +
  `<circle cx="16" cy="16" r="12.2" fill="none" stroke="#${ticks}" stroke-width="1.1" ` +
  `stroke-dasharray="1 1.737" opacity=".75"/>` +
  `<path d="M10.4 16.3H21.6A5.75 5.75 0 1 0 19.9 20.4" fill="none" stroke="${grounds.light.onCover}" ` +
  `stroke-width="2.7" stroke-linecap="round"/></svg>`;

const send = (reply: FastifyReply, type: string, body: Buffer | string) =>
  reply.header('content-type', type).header('cache-control', FOREVER).send(body);

export function registerBrandImages(app: FastifyInstance, database: Database): void {
  const known = new Map<string, Buffer>();
  app.get(`${LOGO_PATH}:name`, async (request, reply) => {
    const { name } = request.params as { name: string };
    const [, cover, ticks] = MARK_NAME.exec(name) ?? [];
    if (cover !== undefined && ticks !== undefined) return send(reply, 'image/svg+xml', markOf(cover, ticks));
    const [, type = ''] = LOGO_NAME.exec(name) ?? [];
    const mediaType = types[type];
    if (mediaType === undefined) return sendNotFound(reply);
    const bytes = known.get(name) ?? (await findLogo(database, name));
    if (bytes === undefined) return sendNotFound(reply);
    known.delete(name);
    known.set(name, bytes);
    for (const oldest of [...known.keys()].slice(0, -KEPT_MAX)) known.delete(oldest);
    return send(reply, mediaType, bytes);
  });
}
