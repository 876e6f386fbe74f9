import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Platform } from '#platform/platform.ts';
import { FLOW_S, type GoogleFlow } from './google.ts';

/**
 * Two short-lived cookies that no script reads: what a sign-in at another site must bring back to this browser, sealed;
 * and which device's fingerprint this browser told, signed, so that a registration by way of Google is looked at like
 * any other.
 */
type Keys = Pick<Platform, 'config' | 'secrets'>;

const FLOW_PURPOSE = 'google flow';
const DEVICE_COOKIE = 'device';
const DEVICE_PURPOSE = 'device of this browser';
const DEVICE_S = 24 * 3600;
const COOKIE_LENGTH_MAX = 2_000;

const isSecure = ({ config }: Pick<Platform, 'config'>): boolean => config.publicUrl.startsWith('https:');
/** On https bound to this very host: a neighbour's site could otherwise plant a flow of its own. */
const flowCookie = (platform: Keys): string => (isSecure(platform) ? '__Host-google' : 'google');

const flowShape = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  referralCode: z.string().nullable(),
  until: z.number(),
});

const flowAttributes = (platform: Keys) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(platform) }) as const;

export function setFlowCookie(platform: Keys, reply: FastifyReply, flow: GoogleFlow): void {
  const sealed = platform.secrets.seal(JSON.stringify(flow), FLOW_PURPOSE);
  reply.setCookie(flowCookie(platform), sealed, { ...flowAttributes(platform), maxAge: FLOW_S });
}

/** The flow that this browser began, which is over with this; undefined where there is none that still counts. */
export function takeFlowCookie(
  platform: Keys,
  request: FastifyRequest,
  reply: FastifyReply,
): GoogleFlow | undefined {
  const sealed = request.cookies[flowCookie(platform)];
  if (sealed === undefined) return undefined;
  reply.clearCookie(flowCookie(platform), flowAttributes(platform));
  const flow = sealed.length > COOKIE_LENGTH_MAX ? undefined : openFlow(platform, sealed);
  return flow !== undefined && flow.until > Date.now() ? flow : undefined;
}

function openFlow({ secrets }: Keys, sealed: string): GoogleFlow | undefined {
  try {
    return flowShape.parse(JSON.parse(secrets.open(sealed, FLOW_PURPOSE)));
  } catch {
    return undefined; // Whoever changed it began no flow.
  }
}

/** Remembers in this browser which fingerprint it told. */
export function setDeviceCookie(platform: Keys, reply: FastifyReply, fingerprintHash: Buffer): void {
  const hash = fingerprintHash.toString('base64url');
  reply.setCookie(DEVICE_COOKIE, `${hash}.${platform.secrets.sign(hash, DEVICE_PURPOSE)}`, {
    ...flowAttributes(platform),
    path: '/api/auth',
    maxAge: DEVICE_S,
  });
}

/** The hash of the fingerprint that this browser told, or null. */
export function readDeviceCookie({ secrets }: Keys, request: FastifyRequest): Buffer | null {
  const [hash, signature] = (request.cookies[DEVICE_COOKIE] ?? '').split('.');
  if (hash === undefined || signature === undefined) return null;
  return secrets.isSigned(hash, signature, DEVICE_PURPOSE) ? Buffer.from(hash, 'base64url') : null;
}
