import { createHash, createHmac } from 'node:crypto';
import type { ProviderFacts, SignatureField } from './provider.ts';

/**
 * For tests: the shape of a provider's `<id>/vectors.ts`, and functions that its formulas share. Vectors repeat each
 * formula instead of importing it, so that a mistake in an adapter shows.
 */
export type ProviderVectors = {
  /** The company's documentation, repeated to check `facts.ts`. */
  documented: Pick<ProviderFacts, 'successBody' | 'takesChargebacks' | 'liveSourcePolicy'> & {
    arrivesWithinHours: number | null;
    /** Whether the company publishes the addresses that it calls from. */
    publishesAddresses: boolean;
    /** Whether the signature covers the called URL with scheme and host. */
    signsAddress: boolean;
    /** The parameters that turn a genuine credit into a reversal. */
    reversal: Readonly<Record<string, string>>;
  };
  /**
   * One entry for each form of its calls. The first has the provider's id as key, and the parameters of its template.
   */
  forms: Readonly<Record<string, Genuine>>;
};

export type Genuine = {
  secret: string;
  /** One ordinary credit, by parameter, in the order in which they are sent. */
  values: Readonly<Record<string, string>>;
  /** The parameters of each field, with another genuine value for each. */
  fields: Record<SignatureField, Readonly<Record<string, string>>>;
  /** The name of the digest's parameter or header. */
  digest: string;
  isInHeader?: true;
  /** The digest's encoding. Hex is accepted in either case. */
  writtenIn: 'hex' | 'base64url';
  /** Parameters without effect on money: kept in the log, or shown as the offer's name. */
  indifferent: readonly string[];
  /** Other parameters that differ with each transaction. */
  ofTransaction?(transaction: string): Record<string, string>;
  /** The parameters that make a reversal of a credit's call. `other` is a new id, for companies that use one. */
  takenBack(transaction: string, amount: string, other: string): Record<string, string>;
  /** Parameters of a signed call without effect. */
  meaningless: Readonly<Record<string, string>>;
  /** The digest of a call to `address` with this query. */
  digestOf(address: string, query: string, secret: string): string;
};

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Of a text with one character per byte. */
export const hmac = (algorithm: string, secret: string, text: string) =>
  createHmac(algorithm, secret).update(text, 'latin1');

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
