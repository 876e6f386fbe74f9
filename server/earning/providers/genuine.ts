import { createHash, createHmac } from 'node:crypto';
import type { ProviderFacts, SignatureField } from './provider.ts';

/**
 * For tests: the shape of a provider's `<id>/vectors.ts`, and functions that its formulas share. Vectors repeat each
 * formula instead of importing it, so that a mistake in an adapter shows.
 */
export type ProviderVectors = {
  /** What the company documents, repeated here to check `facts.ts`. */
  documented: Pick<ProviderFacts, 'successBody' | 'takesChargebacks' | 'liveSourcePolicy'> & {
    arrivesWithinHours: number | null;
    /** Whether it says from where it calls. */
    publishesAddresses: boolean;
    /** Whether the address that is called is signed, scheme and host included. */
    signsAddress: boolean;
    /** What changes a genuine credit into a reversal. */
    reversal: Readonly<Record<string, string>>;
  };
  /** One for each form of its queries. The first has the provider's id as key, and the names of its template. */
  forms: Readonly<Record<string, Genuine>>;
};

export type Genuine = {
  secret: string;
  /** One ordinary credit, by parameter, in the order in which they are sent. */
  values: Readonly<Record<string, string>>;
  /** Which parameters stand for each part of the money, and another genuine value for each. */
  fields: Record<SignatureField, Readonly<Record<string, string>>>;
  /** What carries the digest: a parameter, or a header. */
  digest: string;
  isInHeader?: true;
  /** How the digest is written; hex may come in either case. */
  writtenIn: 'hex' | 'base64url';
  /** Parameters without effect on money: kept in the log, or shown as the offer's name. */
  indifferent: readonly string[];
  /** Further values that differ with each transaction. */
  ofTransaction?(transaction: string): Record<string, string>;
  /** The values that make a credit's call its reversal; `other` is an id for companies that use a new one. */
  takenBack(transaction: string, amount: string, other: string): Record<string, string>;
  /** Values of a signed call that has no effect. */
  meaningless: Readonly<Record<string, string>>;
  /** The digest of a call to `address` with this query. */
  digestOf(address: string, query: string, secret: string): string;
};

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

export const hmac = (algorithm: string, secret: string, text: string) =>
  createHmac(algorithm, secret).update(text);

/** The first value under this name in a query, not decoded. */
export const sent = (query: string, name: string) =>
  query
    .split('&')
    .find((piece) => piece.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** Encodes like PHP's `rawurlencode` or, with `+` for a space, like its `urlencode`. */
export const phpEncoded = (text: string, space: '%20' | '+'): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(space === '+' ? '%20' : '%7E', space === '+' ? '+' : '~');
