import { creditMessage, ignoredMessage, type PostbackMessage, reversalMessage } from '../message.ts';
import {
  flag,
  identifier,
  label,
  linkingIdentifier,
  optionalDecimal,
  optionalIdentifier,
  shownPayout,
} from '../parameter.ts';
import { assertWallInput, decidingNames, type ProviderAdapter } from '../provider.ts';
import {
  decodeQuery,
  InvalidPostback,
  type RawParameter,
  rawValue,
  splitQuery,
  withoutParameter,
} from '../raw-query.ts';
import { verifySigned } from '../verdict.ts';
import { facts } from './facts.ts';

const deciding = decidingNames(facts);

/**
 * TheoremReach, a survey router. It appends its own parameters to the URL. The signature covers the whole URL, with
 * scheme and host, without `hash` in any place. `currency` is the site's payout in dollars despite its name.
 *
 * A reversal has the transaction of its credit and a positive reward. A call in debug mode is signed like any other and
 * must never credit a member, so each value of `debug` except no counts as a test.
 */
export const adapter: ProviderAdapter = {
  ...facts,
  wallUrl({ url, apiKey, memberRef }) {
    assertWallInput(facts, { apiKey, memberRef });
    const wall = new URL(url);
    wall.searchParams.set('api_key', apiKey);
    wall.searchParams.set('user_id', memberRef);
    return wall.href;
  },
  signatureOf({ url }) {
    const received = rawValue(splitQuery(url), 'hash');
    return { algorithm: 'sha1', text: withoutParameter(url, 'hash'), received, encoding: 'base64url' };
  },
  translate: ({ url }) => translate(splitQuery(url)),
  verify(raw, { secret }) {
    return verifySigned(adapter, raw, secret);
  },
};

function translate(query: readonly RawParameter[]): PostbackMessage {
  const parameters = decodeQuery(query, deciding);
  if (flag(parameters, 'debug') !== false)
    return {
      kind: 'nothing',
      why: 'test-call',
      transactionId: optionalIdentifier(parameters, 'tx_id'),
      memberRef: optionalIdentifier(parameters, 'user_id'),
    };
  const transactionId = identifier(parameters, 'tx_id');
  const subject = { transactionId, memberRef: identifier(parameters, 'user_id') };
  const amount = optionalDecimal(parameters, 'reward');
  const payout = shownPayout(parameters, 'currency');

  const isReversal = flag(parameters, 'reversal');
  if (isReversal === 'unknown') return ignoredMessage('unknown-status', subject);
  if (isReversal) return reversalMessage(subject, transactionId, amount);
  if (amount === null) throw new InvalidPostback('reward is missing');
  // Profile answers are paid, but are not a completed survey.
  const isScreenOut = flag(parameters, 'screenout') !== false || flag(parameters, 'profiler') !== false;
  const offerName = label(parameters, 'offer_name') || label(parameters, 'offer');
  const offerId = linkingIdentifier(parameters, 'offer_id');
  return creditMessage({ ...subject, payout, offerName, isScreenOut, offerId }, amount);
}
