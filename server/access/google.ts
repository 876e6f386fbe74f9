import type { AuthorizationCodeGrantChecks, Configuration, UserInfoResponse } from 'openid-client';
import type { GoogleError } from '#contract/access.ts';
import { storedEmail } from '#contract/email-text.ts';
import type { Config } from '#platform/config.ts';
import type { Log } from '#platform/log.ts';
import type { Platform } from '#platform/platform.ts';

/**
 * Signing in by OpenID Connect: authorization code with PKCE, state and nonce, checked by the library. The caller keeps
 * state, nonce and verifier in a sealed cookie of the browser. This file proves the identity; `google-accounts.ts`
 * finds its account.
 */

/** A started sign-in, stored in the browser's cookie until the callback. */
export type GoogleFlow = {
  state: string;
  nonce: string;
  verifier: string;
  referralCode: string | null;
  /** The time of expiry in milliseconds since the epoch. */
  until: number;
};

/** An identity from the provider. `issuer` and `subject` identify it; the other fields may change. */
export type GoogleIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  isEmailVerified: boolean;
  firstName: string;
  lastName: string | null;
};

/** A failed sign-in, with the code that the auth page shows. */
export class GoogleFailure extends Error {
  readonly code: GoogleError;
  constructor(code: GoogleError, cause?: unknown) {
    super(code, cause === undefined ? undefined : { cause });
    this.name = 'GoogleFailure';
    this.code = code;
  }
}

export type Google = {
  /** Starts a flow and returns the provider's URL for the browser. @throws GoogleFailure `google-unavailable` */
  begin(referralCode: string | null): Promise<{ location: string; flow: GoogleFlow }>;
  /**
   * Checks the provider's answer in the callback URL and reads the identity.
   * @throws GoogleFailure `google-denied`, `google-failed`, `google-unavailable`
   */
  finish(flow: GoogleFlow, callbackUrl: URL): Promise<GoogleIdentity>;
};

export const FLOW_S = 10 * 60;
const METADATA_KEPT_MS = 24 * 3600_000;
const TIMEOUT_S = 5;
const NAME_MAX = 100;
const CALLBACK_PATH = '/api/auth/google/callback';

/** Loads the library at the first sign-in, so that sites without Google save its memory. */
const library = () => import('openid-client');

export function createGoogle(
  { config, log }: Pick<Platform, 'config' | 'log'>,
  google: NonNullable<Config['google']>,
): Google {
  const { mode, publicUrl } = config;
  const provider = cachedFor(METADATA_KEPT_MS, () => discover(google, mode));
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
    async finish(flow, callbackUrl) {
      const configuration = await reachProvider();
      try {
        return await readIdentity(configuration, flow, callbackUrl);
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
    // Plain http is for a provider on the developer's machine. In live mode the library refuses it.
    execute: [oidc.enableNonRepudiationChecks, ...(isPlain ? [oidc.allowInsecureRequests] : [])],
  });
}

async function readIdentity(
  configuration: Configuration,
  flow: GoogleFlow,
  callbackUrl: URL,
): Promise<GoogleIdentity> {
  const oidc = await library();
  const checks: AuthorizationCodeGrantChecks = {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  };
  const tokens = await oidc.authorizationCodeGrant(configuration, callbackUrl, checks);
  const claims = tokens.claims();
  if (claims === undefined) throw new Error('The provider sent no ID token');
  const profile: Partial<UserInfoResponse> =
    typeof claims.email === 'string'
      ? (claims as Partial<UserInfoResponse>)
      : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
  return { issuer: claims.iss, subject: claims.sub, ...personOf(profile) };
}

const nameOf = (text: unknown): string =>
  typeof text === 'string'
    ? text
        .replace(/\p{Cc}/gu, '')
        .trim()
        .slice(0, NAME_MAX)
    : '';

/** Reads the fields of an account from a profile. It always makes a first name, because an account needs one. */
function personOf(profile: Partial<UserInfoResponse>): Omit<GoogleIdentity, 'issuer' | 'subject'> {
  const email = typeof profile.email === 'string' ? storedEmail(profile.email) : null;
  const firstName = nameOf(profile.given_name) || nameOf(profile.name) || nameOf(email?.split('@')[0]);
  const lastName = nameOf(profile.given_name) === '' ? '' : nameOf(profile.family_name);
  return {
    email,
    isEmailVerified: profile.email_verified === true,
    firstName: firstName || '-',
    lastName: lastName || null,
  };
}

/** Maps an error to its failure: consent denied, provider down, or an invalid answer. */
async function failureOf(error: unknown, log: Log): Promise<GoogleFailure> {
  const oidc = await library();
  if (error instanceof oidc.AuthorizationResponseError && error.error === 'access_denied')
    return new GoogleFailure('google-denied', error);
  const { code, message } = error as { code?: string; message?: string };
  log.info({ code, reason: message }, 'a sign-in by the provider was refused');
  const isOutage = code === 'OAUTH_TIMEOUT' || code === 'OAUTH_REQUEST_FAILED' || error instanceof TypeError;
  return new GoogleFailure(isOutage ? 'google-unavailable' : 'google-failed', error);
}

/** Caches the result of `read` for a time. A failure is not cached. */
function cachedFor<T>(keptMs: number, read: () => Promise<T>): () => Promise<T> {
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
