import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import { decimal, flag, identifier, label, optionalWord, shownPayout } from '../parameter.ts';
import { assertWallInput, decidingNames, headerOf, type ProviderAdapter } from '../provider.ts';
import { decodeQuery, type RawParameter, splitQuery } from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

const REVERSAL_PREFIX = 'r-';

/**
 * ayeT-Studios, an offer wall. The header `X-Ayetstudios-Security-Hash` signs all parameters of the query, sorted by
 * name and encoded again. So it signs their values in any encoding, but not their order or the URL. The publisher has
 * one key for all placements. A charge-back has the transaction of its credit with the prefix `r-`, and a negative
 * amount.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.pathname = `${wall.pathname.replace(/\/+$/, '')}/${apiKey}`;
    wall.searchParams.set('external_identifier', memberRef);
    return wall.href;
  },
  signatureOf(raw) {
    const received = headerOf(raw, facts.signatureHeader);
    return { algorithm: 'sha256', text: formText(splitQuery(raw.url)), received, encoding: 'hex' };
  },
  translate: ({ url }) => translate(splitQuery(url)),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

/**
 * The signed text: the query in form encoding. It works on bytes, so that invalid UTF-8 can't become equal to other
 * text. The last of repeated names counts, as for the sender. Such a call is refused afterwards.
 */
function formText(query: readonly RawParameter[]): string {
  const byName = new Map(query.map(({ name, value }) => [formDecoded(name), formDecoded(value)]));
  return [...byName]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`)
    .join('&');
}

/** Decodes a form text with one character per byte. A percent sign without two hex digits stays. */
const formDecoded = (raw: string): string =>
  raw
    .replaceAll('+', ' ')
    .replace(/%([0-9a-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));

const formEncoded = (bytes: string): string =>
  bytes
    .replace(/[^\w.\- ]/g, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`)
    .replaceAll(' ', '+');

function translate(query: readonly RawParameter[]): PostbackMessage {
  const parameters = decodeQuery(query, deciding);
  const transactionId = identifier(parameters, 'transaction_id');
  const subject = { transactionId, memberRef: identifier(parameters, 'external_identifier') };
  const amount = decimal(parameters, 'currency_amount');
  const payout = shownPayout(parameters, 'payout_usd');

  const isChargeback = flag(parameters, 'is_chargeback');
  if (isChargeback === 'unknown') return ignoredMessage('unknown-status', subject);
  const takesBack =
    isChargeback || optionalWord(parameters, 'callback_type') === 'chargeback' || amount.sign < 0;
  if (takesBack)
    return reversalMessage(
      subject,
      originalOf(transactionId),
      amount,
      label(parameters, 'chargeback_reason'),
    );
  const offerName = label(parameters, 'offer_name');
  return creditMessage({ ...subject, payout, offerName, isScreenOut: false }, amount);
}

/** The transaction of a charge-back's credit: the id without the prefix. */
function originalOf(transactionId: string): string {
  const original = transactionId.slice(REVERSAL_PREFIX.length);
  return transactionId.startsWith(REVERSAL_PREFIX) && original !== '' ? original : transactionId;
}
