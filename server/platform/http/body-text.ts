import { isUtf8 } from 'node:buffer';
import type { FastifyRequest } from 'fastify';
import { refuse } from '../refusal.ts';

const CHARSET = /;\s*charset\s*=\s*"?([^";\s]+)/i;
const UTF8 = /^utf-?8$/i;
const NAME_LENGTH_MAX = 40;

/**
 * The text of a body. Another encoding that is decoded as UTF-8 would store replacement characters for what somebody
 * wrote.
 * @throws Refusal `not-utf8` if the body says another charset or has bytes that are not UTF-8
 */
export function textOfBody({ headers }: Pick<FastifyRequest, 'headers'>, body: Buffer): string {
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1];
  if (charset !== undefined && !UTF8.test(charset))
    throw refuse('not-utf8', `The request must be in UTF-8, not ${charset.slice(0, NAME_LENGTH_MAX)}.`);
  if (!isUtf8(body)) throw refuse('not-utf8');
  return body.toString('utf8');
}
