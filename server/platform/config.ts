import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { liveFaults } from './live-faults.ts';
import { isCallable, liveRateSources, namedRateSources } from './rate-source.ts';
import { readOrMakeSecret } from './secret-files.ts';

/**
 * The environment, read once. All faults are reported together, one line each, so that an operator can correct them
 * in one go. An invalid value stops the start; it is never replaced by a default.
 */

/**
 * hCaptcha's published test pair. It accepts its test token from anybody, so it is for the sandbox only; live mode
 * refuses it.
 */
export const captchaTestPair = {
  sitekey: '10000000-ffff-ffff-ffff-000000000001',
  secret: '0x0000000000000000000000000000000000000000',
} as const;

const flag = z.string().trim().min(1).optional();
const partsOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
const list = z.string().default('').transform(partsOf);
const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be a port number'));
const timezone = z.string().refine((value) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: value }) !== null;
  } catch {
    return false;
  }
}, 'must be an IANA time zone such as Asia/Seoul');
const url = (protocols: RegExp) => z.url({ protocol: protocols, message: 'must be a URL' });
const rateSource = z.union(
  [z.enum(namedRateSources), url(/^https?$/).refine(isCallable)],
  'must be coingecko, kraken or a URL without user and password',
);
const network = z.enum(['main', 'test', 'regtest']).default('main');

/** Whether a text is an address, or a name with one in angle brackets. A line break would begin another header. */
const isSender = (value: string): boolean =>
  !/\p{Cc}/u.test(value) && z.email().safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success;

const hstsScopes = ['host', 'subdomains', 'preload'] as const;

const environment = z.object({
  /** `sandbox` needs no account anywhere; `live` refuses test values and never loads the sandbox. */
  MODE: z.enum(['sandbox', 'live'], 'must be sandbox or live').default('sandbox'),
  /** The address to listen on. A container needs `0.0.0.0`. */
  HOST: z.string().default('127.0.0.1'),
  PORT: port.default(3000),
  /** The port of `/metrics`. Without it there are none. */
  METRICS_PORT: port.optional(),
  /** The address of `/metrics`. They say what the wallets hold, so the default is this machine alone. */
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** The port of the simulated walls. */
  SANDBOX_PORT: port.optional(),
  /** The site's origin, as browsers see it. Live mode needs https. */
  PUBLIC_URL: url(/^https?$/).optional(),
  /** The folder of the embedded PostgreSQL and of generated secrets. */
  DATA_DIR: z.string().default('./data'),
  /** An own PostgreSQL, with the application's role. Without it the embedded one is used. */
  DATABASE_URL: url(/^postgres(ql)?$/).optional(),
  /** The same database with the owner, which migrates. */
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/).optional(),
  /** Redis or Valkey; several nodes need it. */
  REDIS_URL: url(/^rediss?$/).optional(),
  /** 32 or more random bytes in base64. They seal stored credentials. `rotate-secret` changes them. */
  APP_SECRET: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length >= 32, 'must be 32 or more random bytes in base64')
    .optional(),
  /**
   * A second secret that is accepted while the first is changed: before the change the next one, after it the former
   * one. `npm run admin -- rotate-secret` says when it can go.
   */
  APP_SECRET_FORMER: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length >= 32, 'must be 32 or more random bytes in base64')
    .optional(),
  /** The first operator. Later starts do not read these two. */
  ADMIN_EMAIL: z.email('must be an e-mail address').optional(),
  ADMIN_PASSWORD: z.string().min(6, 'must have at least 6 characters').optional(),
  /** Decides when a site day begins. */
  SITE_TIMEZONE: timezone.default('Asia/Seoul'),
  /** The networks whose addresses are accepted. */
  LITECOIN_NETWORK: network,
  DASH_NETWORK: network,
  /** The hosts of coin nodes that operators may set. Without them no node can be set. */
  RPC_ALLOWED_HOSTS: list.refine(
    (hosts) => hosts.every((host) => isIP(host) !== 0 || /^[a-z0-9][a-z0-9._-]*$/i.test(host)),
    'must be names or addresses of hosts, separated by commas, without ports; each must be named',
  ),
  /**
   * Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are believed; `none` without a proxy. Live mode asks for an
   * answer, because a wrong one makes all members one source, or lets each choose their own.
   */
  TRUSTED_PROXIES: z
    .string()
    .transform((value) => (value === 'none' ? [] : partsOf(value)))
    .refine(
      (parts) => parts.every((part) => isIP(part) !== 0 || ipaddr.isValidCIDR(part)),
      'must be none, or addresses or CIDR ranges, separated by commas',
    )
    .optional(),
  /**
   * The sources of exchange rates: `coingecko`, `kraken`, or a URL of simple-price JSON. Without rates nothing can be
   * approved. Where both are set, a rate is believed if they agree.
   */
  RATE_SOURCE_URL: rateSource.optional(),
  RATE_SOURCE_URL_2: rateSource.optional(),
  /** The age from which a rate is not used. */
  RATE_MAX_AGE_S: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be seconds')
    .default('600')
    .transform(Number),
  /** The captcha of the registration. */
  HCAPTCHA_SITEKEY: flag,
  HCAPTCHA_SECRET: flag,
  HCAPTCHA_VERIFY_URL: url(/^https?$/).optional(),
  /** Signing in with Google. It is off without the client id and secret. */
  GOOGLE_ISSUER: url(/^https?$/).default('https://accounts.google.com'),
  GOOGLE_CLIENT_ID: flag,
  GOOGLE_CLIENT_SECRET: flag,
  /** `smtp://` or `smtps://`, with user and password. */
  SMTP_URL: url(/^smtps?$/).optional(),
  /** The sender. Without it, no-reply at the host of `PUBLIC_URL`. */
  MAIL_FROM: z
    .string()
    .refine(isSender, 'must be an address, or a name with an address in angle brackets, in one line')
    .optional(),
  /** Twilio Verify sends the codes for phones. */
  TWILIO_ACCOUNT_SID: flag,
  TWILIO_AUTH_TOKEN: flag,
  TWILIO_VERIFY_SERVICE_SID: flag,
  /** Google Analytics for visitors who agree. It is off without it. */
  ANALYTICS_MEASUREMENT_ID: flag,
  /** A key that opens the operators' sign-in. Without it the form is open to everybody. */
  ADMIN_GATE_KEY: flag,
  /**
   * What browsers may open by https alone, for two years: this `host`, its `subdomains` too, or these on the browsers'
   * own list (`preload`). It can't be taken back soon, so only the host is the default.
   */
  HSTS_SCOPE: z.enum(hstsScopes, 'must be host, subdomains or preload').default('host'),
  /** Multiplies the limits that may be scaled in this mode. */
  LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be a number')
    .transform(Number)
    .optional(),
});

export type Config = {
  mode: 'sandbox' | 'live';
  host: string;
  port: number;
  metricsPort: number | null;
  metricsHost: string;
  sandboxPort: number;
  /** The site's origin, without a slash at the end. */
  publicUrl: string;
  dataDir: string;
  databaseUrl: string | null;
  databaseOwnerUrl: string | null;
  redisUrl: string | null;
  appSecret: Buffer;
  appSecretFormer: Buffer | null;
  adminEmail: string | null;
  adminPassword: string | null;
  siteTimezone: string;
  litecoinNetwork: 'main' | 'test' | 'regtest';
  dashNetwork: 'main' | 'test' | 'regtest';
  rpcAllowedHosts: string[];
  /** The time limit of a call to a coin node, where it is not the usual one. */
  rpcTimeoutMs?: number;
  trustedProxies: string[];
  /** `coingecko`, `kraken` or a URL. */
  rateSourceUrl: string | null;
  rateSourceUrl2: string | null;
  rateMaxAgeS: number;
  hcaptcha: { sitekey: string; secret: string; verifyUrl: string };
  google: { issuer: string; clientId: string; clientSecret: string } | null;
  smtpUrl: string | null;
  mailFrom: string;
  twilio: { accountSid: string; authToken: string; serviceSid: string; baseUrl: string };
  /** The addresses of companies that pay, by their environment. */
  companies: Record<'paypal' | 'nowpayments', Record<'sandbox' | 'production', string>>;
  measurementId: string | null;
  adminGateKey: string | null;
  hstsScope: (typeof hstsScopes)[number];
  /** Multiplies the limits whose `scaledIn` allows it in this mode. */
  limitFactor: number;
};

export class ConfigFault extends Error {
  readonly lines: string[];
  constructor(lines: string[]) {
    super(lines.join('\n'));
    this.name = 'ConfigFault';
    this.lines = lines;
  }
}

type Environment = z.output<typeof environment>;

function commonFaults(env: Environment): string[] {
  const faults: string[] = [];
  if (env.PUBLIC_URL !== undefined && new URL(env.PUBLIC_URL).pathname !== '/')
    faults.push('PUBLIC_URL: must be an origin without a path');
  if ((env.GOOGLE_CLIENT_ID === undefined) !== (env.GOOGLE_CLIENT_SECRET === undefined))
    faults.push('GOOGLE_CLIENT_ID, GOOGLE_CLIENT_SECRET: set both or neither');
  if ((env.ADMIN_EMAIL === undefined) !== (env.ADMIN_PASSWORD === undefined))
    faults.push('ADMIN_EMAIL, ADMIN_PASSWORD: set both or neither');
  if (env.DATABASE_OWNER_URL !== undefined && env.DATABASE_URL === undefined)
    faults.push('DATABASE_OWNER_URL: has no meaning without DATABASE_URL');
  return faults;
}

function emptyIsUnset(source: NodeJS.ProcessEnv): Record<string, string> {
  const known: Record<string, string> = {};
  for (const name of Object.keys(environment.shape)) {
    const value = source[name];
    if (value !== undefined && value.trim() !== '') known[name] = value.trim();
  }
  return known;
}

function complete(env: Environment): Config {
  const live = env.MODE === 'live';
  const dataDir = resolve(env.DATA_DIR);
  const appSecret = Buffer.from(env.APP_SECRET ?? readOrMakeSecret(dataDir, 'app-secret'), 'base64');
  return {
    mode: env.MODE,
    host: env.HOST,
    port: env.PORT,
    metricsPort: env.METRICS_PORT ?? null,
    metricsHost: env.METRICS_HOST,
    sandboxPort: env.SANDBOX_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1),
    publicUrl: new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`).origin,
    dataDir,
    databaseUrl: env.DATABASE_URL ?? null,
    databaseOwnerUrl: env.DATABASE_OWNER_URL ?? env.DATABASE_URL ?? null,
    redisUrl: env.REDIS_URL ?? null,
    appSecret,
    appSecretFormer:
      env.APP_SECRET_FORMER === undefined ? null : Buffer.from(env.APP_SECRET_FORMER, 'base64'),
    adminEmail: env.ADMIN_EMAIL?.toLowerCase() ?? null,
    adminPassword: env.ADMIN_PASSWORD ?? null,
    siteTimezone: env.SITE_TIMEZONE,
    litecoinNetwork: env.LITECOIN_NETWORK,
    dashNetwork: env.DASH_NETWORK,
    rpcAllowedHosts: env.RPC_ALLOWED_HOSTS.length > 0 || live ? env.RPC_ALLOWED_HOSTS : ['127.0.0.1'],
    trustedProxies: env.TRUSTED_PROXIES ?? [],
    ...(live
      ? liveRateSources(env)
      : { rateSourceUrl: env.RATE_SOURCE_URL ?? null, rateSourceUrl2: env.RATE_SOURCE_URL_2 ?? null }),
    rateMaxAgeS: env.RATE_MAX_AGE_S,
    hcaptcha: {
      sitekey: env.HCAPTCHA_SITEKEY ?? captchaTestPair.sitekey,
      secret: env.HCAPTCHA_SECRET ?? captchaTestPair.secret,
      verifyUrl: env.HCAPTCHA_VERIFY_URL ?? 'https://api.hcaptcha.com/siteverify',
    },
    google:
      env.GOOGLE_CLIENT_ID === undefined || env.GOOGLE_CLIENT_SECRET === undefined
        ? null
        : {
            issuer: env.GOOGLE_ISSUER,
            clientId: env.GOOGLE_CLIENT_ID,
            clientSecret: env.GOOGLE_CLIENT_SECRET,
          },
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? `no-reply@${new URL(env.PUBLIC_URL ?? 'http://localhost').hostname}`,
    twilio: {
      accountSid: env.TWILIO_ACCOUNT_SID ?? '',
      authToken: env.TWILIO_AUTH_TOKEN ?? '',
      serviceSid: env.TWILIO_VERIFY_SERVICE_SID ?? '',
      baseUrl: 'https://verify.twilio.com',
    },
    companies: {
      paypal: { sandbox: 'https://api-m.sandbox.paypal.com', production: 'https://api-m.paypal.com' },
      nowpayments: {
        sandbox: 'https://api-sandbox.nowpayments.io',
        production: 'https://api.nowpayments.io',
      },
    },
    measurementId: env.ANALYTICS_MEASUREMENT_ID ?? null,
    adminGateKey: env.ADMIN_GATE_KEY ?? null,
    hstsScope: env.HSTS_SCOPE,
    limitFactor: env.LIMIT_FACTOR ?? (live ? 1 : 1000),
  };
}

/** The names that a fault is about: those before its first colon. */
const namesIn = (fault: string): string[] => fault.slice(0, fault.indexOf(':')).split(', ');

/**
 * Reads and checks the environment.
 * @param knownFaults faults that the caller found
 * @throws ConfigFault with one line per fault: of the shape of single values, and of all values together
 */
export function readConfig(source: NodeJS.ProcessEnv, knownFaults: readonly string[] = []): Config {
  const given = emptyIsUnset(source);
  const parsed = environment.safeParse(given);
  if (parsed.success) {
    const faults = [...faultsOf(parsed.data), ...knownFaults];
    if (faults.length > 0) throw new ConfigFault(faults);
    return complete(parsed.data);
  }
  const shapes = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  const malformed = new Set(shapes.flatMap(namesIn));
  const rest = Object.entries(given).filter(([name]) => !malformed.has(name));
  const others = faultsOf(environment.parse(Object.fromEntries(rest)));
  throw new ConfigFault([
    ...shapes,
    ...[...others, ...knownFaults].filter((fault) => !namesIn(fault).some((name) => malformed.has(name))),
  ]);
}

const faultsOf = (env: Environment): string[] => [
  ...commonFaults(env),
  ...(env.MODE === 'live' ? liveFaults(env) : []),
];
