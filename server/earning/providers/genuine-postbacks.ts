import { createHash, createHmac } from 'node:crypto';
import type { ProviderName, RawPostback, SignatureField } from './provider.ts';
import { providers } from './registry.ts';

/**
 * For tests: postbacks as each company would send them, with the parameters of the template that an operator pastes
 * and those that it adds, and signed by the company's formula, written down here a second time so that a mistake in
 * an adapter is not mirrored. A company with two forms of queries is here twice. AdGem's JSON has tests of its own.
 */
export type Form = ProviderName | 'wannadsOld';

export type Genuine = {
  provider: ProviderName;
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
  /** What changes when a credit of this transaction and amount is taken back by a call that is named `other`. */
  takenBack(transaction: string, amount: string, other: string): Record<string, string>;
  /** What a call says that means nothing to us. */
  meaningless: Readonly<Record<string, string>>;
  /** The digest of a call to `address` with this query, which does not have it yet. */
  digestOf(address: string, query: string, secret: string): string;
};

export const publicOrigin = 'https://rewards.example';

/** What walls are told beside the member. */
export const visit = { brand: 'Earnest', siteDay: '2026-01-02' };

const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const sent = (query: string, name: string) =>
  query
    .split('&')
    .find((piece) => piece.startsWith(`${name}=`))
    ?.slice(name.length + 1) ?? '';

const hmac = (algorithm: string, secret: string, text: string) => createHmac(algorithm, secret).update(text);

/** What PHP's `rawurlencode` or, with `+` for a space, its `urlencode` makes of text. */
export const phpEncoded = (text: string, space: '%20' | '+'): string =>
  encodeURIComponent(text)
    .replace(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll(space === '+' ? '%20' : '%7E', space === '+' ? '+' : '~');

/** One way to one credit of Wannads; both generations have one formula. */
const wannads = {
  provider: 'wannads',
  secret: 'wannads_test_secret',
  digest: 'signature',
  writtenIn: 'hex',
} as const;

export const genuine: Record<Form, Genuine> = {
  cpx: {
    provider: 'cpx',
    writtenIn: 'hex',
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
    takenBack: () => ({ status: '2' }),
    meaningless: { status: '7' },
    digestOf: (_address, query, secret) => md5(`${sent(query, 'trans_id')}-${secret}`),
  },
  bitlabs: {
    provider: 'bitlabs',
    writtenIn: 'hex',
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
    takenBack: (ref, amount, tx) => ({ type: 'RECONCILIATION', ref, tx, val: `-${amount}` }),
    meaningless: { type: 'NEVER_HEARD' },
    digestOf: (address, query, secret) => hmac('sha1', secret, `${address}?${query}`).digest('hex'),
  },
  kiwiwall: {
    provider: 'kiwiwall',
    writtenIn: 'hex',
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
    takenBack: (_transaction, amount) => ({ status: '2', amount: `-${amount}` }),
    meaningless: { status: '7' },
    digestOf: (_address, query, secret) => md5(`${sent(query, 'sub_id')}:${sent(query, 'amount')}:${secret}`),
  },
  theoremreach: {
    provider: 'theoremreach',
    secret: 'theorem_test_secret',
    values: {
      user_id: '123456789',
      reward: '50.5',
      currency: '0.5',
      tx_id: 'abc123',
      reversal: 'false',
      debug: 'false',
      screenout: '0',
      profiler: '0',
      offer_name: 'Tea & coffee',
      ip: '203.0.113.9',
    },
    fields: {
      transaction: { tx_id: 'abc124' },
      member: { user_id: '987654321' },
      amount: { reward: '9000' },
      kind: { reversal: 'true', screenout: '1', profiler: '1', debug: 'true' },
      payout: { currency: '12.5' },
    },
    digest: 'hash',
    writtenIn: 'base64url',
    indifferent: ['offer_name', 'ip'],
    takenBack: () => ({ reversal: 'true' }),
    meaningless: { debug: 'true' },
    digestOf: (address, query, secret) =>
      hmac('sha1', secret, `${address}?${query}`)
        .digest('base64')
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replace(/=+$/, ''),
  },
  wannads: {
    ...wannads,
    values: {
      user_id: '123456789',
      transaction_id: 'W-98765',
      reward: '120.5',
      payout: '0.24',
      status: 'credited',
      offer_id: '71',
      goal_id: '2',
      offer_name: 'Big Farm',
    },
    fields: {
      transaction: { transaction_id: 'W-98766' },
      member: { user_id: '987654321' },
      amount: { reward: '9000' },
      kind: { status: 'rejected' },
      payout: { payout: '12.5' },
    },
    indifferent: ['offer_id', 'goal_id', 'offer_name'],
    takenBack: (_transaction, amount, other) => ({
      transaction_id: other,
      status: 'rejected',
      reward: `-${amount}`,
    }),
    meaningless: { status: 'pending' },
    digestOf: (_address, query, secret) =>
      md5(['user_id', 'transaction_id', 'reward'].map((name) => sent(query, name)).join('') + secret),
  },
  wannadsOld: {
    ...wannads,
    values: {
      subId: '123456789',
      transId: 'W-98765',
      reward: '120.5',
      payout: '0.24',
      status: '1',
      userIp: '203.0.113.9',
      campaign_id: '71',
      campaign_name: 'Big Farm',
      country: 'KR',
      uuid: '6f1c2a3e-0b4d-4d1c-9d55-8f6a1e2b3c4d',
    },
    fields: {
      transaction: { transId: 'W-98766' },
      member: { subId: '987654321' },
      amount: { reward: '9000' },
      kind: { status: '2' },
      payout: { payout: '12.5' },
    },
    indifferent: ['userIp', 'campaign_id', 'campaign_name', 'country', 'uuid'],
    takenBack: (_transaction, _amount, other) => ({ transId: other, status: '2' }),
    meaningless: { status: '7' },
    digestOf: (_address, query, secret) =>
      md5(['subId', 'transId', 'reward'].map((name) => sent(query, name)).join('') + secret),
  },
  adgem: {
    provider: 'adgem',
    secret: 'adgem_test_key',
    values: {
      amount: '1000.5',
      campaign_name: 'Example App: Sports & Casino (iOS)',
      goal_id: 'g1',
      payout: '2.5',
      player_id: '123456789',
      transaction_id: 'tx-1',
      request_id: '0e9b8f6c-2b0d-4a55-9d7e-0c1f8a4e6b21',
    },
    fields: {
      transaction: { transaction_id: 'tx-2', goal_id: 'g2' },
      member: { player_id: '987654321' },
      amount: { amount: '9000' },
      // A negative amount alone makes a reversal.
      kind: {},
      payout: { payout: '12.5' },
    },
    digest: 'verifier',
    writtenIn: 'hex',
    indifferent: ['campaign_name', 'request_id'],
    takenBack: (_transaction, amount) => ({ amount: `-${amount}` }),
    meaningless: { amount: '0.9' },
    digestOf: (address, query, secret) => hmac('sha256', secret, `${address}?${query}`).digest('hex'),
  },
  ayetstudios: {
    provider: 'ayetstudios',
    secret: 'ayet_test_api_key',
    values: {
      currency_amount: '360.5',
      external_identifier: '123456789',
      is_chargeback: '0',
      chargeback_reason: '',
      offer_name: 'Tom’s App (EU)~*',
      payout_usd: '0.36',
      transaction_id: '381f99333613b41392b15183d69a7240308e8461',
    },
    fields: {
      transaction: { transaction_id: '481f99333613b41392b15183d69a7240308e8461' },
      member: { external_identifier: '987654321' },
      amount: { currency_amount: '9000' },
      kind: { is_chargeback: '1' },
      payout: { payout_usd: '12.5' },
    },
    digest: 'x-ayetstudios-security-hash',
    isInHeader: true,
    writtenIn: 'hex',
    indifferent: ['chargeback_reason', 'offer_name'],
    takenBack: (transaction, amount) => ({
      transaction_id: `r-${transaction}`,
      is_chargeback: '1',
      currency_amount: `-${amount}`,
    }),
    meaningless: { is_chargeback: '2' },
    digestOf: (_address, query, secret) => {
      const pairs = [...new URLSearchParams(query)].sort(([one], [other]) => (one < other ? -1 : 1));
      const text = pairs.map((pair) => pair.map((part) => phpEncoded(part, '+')).join('=')).join('&');
      return hmac('sha256', secret, text).digest('hex');
    },
  },
};

export const forms = Object.keys(genuine) as Form[];

/** A signed call: the genuine parameters in their order, with `changes`; one that is `undefined` is left out. */
export function genuinePostback(
  form: Form,
  changes: Readonly<Record<string, string | undefined>> = {},
  address = `${publicOrigin}/api/webhooks/postback/${genuine[form].provider}`,
  secret = genuine[form].secret,
): RawPostback {
  const { values, digest, isInHeader, digestOf } = genuine[form];
  const merged: Record<string, string | undefined> = { ...values, ...changes };
  const query = Object.keys(values)
    .filter((name) => merged[name] !== undefined)
    .map((name) => `${name}=${encodeURIComponent(merged[name] ?? '')}`)
    .join('&');
  const made = digestOf(address, query, secret);
  if (isInHeader) return received(`${address}?${query}`, { [digest]: made });
  return received(`${address}?${query}&${digest}=${made}`);
}

/** The parameters of a provider's template, in its order. */
export function templateNames(provider: ProviderName): string[] {
  const { queryTemplate } = providers[provider];
  if (queryTemplate === '') return [];
  return queryTemplate.split('&').map((piece) => piece.slice(0, piece.indexOf('=')));
}

export function received(url: string, headers: RawPostback['headers'] = {}): RawPostback {
  return { method: 'GET', url, headers, rawBody: Buffer.alloc(0) };
}
