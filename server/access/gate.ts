import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '#platform/http/caller.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { sameText } from '#platform/secrets.ts';
import { markGatePassed } from './queries.ts';

/**
 * The operators' gate. If ADMIN_GATE_KEY is set, an operator's account signs in only from a browser in which the key
 * was entered within the last 15 minutes, by whatever call. A signed cookie records that; the server never sends the
 * key. The session stores that the gate was passed, so that nobody is cut off later. A session of a member who became
 * an operator lacks it: operators' calls refuse it until the key is entered.
 */
const PASS_S = 15 * 60;
const COOKIE = 'gate';
const PURPOSE = 'operator gate';

/** What a sign-in knows about the gate: whether a key is set, and whether this browser entered it. */
export type GateState = { isGuarded: boolean; isPassed: boolean };

export const gateStateOf = (platform: Platform, request: FastifyRequest): GateState => ({
  isGuarded: platform.config.adminGateKey !== null,
  isPassed: hasPass(platform, request),
});

function hasPass({ secrets }: Platform, request: FastifyRequest): boolean {
  const [until, signature] = (request.cookies[COOKIE] ?? '').split('.');
  if (until === undefined || signature === undefined || !/^\d{1,15}$/.test(until)) return false;
  return Number(until) > Date.now() && secrets.isSigned(until, signature, PURPOSE);
}

/** Whether the gate lets this browser sign an operator in. */
export const isOpen = ({ isGuarded, isPassed }: GateState): boolean => !isGuarded || isPassed;

/** @throws Refusal `wrong-key` */
export function requireGate(gate: GateState): void {
  if (!isOpen(gate)) throw refuse('wrong-key', 'Enter the access key first.');
}

/** Whether the caller must enter the key: for an operator's session that lacks it, or else before the sign-in. */
export function needsKey(gate: GateState, caller: Caller | undefined): boolean {
  if (!gate.isGuarded) return false;
  return caller?.role === 'admin' ? !caller.hasPassedGate : !gate.isPassed;
}

/**
 * Checks the key unless this browser entered it lately. Marks the browser and, if the caller is an operator, the
 * session.
 * @throws Refusal `wrong-key`
 */
export async function passGate(
  platform: Platform,
  {
    key,
    gate,
    caller,
    reply,
  }: { key: string; gate: GateState; caller: Caller | undefined; reply: FastifyReply },
): Promise<void> {
  const { adminGateKey, publicUrl } = platform.config;
  if (adminGateKey === null) return;
  if (!gate.isPassed) {
    if (!sameText(key, adminGateKey)) throw refuse('wrong-key');
    const until = String(Date.now() + PASS_S * 1000);
    reply.setCookie(COOKIE, `${until}.${platform.secrets.sign(until, PURPOSE)}`, {
      path: '/api/auth',
      httpOnly: true,
      // Lax, because the return from Google is a navigation from another site.
      sameSite: 'lax',
      secure: publicUrl.startsWith('https:'),
      maxAge: PASS_S,
    });
  }
  if (caller?.role !== 'admin') return;
  await markGatePassed(platform.database, caller.sessionId);
  platform.bus.announceSessionChange({ memberId: caller.id });
}
