import { isIP } from 'node:net';
import { liveRateSources, rateSourceFaults } from './rate-source.ts';

const OPERATOR_PASSWORD_MIN = 12;
const GATE_KEY_MIN = 16;
const LIMIT_FACTOR_MAX = 100;
/** The shortest prefix of a range of proxies. A private network of IPv4 has 8 bits, one of IPv6 has 7. */
const PREFIX_BITS_MIN = 7;

/** Whether a range is so large that it holds more than one private network. */
const isAnyone = (part: string): boolean => isIP(part) === 0 && Number(part.split('/')[1]) < PREFIX_BITS_MIN;

/** What of the environment live mode checks. */
export type LiveEnvironment = {
  [name in
    | 'APP_SECRET'
    | 'APP_SECRET_FORMER'
    | 'PUBLIC_URL'
    | 'HCAPTCHA_SITEKEY'
    | 'HCAPTCHA_SECRET'
    | 'HCAPTCHA_VERIFY_URL'
    | 'GOOGLE_ISSUER'
    | 'SMTP_URL'
    | 'TWILIO_ACCOUNT_SID'
    | 'TWILIO_AUTH_TOKEN'
    | 'TWILIO_VERIFY_SERVICE_SID'
    | 'ADMIN_PASSWORD'
    | 'ADMIN_GATE_KEY'
    | 'DATABASE_URL'
    | 'DATABASE_OWNER_URL'
    | 'RATE_SOURCE_URL'
    | 'RATE_SOURCE_URL_2']?: string | undefined;
} & { TRUSTED_PROXIES?: string[] | undefined; LIMIT_FACTOR?: number | undefined };

/** Faults that only live mode refuses: missing services, and values that are safe only in the sandbox. */
export function liveFaults(env: LiveEnvironment): string[] {
  const faults: string[] = [];
  const required = [
    'APP_SECRET',
    'PUBLIC_URL',
    'HCAPTCHA_SITEKEY',
    'HCAPTCHA_SECRET',
    'SMTP_URL',
    'TWILIO_ACCOUNT_SID',
    'TWILIO_AUTH_TOKEN',
    'TWILIO_VERIFY_SERVICE_SID',
    'TRUSTED_PROXIES',
  ] as const;
  for (const name of required) if (env[name] === undefined) faults.push(`${name}: is required in live mode`);
  if (env.PUBLIC_URL !== undefined && !env.PUBLIC_URL.startsWith('https://'))
    faults.push('PUBLIC_URL: must be https in live mode');
  if (env.HCAPTCHA_SITEKEY?.toLowerCase().startsWith('10000000-ffff-ffff-ffff-'))
    faults.push('HCAPTCHA_SITEKEY: is the test key, which live mode refuses');
  if (env.HCAPTCHA_SECRET !== undefined && /^0x0+$/.test(env.HCAPTCHA_SECRET))
    faults.push('HCAPTCHA_SECRET: is the test secret, which live mode refuses');
  for (const name of ['APP_SECRET', 'APP_SECRET_FORMER'] as const)
    if (env[name] !== undefined && new Set(Buffer.from(env[name], 'base64')).size < 8)
      faults.push(`${name}: is not random, which live mode refuses`);
  if (env.TRUSTED_PROXIES?.some(isAnyone))
    faults.push('TRUSTED_PROXIES: names so many addresses that callers could choose their own');
  if (env.ADMIN_GATE_KEY !== undefined && env.ADMIN_GATE_KEY.length < GATE_KEY_MIN)
    faults.push(`ADMIN_GATE_KEY: must have at least ${GATE_KEY_MIN} characters in live mode`);
  if (env.LIMIT_FACTOR !== undefined && env.LIMIT_FACTOR > LIMIT_FACTOR_MAX)
    faults.push(`LIMIT_FACTOR: must be at most ${LIMIT_FACTOR_MAX} in live mode`);
  if (env.DATABASE_URL !== undefined && env.DATABASE_OWNER_URL === undefined)
    faults.push('DATABASE_OWNER_URL: is required in live mode with DATABASE_URL');
  for (const name of ['HCAPTCHA_VERIFY_URL', 'GOOGLE_ISSUER'] as const)
    if (isReadableByOthers(env[name])) faults.push(`${name}: must be https in live mode`);
  if (env.ADMIN_PASSWORD !== undefined && env.ADMIN_PASSWORD.length < OPERATOR_PASSWORD_MIN)
    faults.push(`ADMIN_PASSWORD: must have at least ${OPERATOR_PASSWORD_MIN} characters in live mode`);
  return [...faults, ...rateSourceFaults(liveRateSources(env))];
}

/** Whether the URL is plain http to another machine. */
function isReadableByOthers(address: string | undefined): boolean {
  if (address === undefined) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname);
}
