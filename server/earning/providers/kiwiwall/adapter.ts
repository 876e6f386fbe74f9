import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import {
  identifier,
  label,
  linkingIdentifier,
  optionalDecimal,
  required,
  shownPayout,
} from '../parameter.ts';
import { assertWallInput, decidingNames, type ProviderAdapter } from '../provider.ts';
import { decodeQuery, InvalidPostback, type RawParameter, rawValue, splitQuery } from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/**
 * KiwiWall, an offer wall. A postback is signed as md5(sub_id:amount:secret) over the amount as written, with minus
 * sign and trailing zeros, so 500 and 500.00 differ. Transaction and status are not signed, so a captured credit could
 * be sent again under a new transaction. Live mode therefore holds calls from other addresses than KiwiWall's. Its wall
 * is not signed.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.pathname = `${wall.pathname.replace(/\/+$/, '')}/${apiKey}/${memberRef}`;
    return wall.href;
  },
  signatureOf({ url }) {
    const query = splitQuery(url);
    const text = `${rawValue(query, 'sub_id')}:${rawValue(query, 'amount')}:`;
    return { algorithm: 'md5', text, received: rawValue(query, 'signature'), encoding: 'hex' };
  },
  translate: ({ url }) => translate(splitQuery(url)),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

function translate(query: readonly RawParameter[]): PostbackMessage {
  const parameters = decodeQuery(query, deciding);
  for (const name of ['sub_id', 'amount'])
    if ((parameters.get(name) ?? '') !== rawValue(query, name))
      throw new InvalidPostback(`${name} is encoded`);
  const status = required(parameters, 'status');
  const transactionId = identifier(parameters, 'trans_id');
  const subject = { transactionId, memberRef: identifier(parameters, 'sub_id') };
  const amount = optionalDecimal(parameters, 'amount');
  const payout = shownPayout(parameters, 'gross');

  if (status === '2') return reversalMessage(subject, transactionId, amount);
  if (status !== '1') return ignoredMessage('unknown-status', subject);
  if (amount === null) throw new InvalidPostback('amount is missing');
  const offerName = label(parameters, 'offer_name');
  const offerId = linkingIdentifier(parameters, 'offer_id');
  return creditMessage({ ...subject, payout, offerName, isScreenOut: false, offerId }, amount);
}
