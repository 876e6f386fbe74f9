import { createHash, createHmac } from 'node:crypto';
import type { ProviderName, RawPostback, SignatureField } from './provider.ts';
import { providers } from './registry.ts';

/**
 * For tests: postbacks as each company would send them, made from the template that an operator pastes and signed
 * by the company's formula, written down here a second time so that a mistake in an adapter is not mirrored.
 */
export type Genuine = {
  secret: string;
  /** One ordinary credit, by parameter. */
  values: Readonly<Record<string, string>>;
  /** Which parameters stand for each part of the money, and another genuine value for each. */
  fields: Record<SignatureField, Readonly<Record<string, string>>>;
  /** The parameter that carries the digest. */
  digest: string;
  /** Parameters without effect on money: kept in the log, or shown as the offer's name. */
  indifferent: readonly string[];
  /** Signs the query (without digest) of a call to `address`, and gives the whole URL. */
  sign(address: string, query: string, secret: string): string;
};

export const publicOrigin = 'https://rewards.example';

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const sent = (query: string, name: string) =>
  query
    .split('&')
    .find((piece) => piece.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

export const genuine: Record<ProviderName, Genuine> = {
  cpx: {
    secret: 'cpx_test_secret',
    values: {
      status: '1',
      trans_id: '1001228131380',
      user_id: '123456789',
      amount_local: '662.6500',
      amount_usd: '0.66',
      offer_id: '99',
      type: 'complete',
      ip_click: '203.0.113.9',
    },
    fields: {
      transaction: { trans_id: '1001228131381' },
      member: { user_id: '987654321' },
      amount: { amount_local: '9000' },
      kind: { status: '2', type: 'out' },
      payout: { amount_usd: '12.5' },
    },
    digest: 'secure_hash',
    indifferent: ['offer_id', 'ip_click'],
    sign: (address, query, secret) =>
      `${address}?${query}&secure_hash=${md5(`${sent(query, 'trans_id')}-${secret}`)}`,
  },
  bitlabs: {
    secret: 'bitlabs_test_secret',
    values: {
      uid: '123456789',
      tx: 's123456',
      val: '250.9',
      usd: '0.5',
      type: 'COMPLETE',
      ref: '',
      state: 'NONE',
      offer: 'A & B',
    },
    fields: {
      transaction: { tx: 's123457', ref: 's99' },
      member: { uid: '987654321' },
      amount: { val: '9000' },
      kind: { type: 'RECONCILIATION', state: 'RECONCILED' },
      payout: { usd: '12.5' },
    },
    digest: 'hash',
    indifferent: ['offer'],
    sign: (address, query, secret) => {
      const url = `${address}?${query}`;
      return `${url}&hash=${createHmac('sha1', secret).update(url).digest('hex')}`;
    },
  },
  kiwiwall: {
    secret: 'kiwi_test_secret',
    values: {
      status: '1',
      trans_id: 'kw-1',
      sub_id: '123456789',
      gross: '0.5',
      amount: '500.75',
      offer_id: '12',
      offer_name: 'Big Farm',
      ip_address: '203.0.113.9',
    },
    fields: {
      transaction: { trans_id: 'kw-2' },
      member: { sub_id: '987654321' },
      amount: { amount: '9000' },
      kind: { status: '2' },
      payout: { gross: '12.5' },
    },
    digest: 'signature',
    indifferent: ['offer_id', 'offer_name', 'ip_address'],
    sign: (address, query, secret) =>
      `${address}?${query}&signature=${md5(`${sent(query, 'sub_id')}:${sent(query, 'amount')}:${secret}`)}`,
  },
};

export const providerNames = Object.keys(genuine) as ProviderName[];

/**
 * A signed call: the template's parameters in its order, with `changes`; a parameter that is `undefined` is left
 * out.
 */
export function genuinePostback(
  provider: ProviderName,
  changes: Readonly<Record<string, string | undefined>> = {},
): RawPostback {
  const { secret, values, digest, sign } = genuine[provider];
  const merged: Record<string, string | undefined> = { ...values, ...changes };
  const query = templateNames(provider)
    .filter((name) => name !== digest && merged[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(merged[name] ?? '')}`)
    .join('&');
  return received(sign(`${publicOrigin}/api/webhooks/postback/${provider}`, query, secret));
}

/** The parameters of the template, in its order. */
export function templateNames(provider: ProviderName): string[] {
  return providers[provider].queryTemplate.split('&').map((piece) => piece.slice(0, piece.indexOf('=')));
}

export function received(url: string): RawPostback {
  return { method: 'GET', url, headers: {}, rawBody: Buffer.alloc(0) };
}
