import type { FastifyReply } from 'fastify';
import type { Platform } from '../platform.ts';
import { sessionCookieName } from './caller.ts';

/** The cookies of a session: the token, which no script reads, and a readable mark that there is one. */
const COOKIE_S = 30 * 24 * 3600;

type Site = Pick<Platform, 'config'>;

const commonOf = ({ config }: Site) =>
  ({ path: '/', sameSite: 'lax', secure: config.publicUrl.startsWith('https:') }) as const;

/**
 * Sets the session's cookie and, beside it, the readable `signedin=1`, by which the web knows whether to ask
 * for the current user at all.
 */
export function setSessionCookies(platform: Site, reply: FastifyReply, token: string): void {
  const common = { ...commonOf(platform), maxAge: COOKIE_S };
  reply.setCookie(sessionCookieName(platform.config.publicUrl), token, { ...common, httpOnly: true });
  reply.setCookie('signedin', '1', common);
}

export function clearSessionCookies(platform: Site, reply: FastifyReply): void {
  const common = commonOf(platform);
  reply.clearCookie(sessionCookieName(platform.config.publicUrl), { ...common, httpOnly: true });
  reply.clearCookie('signedin', common);
}
