import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { sameText } from '#platform/secrets.ts';

/**
 * The gate before the operators' sign-in form. If ADMIN_GATE_KEY is set, signing in there needs a browser in which the
 * key was entered within the last 15 minutes. A signed cookie records that; the server never sends the key.
 */
const PASS_S = 15 * 60;
const COOKIE = 'gate';
const PURPOSE = 'operator gate';

export function hasPassedGate({ config, secrets }: Platform, request: FastifyRequest): boolean {
  if (config.adminGateKey === null) return true;
  const [until, signature] = (request.cookies[COOKIE] ?? '').split('.');
  if (until === undefined || signature === undefined || !/^\d{1,15}$/.test(until)) return false;
  return Number(until) > Date.now() && secrets.isSigned(until, signature, PURPOSE);
}

/** @throws Refusal `wrong-key` */
export function requireGate(platform: Platform, request: FastifyRequest): void {
  if (!hasPassedGate(platform, request)) throw refuse('wrong-key');
}

/** @throws Refusal `wrong-key` */
export async function passGate(
  { config, secrets }: Platform,
  key: string,
  reply: FastifyReply,
): Promise<void> {
  if (config.adminGateKey === null) return;
  if (!sameText(key, config.adminGateKey)) throw refuse('wrong-key');
  const until = String(Date.now() + PASS_S * 1000);
  reply.setCookie(COOKIE, `${until}.${secrets.sign(until, PURPOSE)}`, {
    path: '/api/auth/admin',
    httpOnly: true,
    sameSite: 'strict',
    secure: config.publicUrl.startsWith('https:'),
    maxAge: PASS_S,
  });
}
