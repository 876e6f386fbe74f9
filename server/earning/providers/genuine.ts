import { createHash, createHmac } from 'node:crypto';
import type { ProviderFacts, SignatureField } from './provider.ts';

/**
 * For tests: what a provider's `<id>/vectors.ts` is, and what its formulas are made of. A formula is written down there
 * a second time, so that a mistake in an adapter is not mirrored.
 */
export type ProviderVectors = {
  /** What the company documents, written a second time beside `facts.ts`. */
  documented: Pick<ProviderFacts, 'successBody' | 'takesChargebacks' | 'liveSourcePolicy'> & {
    arrivesWithinHours: number | null;
    /** Whether it says from where it calls. */
    publishesAddresses: boolean;
    /** Whether the address that is called is signed, scheme and host included. */
    signsAddress: boolean;
    /** What changes a genuine credit into a reversal. */
    reversal: Readonly<Record<string, string>>;
  };
  /** One for each form of its queries; the first has the id of the provider, and the names of its template. */
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
  /** What else is a transaction's own, where its id is not all. */
  ofTransaction?(transaction: string): Record<string, string>;
  /** What changes when a credit of this transaction and amount is taken back by a call that is named `other`. */
  takenBack(transaction: string, amount: string, other: string): Record<string, string>;
  /** What a call says that means nothing to us. */
  meaningless: Readonly<Record<string, string>>;
  /** The digest of a call to `address` with this query, which does not have it yet. */
  digestOf(address: string, query: string, secret: string): string;
};

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

export const hmac = (algorithm: string, secret: string, text: string) =>
  createHmac(algorithm, secret).update(text);

/** The first value of a query under this name, as it is written there. */
export const sent = (query: string, name: string) =>
  query
    .split('&')
    .find((piece) => piece.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

/** What PHP's `rawurlencode` or, with `+` for a space, its `urlencode` makes of text. */
export const phpEncoded = (text: string, space: '%20' | '+'): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(space === '+' ? '%20' : '%7E', space === '+' ? '+' : '~');
