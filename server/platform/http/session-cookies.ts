import type { FastifyReply } from 'fastify';
import type { Platform } from '../platform.ts';
import { sessionCookieName } from './caller.ts';

/** The cookies of a session: the token, which scripts can't read, and a readable mark of the session. */
const COOKIE_S = 30 * 24 * 3600;

type Site = Pick<Platform, 'config'>;

const commonOf = ({ config }: Site) =>
  ({ path: '/', sameSite: 'lax', secure: config.publicUrl.startsWith('https:') }) as const;

/**
 * Sets the session's cookie and the readable `signedin=1`. Without the latter, the web does not fetch the current user.
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
