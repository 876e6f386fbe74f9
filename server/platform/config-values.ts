import { z } from 'zod';
import { emailAddress } from '#contract/email.ts';
import { isTimezone } from '#contract/time-zone.ts';
import { isCallable, namedRateSources } from './rate-source.ts';

/** Shapes of values in the environment, and values that it does not set. */

/**
 * hCaptcha's published test pair. It accepts its test token from anybody, so it is for the sandbox only; live mode
 * refuses it.
 */
export const captchaTestPair = {
  sitekey: '10000000-ffff-ffff-ffff-000000000001',
  secret: '0x0000000000000000000000000000000000000000',
} as const;

/** Where the companies that pay are reached. */
export const companyOrigins = {
  paypal: { sandbox: 'https://api-m.sandbox.paypal.com', production: 'https://api-m.paypal.com' },
  nowpayments: { sandbox: 'https://api-sandbox.nowpayments.io', production: 'https://api.nowpayments.io' },
};

export const flag = z.string().trim().min(1).optional();
export const partsOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
export const list = z.string().default('').transform(partsOf);
export const NO_SITE_TIMEZONE = 'must be an IANA time zone such as Asia/Seoul';
export const timezone = z.string().refine(isTimezone, NO_SITE_TIMEZONE);
export const url = (protocols: RegExp) => z.url({ protocol: protocols, message: 'must be a URL' });
export const rateSource = z.union(
  [z.enum(namedRateSources), url(/^https?$/).refine(isCallable)],
  'must be coingecko, kraken or a URL without user and password',
);
export const network = z.enum(['main', 'test', 'regtest']).default('main');

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be a port number'));

/** Whether a text is an address, or a name with one in angle brackets. A line break would begin another header. */
const isSender = (value: string): boolean =>
  !/\p{Cc}/u.test(value) && emailAddress.safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success;
export const sender = z
  .string()
  .refine(isSender, 'must be an address, or a name with an address in angle brackets, in one line');

/** Whether a token of 47 characters fits behind the name before the @, which has 64 at most (RFC 5321). */
const isBounceAddress = (value: string): boolean =>
  emailAddress.safeParse(value).success && /^[^+@]{1,16}@/.test(value);
export const bounceAddress = z
  .string()
  .refine(isBounceAddress, 'must be an address with at most 16 characters and no + before the @');

const hasLogin = (value: string): boolean => {
  if (!URL.canParse(value)) return true;
  const { username, password } = new URL(value);
  return username !== '' && password !== '';
};
export const mailbox = url(/^imaps?$/).refine(hasLogin, 'must be imaps://USER:PASSWORD@HOST/FOLDER');

export const secretBytes = z
  .string()
  .refine((value) => Buffer.from(value, 'base64').length >= 32, 'must be 32 or more random bytes in base64');

export const mailDomains = list.refine(
  (domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
  'must be domains in small letters, separated by commas',
);
