import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import Provider, { type Configuration, type JWK } from 'oidc-provider';
import { freePort } from './free-port.ts';

/**
 * A real OpenID provider on this machine in Google's place, with its own sign-in form, consent, keys and tokens.
 * Anybody named in `people` can sign in with any password.
 */
export type Person = {
  email?: string;
  email_verified?: boolean;
  name?: string;
  given_name?: string;
  family_name?: string;
};

export type OidcProvider = {
  issuer: string;
  people: Map<string, Person>;
  /** The settings that a site needs. */
  environment: { GOOGLE_ISSUER: string; GOOGLE_CLIENT_ID: string; GOOGLE_CLIENT_SECRET: string };
  /** Stops answering for a while and cuts connections. */
  setDown(isDown: boolean): void;
  /** The number of requests for the metadata. */
  discoveries(): number;
};

type Lifetime = { after: (callback: () => Promise<void>) => void };

const client = { id: 'earnest-test', secret: 'a secret between the site and the provider' };

export async function startOidcProvider(
  lifetime: Lifetime,
  redirectUri: string,
  options: { hasClaimsInUserInfo?: boolean } = {},
): Promise<OidcProvider> {
  const port = await freePort();
  const issuer = `http://127.0.0.1:${port}`;
  const people = new Map<string, Person>();
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const configuration: Configuration = {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [redirectUri],
        response_types: ['code'],
        grant_types: ['authorization_code'],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'given_name', 'family_name'],
    },
    // Google puts the claims into the ID token; other providers leave them to the userinfo endpoint.
    conformIdTokenClaims: options.hasClaimsInUserInfo === true,
    cookies: { keys: [randomBytes(16).toString('hex')] },
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' } as JWK] },
    pkce: { required: () => true },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
    findAccount: (_context, accountId) => ({
      accountId,
      claims: async () => ({ sub: accountId, ...people.get(accountId) }),
    }),
  };
  const answer = new Provider(issuer, configuration).callback();
  let isDown = false;
  let discoveries = 0;
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith('/.well-known/')) discoveries += 1;
    if (isDown) request.socket.destroy();
    else void answer(request, response);
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    issuer,
    people,
    environment: {
      GOOGLE_ISSUER: issuer,
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
    },
    setDown: (value) => {
      isDown = value;
    },
    discoveries: () => discoveries,
  };
}

/** The provider's cookies, kept as by a browser. */
function cookieJar() {
  const kept = new Map<string, string>();
  return {
    header: () => [...kept].map(([name, value]) => `${name}=${value}`).join('; '),
    keep: (response: Response) => {
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';');
        const at = pair.indexOf('=');
        kept.set(pair.slice(0, at), pair.slice(at + 1));
      }
    },
  };
}

/**
 * Fills in the provider's forms: signs in as `login` and agrees, or refuses at once.
 * @returns the URL to which the provider redirects the browser
 */
export async function goThroughProvider(
  location: string,
  login: string,
  choice: 'agrees' | 'turns back' = 'agrees',
): Promise<URL> {
  const { origin, searchParams } = new URL(location);
  const redirectUri = searchParams.get('redirect_uri') ?? '';
  const jar = cookieJar();
  const ask = async (url: string, form?: Record<string, string>): Promise<{ next: string; page: string }> => {
    const response = await fetch(new URL(url, origin), {
      method: form === undefined ? 'GET' : 'POST',
      redirect: 'manual',
      headers: { cookie: jar.header() },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
    jar.keep(response);
    return { next: response.headers.get('location') ?? '', page: await response.text() };
  };
  const fill = async (form: string) => {
    if (choice === 'turns back') return ask(`${form}/abort`);
    const isSignIn = (await ask(form)).page.includes('name="password"');
    return ask(form, isSignIn ? { prompt: 'login', login, password: 'any' } : { prompt: 'consent' });
  };
  let { next } = await ask(location);
  for (let steps = 0; steps < 12; steps += 1) {
    if (next.startsWith(redirectUri)) return new URL(next);
    ({ next } = await (/\/interaction\/[\w-]+$/.test(next) ? fill(next) : ask(next)));
  }
  throw new Error(`The provider led nowhere, at last to ${next}`);
}
