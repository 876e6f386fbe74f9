import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Platform } from '#platform/platform.ts';
import { FLOW_S, type GoogleFlow } from './google.ts';

/**
 * Two short-lived cookies that scripts can't read. The flow cookie holds a started sign-in with Google, sealed. The
 * device cookie holds the hash of the browser's fingerprint, signed, so that a registration with Google passes the same
 * security check as any other.
 */
type Keys = Pick<Platform, 'config' | 'secrets'>;

const FLOW_PURPOSE = 'google flow';
const DEVICE_COOKIE = 'device';
const DEVICE_PURPOSE = 'device of this browser';
const DEVICE_S = 24 * 3600;
const COOKIE_LENGTH_MAX = 2_000;

const isSecure = ({ config }: Pick<Platform, 'config'>): boolean => config.publicUrl.startsWith('https:');
/** On https the prefix `__Host-` binds the cookie to this host, so that a sibling domain can't set it. */
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

/** Reads and clears the flow that this browser began; undefined if there is none or it expired. */
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
    return undefined; // A changed cookie is not a flow.
  }
}

/** Stores the hash of the browser's fingerprint in a signed cookie. */
export function setDeviceCookie(platform: Keys, reply: FastifyReply, fingerprintHash: Buffer): void {
  const hash = fingerprintHash.toString('base64url');
  reply.setCookie(DEVICE_COOKIE, `${hash}.${platform.secrets.sign(hash, DEVICE_PURPOSE)}`, {
    ...flowAttributes(platform),
    path: '/api/auth',
    maxAge: DEVICE_S,
  });
}

/** Reads the hash of the browser's fingerprint; null without a valid cookie. */
export function readDeviceCookie({ secrets }: Keys, request: FastifyRequest): Buffer | null {
  const [hash, signature] = (request.cookies[DEVICE_COOKIE] ?? '').split('.');
  if (hash === undefined || signature === undefined) return null;
  return secrets.isSigned(hash, signature, DEVICE_PURPOSE) ? Buffer.from(hash, 'base64url') : null;
}
