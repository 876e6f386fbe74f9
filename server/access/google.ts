import type { AuthorizationCodeGrantChecks, Configuration, UserInfoResponse } from 'openid-client';
import type { GoogleError } from '#contract/access.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';

/**
 * Signing in by OpenID Connect: authorization code with PKCE, state and nonce, checked by the library. What must
 * come back to the same browser (state, nonce, verifier) is kept by the caller, sealed in a cookie. Who somebody
 * is to us is decided in `google-accounts.ts`; here it is only made sure that the provider says so.
 */

/** What a flow that this browser began must bring back, and what it carries for afterwards. */
export type GoogleFlow = {
  state: string;
  nonce: string;
  verifier: string;
  referralCode: string | null;
  /** Milliseconds since the epoch after which nothing comes of it. */
  until: number;
};

/** What the provider says about somebody. `issuer` and `subject` name them; the rest may change. */
export type GoogleIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  firstName: string;
  lastName: string | null;
};

/** Why a flow ended without somebody signed in, as the auth page says it. */
export class GoogleFailure extends Error {
  readonly code: GoogleError;
  constructor(code: GoogleError, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'GoogleFailure';
    this.code = code;
  }
}

export type Google = {
  /** Where the browser goes, and what it must bring back. @throws GoogleFailure `google-unavailable` */
  begin(referralCode: string | null): Promise<{ location: string; flow: GoogleFlow }>;
  /**
   * Reads the answer that stands in the address which the browser came back to.
   * @throws GoogleFailure `google-denied`, `google-failed`, `google-unavailable`
   */
  finish(flow: GoogleFlow, cameTo: URL): Promise<GoogleIdentity>;
};

export const FLOW_S = 10 * 60;
const METADATA_KEPT_MS = 24 * 3600_000;
const TIMEOUT_S = 8;
const NAME_MAX = 100;
export const CALLBACK_PATH = '/api/auth/google/callback';

/** The library is loaded by the first sign-in: a site without Google, or before anybody uses it, pays nothing. */
const library = () => import('openid-client');

export function createGoogle(
  google: NonNullable<Config['google']>,
  { mode, publicUrl }: Pick<Config, 'mode' | 'publicUrl'>,
  log: Log,
): Google {
  const provider = keptFor(METADATA_KEPT_MS, () => discover(google, mode));
  const reachProvider = async () => {
    try {
      return await provider();
    } catch (error) {
      log.warn({ error }, 'the sign-in provider does not answer');
      throw new GoogleFailure('google-unavailable', error);
    }
  };
  return {
    async begin(referralCode) {
      const oidc = await library();
      const flow: GoogleFlow = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        verifier: oidc.randomPKCECodeVerifier(),
        referralCode,
        until: Date.now() + FLOW_S * 1000,
      };
      const location = oidc.buildAuthorizationUrl(await reachProvider(), {
        redirect_uri: `${publicUrl}${CALLBACK_PATH}`,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(flow.verifier),
        code_challenge_method: 'S256',
        state: flow.state,
        nonce: flow.nonce,
      });
      return { location: location.href, flow };
    },
    async finish(flow, cameTo) {
      const configuration = await reachProvider();
      try {
        return await readIdentity(configuration, flow, cameTo);
      } catch (error) {
        throw await failureOf(error, log);
      }
    },
  };
}

async function discover(
  { issuer, clientId, clientSecret }: NonNullable<Config['google']>,
  mode: Config['mode'],
): Promise<Configuration> {
  const oidc = await library();
  const isPlain = mode === 'sandbox' && issuer.startsWith('http:');
  return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
    timeout: TIMEOUT_S,
    // Plain http is for a provider on the developer's own machine; in live mode the library refuses it.
    execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
  });
}

async function readIdentity(
  configuration: Configuration,
  flow: GoogleFlow,
  cameTo: URL,
): Promise<GoogleIdentity> {
  const oidc = await library();
  const checks: AuthorizationCodeGrantChecks = {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  };
  const tokens = await oidc.authorizationCodeGrant(configuration, cameTo, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider sent no ID token');
  const profile: Partial<UserInfoResponse> =
    typeof claims.email === 'string'
      ? (claims as Partial<UserInfoResponse>)
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { issuer: claims.iss, subject: claims.sub, ...personOf(profile) };
}

const nameOf = (text: unknown): string =>
  typeof text === 'string' ? text.replaceAll('\u0000', '').trim().slice(0, NAME_MAX) : '';

/** The parts of a profile that an account needs; a name is always found, because every account has one. */
function personOf(profile: Partial<UserInfoResponse>): Omit<GoogleIdentity, 'issuer' | 'subject'> {
  const email = typeof profile.email === 'string' ? profile.email.trim().toLowerCase() : null;
  const firstName = nameOf(profile.given_name) || nameOf(profile.name) || nameOf(email?.split('@')[0]);
  const lastName = nameOf(profile.given_name) === '' ? '' : nameOf(profile.family_name);
  return {
    email,
    isEmailVerified: profile.email_verified === true,
    firstName: firstName || '-',
    lastName: lastName || null,
  };
}

/** Where somebody said no, or where the answer was not one to this browser's question. */
async function failureOf(error: unknown, log: Log): Promise<GoogleFailure> {
  const oidc = await library();
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
    return new GoogleFailure('google-denied', error);
  const { code, message } = error as { code?: string; message?: string };
  log.info({ code, reason: message }, 'a sign-in by the provider was refused');
  const isOutage = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_REQUEST_FAILED' || error instanceof TypeError;
  return new GoogleFailure(isOutage ? 'google-unavailable' : 'google-failed', error);
}

/** Does something dear once and keeps what came of it for a while; what failed is tried again. */
function keptFor<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let kept: { until: number; value: Promise<T> } | undefined;
  return () => {
    if (kept !== undefined && kept.until > performance.now()) return kept.value;
    const value = read();
    kept = { until: performance.now() + keptMs, value };
    value.catch(() => {
      kept = undefined;
    });
    return value;
  };
}
