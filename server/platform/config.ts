import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { accountEmail } from '#contract/email.ts';
import { passwordText } from '#contract/password-text.ts';
import {
  bounceAddress,
  captchaTestPair,
  companyOrigins,
  flag,
  list,
  mailbox,
  mailDomains,
  network,
  partsOf,
  port,
  rateSource,
  secretBytes,
  sender,
  timezone,
  url,
} from './config-values.ts';
import { findUnmoved } from './data-folders.ts';
import { liveFaults } from './live-faults.ts';
import { liveRateSources } from './rate-source.ts';
import { hasSecret, readOrMakeSecret } from './secret-files.ts';

/**
 * The environment, read once. All faults are reported together, one line each, so that an operator can correct them
 * in one go. An invalid value stops the start; it is never replaced by a default.
 */

const hstsScopes = ['host', 'subdomains', 'preload'] as const;

/** Each variable with its text in README.md, which `npm run documents` writes. */
const environment = z.object({
  MODE: z
    .enum(['sandbox', 'live'], 'must be sandbox or live')
    .default('sandbox')
    .describe(
      '`sandbox` (default) needs no account anywhere; `live` refuses test values and never ' +
        'loads the sandbox',
    ),
  HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address to listen on (127.0.0.1); a container needs `0.0.0.0`'),
  PORT: port.default(3000).describe('the port to listen on (3000)'),
  METRICS_PORT: port.optional().describe('the port of `/metrics`; none without it'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('the address of `/metrics` (127.0.0.1), which say what the wallets hold'),
  SANDBOX_PORT: port.optional().describe('the port of the sandbox’s walls; live mode has none'),
  PUBLIC_URL: url(/^https?$/)
    .optional()
    .describe('the site’s origin as browsers see it; https and required in live mode'),
  DATA_DIR: z
    .string()
    .default('./data')
    .describe(
      'a folder (`./data`) that survives restarts, of each node its own: `site/` has the embedded PostgreSQL and ' +
        'generated secrets, `node/` the guard against paying twice',
    ),
  DATABASE_URL: url(/^postgres(ql)?$/)
    .optional()
    .describe('your own PostgreSQL with the application’s role; the embedded one without it'),
  DATABASE_OWNER_URL: url(/^postgres(ql)?$/)
    .optional()
    .describe('the same database with the owner, which migrates'),
  REDIS_URL: url(/^rediss?$/)
    .optional()
    .describe('Redis or Valkey; several nodes need it'),
  APP_SECRET: secretBytes
    .optional()
    .describe('32 or more random bytes in base64, which seal stored credentials; required in live mode'),
  APP_SECRET_FORMER: secretBytes
    .optional()
    .describe(
      'a second secret that is accepted while `APP_SECRET` is changed: before the change the ' +
        'next one, after it the former one; see [operating](docs/operating.md)',
    ),
  ADMIN_EMAIL: accountEmail('must be an e-mail address with ASCII letters before the @')
    .optional()
    .describe('the first operator; later starts do not read it'),
  ADMIN_PASSWORD: z
    .string()
    .transform(passwordText)
    .pipe(z.string().min(6, 'must have at least 6 characters'))
    .optional()
    .describe(
      'the first operator’s password; in live mode at least 12 characters, none of the 10,000 ' +
        'most common',
    ),
  SITE_TIMEZONE: timezone
    .default('Asia/Seoul')
    .describe('the zone of the site’s day at the first start (`Asia/Seoul`)'),
  LITECOIN_NETWORK: network.describe(
    'the network whose addresses are accepted: `main` (default), `test` or `regtest`',
  ),
  DASH_NETWORK: network.describe('the network of this coin, with the same choices'),
  RPC_ALLOWED_HOSTS: list
    .refine(
      (hosts) => hosts.every((host) => isIP(host) !== 0 || /^[a-z0-9][a-z0-9._-]*$/i.test(host)),
      'must be names or addresses of hosts, separated by commas, without ports; each must be named',
    )
    .describe('the hosts of coin nodes that operators may set; none in live mode without it'),
  TRUSTED_PROXIES: z
    .string()
    .transform((value) => (value === 'none' ? [] : partsOf(value)))
    .refine(
      (parts) => parts.every((part) => isIP(part) !== 0 || ipaddr.isValidCIDR(part)),
      'must be none, or addresses or CIDR ranges, separated by commas',
    )
    .optional()
    .describe(
      'addresses or ranges of proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are ' +
        'believed, or `none`; live mode asks for an answer, because a wrong one makes all members ' +
        'one source, or lets each choose their own',
    ),
  RATE_SOURCE_URL: rateSource
    .optional()
    .describe(
      'the source of rates: `coingecko`, `kraken`, or a URL of simple-price JSON; nothing is ' +
        'approved without a rate',
    ),
  RATE_SOURCE_URL_2: rateSource.optional().describe('a second source; a rate is believed if both agree'),
  RATE_MAX_AGE_S: z
    .string()
    .regex(/^[1-9]\d{0,6}$/, 'must be seconds')
    .default('600')
    .transform(Number)
    .describe('the age in seconds from which a rate is not used (600)'),
  HCAPTCHA_SITEKEY: flag.describe('the captcha of the registration; required in live mode'),
  HCAPTCHA_SECRET: flag.describe('its secret; required in live mode'),
  HCAPTCHA_VERIFY_URL: url(/^https?$/)
    .optional()
    .describe('the address of another compatible service'),
  GOOGLE_ISSUER: url(/^https?$/)
    .default('https://accounts.google.com')
    .describe('the issuer of sign-ins with Google'),
  GOOGLE_CLIENT_ID: flag.describe('signing in with Google; off without id and secret'),
  GOOGLE_CLIENT_SECRET: flag.describe('its secret'),
  SMTP_URL: url(/^smtps?$/)
    .optional()
    .describe('the mail server, `smtp://` or `smtps://` with user and password; required in live mode'),
  MAIL_FROM: sender.optional().describe('the sender; without it no-reply at the host of `PUBLIC_URL`'),
  BOUNCE_ADDRESS: bounceAddress
    .optional()
    .describe('where reports about mails of broadcasts come: each mail is sent from `NAME+TOKEN@HOST`'),
  IMAP_URL: mailbox
    .optional()
    .describe('the mailbox of these reports, `imaps://USER:PASSWORD@HOST/FOLDER`, which the site reads'),
  BROADCAST_PER_SECOND: z
    .string()
    .regex(/^[1-9]\d{0,3}$/, 'must be a whole number from 1 to 9999')
    .default('10')
    .transform(Number)
    .describe('how many mails of broadcasts are sent in a second (10), as the mail server allows'),
  TWILIO_ACCOUNT_SID: flag.describe('Twilio Verify, which sends the codes for phones; required in live mode'),
  TWILIO_AUTH_TOKEN: flag.describe('its token; required in live mode'),
  TWILIO_VERIFY_SERVICE_SID: flag.describe('its service; required in live mode'),
  GEOIP_DB: list.describe(
    'files in the MaxMind format, separated by commas, by which operators read of which country and network an ' +
      'address is; nothing is guessed without one',
  ),
  THROWAWAY_DOMAINS_ALLOWED: mailDomains.describe(
    'throw-away e-mail domains, separated by commas, that register without an operator’s look',
  ),
  ANALYTICS_MEASUREMENT_ID: flag.describe('Google Analytics for visitors who agree; off without it'),
  ADMIN_GATE_KEY: flag.describe('a key that operators enter before they sign in; off without it'),
  HSTS_SCOPE: z
    .enum(hstsScopes, 'must be host, subdomains or preload')
    .default('host')
    .describe(
      'what browsers may open by https alone for two years: `host` (default), its `subdomains` ' +
        'too, or these on the browsers’ own list (`preload`); it can’t be taken back soon',
    ),
  LIMIT_FACTOR: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be a number')
    .transform(Number)
    .optional()
    .describe('multiplies the limits that may be scaled in this mode; 1 in live mode'),
  // The log reads it by itself, before anything else.
  LOG_LEVEL: flag.describe('the least level of the log: `info` (default), `warn`, `error`, `debug`'),
});

/** All variables, each with what it is for. */
export const variables = Object.entries(environment.shape).map(([name, { description = '' }]) => ({
  name,
  description,
}));

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
  bounceAddress: string | null;
  imapUrl: string | null;
  broadcastPerSecond: number;
  twilio: { accountSid: string; authToken: string; serviceSid: string; baseUrl: string };
  /** The addresses of companies that pay, by their environment. */
  companies: Record<'paypal' | 'nowpayments', Record<'sandbox' | 'production', string>>;
  geoipFiles: string[];
  throwawayDomainsAllowed: string[];
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
  const sandboxPort = env.MODE === 'sandbox' ? env.SANDBOX_PORT : undefined;
  for (const [name, port, others] of [
    ['METRICS_PORT', env.METRICS_PORT, [env.PORT]],
    ['SANDBOX_PORT', sandboxPort, [env.PORT, env.METRICS_PORT]],
  ] as const)
    if (port !== undefined && port !== 0 && others.includes(port))
      faults.push(`${name}: ${port} is the port of another part of this site`);
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

/** The DATA_DIR of an environment, before anything is read from it. */
export const dataDirOf = (source: NodeJS.ProcessEnv): string =>
  resolve(environment.shape.DATA_DIR.parse(emptyIsUnset(source).DATA_DIR));

function complete(env: Environment): Config {
  const live = env.MODE === 'live';
  const dataDir = resolve(env.DATA_DIR);
  const unmoved = findUnmoved(dataDir);
  if (unmoved !== undefined) throw new ConfigFault([unmoved]);
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
    adminEmail: env.ADMIN_EMAIL ?? null,
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
    bounceAddress: env.BOUNCE_ADDRESS ?? null,
    imapUrl: env.IMAP_URL ?? null,
    broadcastPerSecond: env.BROADCAST_PER_SECOND,
    twilio: {
      accountSid: env.TWILIO_ACCOUNT_SID ?? '',
      authToken: env.TWILIO_AUTH_TOKEN ?? '',
      serviceSid: env.TWILIO_VERIFY_SERVICE_SID ?? '',
      baseUrl: 'https://verify.twilio.com',
    },
    companies: companyOrigins,
    geoipFiles: env.GEOIP_DB,
    throwawayDomainsAllowed: env.THROWAWAY_DOMAINS_ALLOWED,
    measurementId: env.ANALYTICS_MEASUREMENT_ID ?? null,
    adminGateKey: env.ADMIN_GATE_KEY ?? null,
    hstsScope: env.HSTS_SCOPE,
    limitFactor: env.LIMIT_FACTOR ?? (live ? 1 : 1000),
  };
}

/** The names that a fault is about: those before its first colon. */
const namesIn = (fault: string): string[] => fault.slice(0, fault.indexOf(':')).split(', ');

/**
 * Reads the configuration for a command beside a site. It makes no secret: with another environment than the site's it
 * would make a folder that looks like one of a site. @throws ConfigFault
 */
export function readCommandConfig(source: NodeJS.ProcessEnv): Config {
  const dataDir = dataDirOf(source);
  const { APP_SECRET, DATABASE_URL } = emptyIsUnset(source);
  const needsFolder = APP_SECRET === undefined && DATABASE_URL === undefined;
  if (needsFolder && !hasSecret(dataDir, 'app-secret') && findUnmoved(dataDir) === undefined)
    throw new ConfigFault([
      `DATA_DIR: ${dataDir} has no database of a site; run this with the environment of the site`,
    ]);
  return readConfig(source);
}

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
