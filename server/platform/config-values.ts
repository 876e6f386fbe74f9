import { z } from 'zod';
import { emailAddress } from '#contract/email.ts';
import { isCallable, namedRateSources } from './rate-source.ts';

/** Shapes of values in the environment. */

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port number')
  .transform(Number)
  .pipe(z.number().max(65_535, 'must be a port number'));

/** Whether a text is an address, or a name with one in angle brackets. A line break would begin another header. */
export const isSender = (value: string): boolean =>
  !/\p{Cc}/u.test(value) && emailAddress.safeParse(/^[^<>]*<([^<>]+)>$/.exec(value)?.[1] ?? value).success;

export const partsOf = (value: string): string[] =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
export const list = z.string().default('').transform(partsOf);

export const url = (protocols: RegExp) => z.url({ protocol: protocols, message: 'must be a URL' });

export const rateSource = z.union(
  [z.enum(namedRateSources), url(/^https?$/).refine(isCallable)],
  'must be coingecko, kraken or a URL without user and password',
);

export const mailDomains = list.refine(
  (domains) => domains.every((domain) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain)),
  'must be domains in small letters, separated by commas',
);
